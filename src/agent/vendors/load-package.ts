import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isRecord, messageOf, shortened } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';
import type { HarnessConfig, ProjectPackages } from '../types.ts';

/** An SDK of a vendor: the user's own copy is loaded, `fn` brings none. */
export interface VendorPackage {
  readonly name: string;
  /** The first version that works, and the first one that is not known to. */
  readonly from: readonly [major: number, minor: number, patch?: number];
  readonly below: readonly [major: number, minor: number];
}

export interface LoadedPackage {
  readonly version: string;
  readonly exports: unknown;
  /** Loads a package that this one depends on. */
  load(name: string): unknown;
}

/**
 * Loads the user's own copy of a package from his app's folder. It runs outside the sandbox, so the folder must be trusted.
 * @throws RunFailure `harness_package_…`, `folder_not_trusted`
 */
export function loadPackage(wanted: VendorPackage, { name: harness, packages }: HarnessConfig): LoadedPackage {
  const { name } = wanted;
  if (packages === undefined) {
    throw new RunFailure('harness_package_missing', `The harness ${harness} needs ${name}, and there is no app here`, {
      hint: 'Use this harness in the folder of an app that has the package.',
    });
  }
  const { folder, trusted } = packages;
  const install = wayToInstall(wanted, folder);
  const require = createRequire(join(folder, 'package.json'));
  const entry = resolve(require, name);
  if (entry === undefined) {
    throw new RunFailure('harness_package_missing', `The harness ${harness} needs the package ${name}`, {
      hint: install,
    });
  }
  const version = versionOf(entry, name);
  if (version === undefined || !isSupported(version, wanted)) {
    throw new RunFailure(
      'harness_package_unsupported',
      `The harness ${harness} works with ${name} ${rangeOf(wanted)}, and ${version ?? 'an unknown version'} is installed`,
      { hint: install },
    );
  }
  if (!trusted) {
    throw new RunFailure('folder_not_trusted', `${name} in ${folder} would run outside the sandbox`);
  }
  try {
    return { version, exports: require(entry), load: createRequire(entry) };
  } catch (error) {
    throw brokenPackage(wanted, packages, `${version} cannot be loaded: ${shortened(messageOf(error), 300)}`, error);
  }
}

/** @param why follows the name of the package */
export function brokenPackage(
  wanted: VendorPackage,
  packages: ProjectPackages | undefined,
  why: string,
  cause?: unknown,
): RunFailure {
  const hint = wayToInstall(wanted, packages?.folder ?? '.');
  return new RunFailure('harness_package_broken', `${wanted.name} ${why}`, { hint, cause });
}

const wayToInstall = (wanted: VendorPackage, folder: string): string =>
  `In ${folder}: npm install ${wanted.name}@"${rangeOf(wanted)}"`;

function resolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

/** Packages need not export their package.json, so it is looked for above the file that is loaded. */
function versionOf(entry: string, name: string): string | undefined {
  for (let folder = dirname(entry); dirname(folder) !== folder; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isRecord(manifest) && manifest['name'] === name) return String(manifest['version']);
  }
  return undefined;
}

function isSupported(version: string, { from, below }: VendorPackage): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const isBefore = (other: readonly (number | undefined)[]) => {
    const at = [0, 1, 2].find((i) => parts[i] !== (other[i] ?? 0));
    return at !== undefined && (parts[at] ?? 0) < (other[at] ?? 0);
  };
  return parts.length >= 2 && !parts.slice(0, 2).some(Number.isNaN) && !isBefore(from) && isBefore(below);
}

const rangeOf = ({ from, below }: VendorPackage): string => `>=${from.join('.')} <${below.join('.')}`;
