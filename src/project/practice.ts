import { join } from 'node:path';
import type { Environment } from '../std/index.ts';
import type { Project } from './project.ts';
import { stateFolder } from './user-folders.ts';

/** Slug of the workspace for practice. */
export const practiceSlug = 'practice';

/** The folder of the workspace for practice: one per user, far from every app. It is no app, and has no functions of its own. */
export function practiceProject(env: Environment): Project {
  const root = join(stateFolder(env), practiceSlug);
  return { root, config: { version: 1, app: practiceSlug }, app: practiceSlug, stateDir: join(root, '.fn') };
}
