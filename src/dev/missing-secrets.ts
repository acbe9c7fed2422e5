import type { LocalWorkspace } from '../emulator/index.ts';
import { type Project, readLocalSecrets, secretsWithout } from '../project/index.ts';
import { FnError } from '../std/index.ts';
import type { DevEvent } from './events.ts';

/**
 * Tells which secrets of fn.config.json have no value here. A function that reads one gets null, which often fails far from the cause.
 * @returns looks again, and tells them if they are others than before
 */
export function secretsTeller(local: LocalWorkspace, emit: (event: DevEvent) => void): (of: Project) => Promise<void> {
  let told = '';
  return async (project) => {
    const names = await missingSecrets(local, project);
    const now = names.join();
    if (now !== told && names.length > 0) emit({ type: 'secrets-missing', names });
    told = now;
  };
}

async function missingSecrets(local: LocalWorkspace, project: Project): Promise<readonly string[]> {
  if (!project.config.secrets?.length) return [];
  try {
    const given = await readLocalSecrets(project, process.env);
    const stored = await local.workspace.secrets.ofApp(project.app);
    return secretsWithout(project, given, stored);
  } catch (error) {
    if (error instanceof FnError) return []; // the first function that reads a secret fails with it
    throw error;
  }
}
