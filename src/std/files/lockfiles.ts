import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Package managers by their lockfiles. */
const managers = {
  'package-lock.json': 'npm',
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'npm-shrinkwrap.json': 'npm',
} as const;

/** Names of the lockfiles of package managers. */
export const lockfiles: readonly string[] = Object.keys(managers);

/**
 * Advice in the words of the project's package manager: in a project of another one, npm would install every package a second time.
 * @param advice `npm install`, `npm install NAME`, or a text with them
 * @param folder the one with the project's lockfile
 */
export function forPackageManager(advice: string, folder: string): string {
  const lockfile = lockfiles.find((name) => existsSync(join(folder, name))) as keyof typeof managers | undefined;
  const manager = lockfile && managers[lockfile];
  if (manager === undefined || manager === 'npm') return advice;
  return advice
    .replaceAll('npm install --save-dev ', `${manager} add ${manager === 'pnpm' ? '--save-dev' : '--dev'} `)
    .replace(/\bnpm install(?= [@\w])/g, `${manager} add`)
    .replace(/\bnpm install\b/g, `${manager} install`);
}
