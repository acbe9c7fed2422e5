import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { monotonicMs } from '../std/index.ts';
import { isInside } from './failure.ts';
import { lockfiles } from './workspace-root.ts';

/** What a file looked like: changes whenever its content may have changed. Empty when there is no such file. */
export type Stamp = string;

/**
 * Modification time and size see an edit; the inode sees a rename-save that kept both; the change time sees a tool that set the
 * modification time back.
 */
export function stampOf(path: string): Stamp {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}:${stat.ctimeMs}` : '';
  } catch {
    return ''; // not a folder on the way, no permission, a name too long: for a build it is not there
  }
}

/** Looks at each file once, for functions that were built together and depend on the same dozen of manifests and lockfiles. */
export function stampsTakenOnce(): (path: string) => Stamp {
  const taken = new Map<string, Stamp>();
  return (path) => {
    let stamp = taken.get(path);
    if (stamp === undefined) {
      stamp = stampOf(path);
      taken.set(path, stamp);
    }
    return stamp;
  };
}

/** Never equals a stamp, so whatever carries it counts as changed. */
export const unsure: Stamp = '?';

/** Milliseconds between looks at the files of installed packages; a lockfile or a package.json is looked at each time. */
const installedEveryMs = 1000;

/** The files that a build depended on, also those that were not there, and what they looked like. */
export class Freshness {
  readonly #own: ReadonlyMap<string, Stamp>;
  readonly #installed: ReadonlyMap<string, Stamp>;
  #installedAt = monotonicMs();

  constructor(stamps: Iterable<readonly [string, Stamp]>) {
    const own = new Map<string, Stamp>();
    const installed = new Map<string, Stamp>();
    for (const [path, stamp] of stamps) (isInstalled(path) ? installed : own).set(path, stamp);
    this.#own = own;
    this.#installed = installed;
  }

  /** Costs some 3 µs for each file of the project's own; installed files are looked at once a second. */
  isStale(): boolean {
    if (changed(this.#own)) return true;
    const now = monotonicMs();
    if (now - this.#installedAt < installedEveryMs) return false;
    this.#installedAt = now;
    return changed(this.#installed);
  }

  /** Looks at every file, also the installed ones: for what another process kept. */
  isStaleNow(): boolean {
    return changed(this.#own, stampInTurn) || changed(this.#installed, stampInTurn);
  }

  /** Each path with its stamp. */
  *entries(): Generator<readonly [string, Stamp]> {
    yield* this.#own;
    yield* this.#installed;
  }
}

/** Installed files change by an install, which also changes a lockfile or manifest: those two are not counted as installed. */
function isInstalled(path: string): boolean {
  if (!/[\\/]node_modules[\\/]/.test(path)) return false;
  const name = basename(path);
  return name !== 'package.json' && !installMarkers.includes(name);
}

function changed(stamps: ReadonlyMap<string, Stamp>, look = seenStamp): boolean {
  for (const [path, stamp] of stamps) if (look(path) !== stamp) return true;
  return false;
}

let taken: ((path: string) => Stamp) | undefined;

/** As `stampOf`; what is asked for in one turn of the event loop is looked at once. */
function stampInTurn(path: string): Stamp {
  if (!taken) {
    taken = stampsTakenOnce();
    process.nextTick(() => {
      taken = undefined;
    });
  }
  return taken(path);
}

let seenStamp = stampOf;

/**
 * For a look at many functions in one go: each file is looked at once, however many of them depend on it – most do on the same dozen
 * of manifests and lockfiles.
 * @param looks must not wait
 */
export function lookingOnce<T>(looks: () => T): T {
  seenStamp = stampsTakenOnce();
  try {
    return looks();
  } finally {
    seenStamp = stampOf;
  }
}

/** Written into node_modules by npm, pnpm and yarn at the end of each install. */
const installMarkers = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

/** What rules every resolution from `root` up to `limit`: manifests, compiler settings, lockfiles, marks of an install. */
export function rulingFiles(root: string, limit: string): readonly string[] {
  const place = `${root}\0${limit}`;
  let paths = rulers.get(place);
  if (!paths) {
    paths = namedRulers(root, limit);
    rulers.set(place, paths);
  }
  return paths;
}

/** The same for every function of an app; there are few apps in a process. */
const rulers = new Map<string, readonly string[]>();

function namedRulers(root: string, limit: string): string[] {
  const paths: string[] = [];
  for (let folder = root; isInside(limit, folder); folder = dirname(folder)) {
    paths.push(join(folder, 'package.json'), join(folder, 'tsconfig.json'), join(folder, 'jsconfig.json'));
    for (const marker of installMarkers) paths.push(join(folder, 'node_modules', marker));
    if (folder === limit) for (const lockfile of lockfiles) paths.push(join(folder, lockfile));
    if (folder === dirname(folder)) break;
  }
  return paths;
}

/** Endings that an import may leave out, in the order in which they are tried. */
export const resolveExtensions = ['.tsx', '.ts', '.jsx', '.js', '.mts', '.mjs', '.cts', '.cjs', '.css', '.json'];

/**
 * The paths at which a file would be found for this import, by the rules of esbuild: a build in which one of them was not there
 * is stale when it appears.
 */
export function candidatesOf(specifier: string, importer: string, limit: string): string[] {
  if (/^\.\.?([\\/]|$)/.test(specifier)) {
    const path = resolve(dirname(importer), specifier.replace(/[?#].*$/, ''));
    const asTypeScript = path.replace(/\.([cm]?)jsx?$/, '.$1ts');
    const stems = [path, join(path, 'index')];
    return [...new Set([path, asTypeScript, ...stems.flatMap((stem) => resolveExtensions.map((end) => stem + end))])];
  }
  const name = specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : specifier.split('/')[0];
  const paths: string[] = [];
  for (let folder = dirname(importer); isInside(limit, folder); folder = dirname(folder)) {
    if (name) paths.push(join(folder, 'node_modules', name, 'package.json'));
    if (folder === dirname(folder)) break;
  }
  return paths;
}
