import { toSlashes } from '../../std/index.ts';

/** `…/node_modules/@scope/name/lib/x.js` → `…/node_modules/@scope/name`. Undefined for a file of the project. */
export function packageFolder(file: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(toSlashes(file))?.[0];
}

/** `@scope/name/deep/path` → `@scope/name`. */
export function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/** Whether a file belongs to an installed package. */
export function isInstalled(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}
