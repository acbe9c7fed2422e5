import { type SourceLocation, toSlashes } from '../../std/index.ts';
import type { Problem } from './failure.ts';

/** Names that hold secrets by custom, in whatever case the file system forgives. */
const secretFile = /(?:^|[\\/])\.(?:env[^\\/]*|npmrc|yarnrc(?:\.yml)?|netrc|pypirc|git-credentials)(?:$|[\\/])/i;
/** Folders of the project that hold state or keys, not sources. */
const stateFolder = /(?:^|[\\/])\.(?:git|fn|ssh|aws|gnupg|kube|docker)[\\/]/i;

/** Whether a path inside the project must not become part of a function. */
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
