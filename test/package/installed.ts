import { execFile } from 'node:child_process';
import { cpSync, existsSync, globSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../scripts/build.ts';
import { packageFile } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const run = promisify(execFile);

export interface Packed {
  /** What `npm pack` put into the tarball. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Folder with the tarball unpacked in it. */
  readonly folder: string;
}

/** Builds and packs the package in a folder of its own; the checkout is left alone. */
export async function pack(): Promise<Packed> {
  const folder = temporaryFolder('fn-package');
  const draft = join(folder, 'draft');
  mkdirSync(draft);
  await buildPackage(join(draft, 'dist'), join(draft, 'THIRD-PARTY-LICENSES.txt'));
  const { files }: { files: string[] } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  for (const name of ['package.json', ...files.flatMap((pattern) => globSync(pattern, { cwd: packageFile('') }))]) {
    if (existsSync(packageFile(name)) && !existsSync(join(draft, name)))
      cpSync(packageFile(name), join(draft, name), { recursive: true });
  }
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', folder],
    { cwd: draft },
  );
  const [packed]: { filename: string; files: { path: string; size: number }[] }[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error('npm packed nothing');
  await run('tar', ['-xzf', join(folder, packed.filename), '-C', folder]);
  return {
    files: packed.files,
    folder: join(folder, 'package'),
  };
}

/** Packages that npm would install beside ours for this machine, by the lock file: names of folders below node_modules. */
export function installedBeside(without: readonly string[] = []): string[] {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(
    readFileSync(packageFile('package-lock.json'), 'utf8'),
  );
  const own = packages[''];
  const found = new Set<string>();
  const waiting = Object.keys({ ...own?.dependencies, ...own?.optionalDependencies });
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const folder = `node_modules/${name}`;
    // An optional package of another platform is in the lock file, but not on this machine.
    if (found.has(name) || without.includes(name) || !existsSync(packageFile(folder))) continue;
    found.add(name);
    const locked = packages[folder];
    waiting.push(...Object.keys({ ...locked?.dependencies, ...locked?.optionalDependencies }));
  }
  return [...found].sort();
}

interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/**
 * A folder in which the package is installed as npm would have: itself, what it depends on, and nothing else.
 * @param without packages that could not be installed
 */
export function install(packed: Packed, without: readonly string[] = []): { folder: string; fn: string } {
  const folder = temporaryFolder('fn-installed', placeWithoutModules());
  const modules = join(folder, 'node_modules');
  cpSync(packed.folder, join(modules, 'convo-fn'), { recursive: true });
  for (const name of installedBeside(without))
    cpSync(packageFile(`node_modules/${name}`), join(modules, name), { recursive: true, dereference: true });
  mkdirSync(join(modules, '.bin'));
  symlinkSync('../convo-fn/bin/fn.js', join(modules, '.bin/fn'));
  symlinkSync('../convo-fn/bin/send-template.js', join(modules, '.bin/send-template'));
  return { folder, fn: join(modules, '.bin/fn') };
}

/** Somewhere above which nobody keeps packages: Node would find them. */
function placeWithoutModules(): string {
  const places = [tmpdir(), '/var/tmp', homedir()];
  const place = places.find((candidate) => {
    for (let folder = candidate; ; folder = dirname(folder)) {
      if (existsSync(join(folder, 'node_modules'))) return false;
      if (dirname(folder) === folder) return existsSync(candidate);
    }
  });
  if (place === undefined) throw new Error(`there are packages above each of ${places.join(', ')}`);
  return place;
}

/** On disk: a file with two names (esbuild links its binary) counts once. */
export function bytesOf(paths: readonly string[], seen: Set<number> = new Set()): number {
  let bytes = 0;
  for (const path of paths) {
    const stat = lstatSync(path);
    if (stat.isDirectory()) {
      bytes += bytesOf(
        readdirSync(path).map((name) => join(path, name)),
        seen,
      );
    } else if (!seen.has(stat.ino)) {
      seen.add(stat.ino);
      bytes += stat.size;
    }
  }
  return bytes;
}
