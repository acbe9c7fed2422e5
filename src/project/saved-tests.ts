import { writeNewFile } from './new-file.ts';
import type { Project } from './project.ts';

/**
 * Saves the text of a test as `test/NAME.test.js`.
 * @param name the name of a file, without its ending
 * @returns its path below the app's folder @throws ProjectError test_exists, file_outside_app, file_unwritable
 */
export function saveTest(project: Project, name: string, text: string): string {
  return writeNewFile(project, `test/${name}.test.js`, text, 'test_exists');
}
