import { type SourceLocation, toSlashes } from '../../std/index.ts';
import type { Problem } from './failure.ts';

/** Names of files that usually contain secrets, in any case. */
const secretFile = /(?:^|[\\/])\.(?:env[^\\/]*|npmrc|yarnrc(?:\.yml)?|netrc|pypirc|git-credentials)(?:$|[\\/])/i;
/** Folders with state or keys instead of sources. */
const stateFolder = /(?:^|[\\/])\.(?:git|fn|ssh|aws|gnupg|kube|docker)[\\/]/i;

/** Whether functions may not include this path of the project. */
export function isPrivate(path: string): boolean {
  return secretFile.test(path) || stateFolder.test(path);
}

export function privatePath(specifier: string, path: string, location: SourceLocation | undefined): Problem {
  return {
    message: `"${specifier}" leads to ${toSlashes(path)}, which functions may not read`,
    hint: 'Read secrets with sdk.secrets.get; import sources from the project’s folders.',
    location,
  };
}
