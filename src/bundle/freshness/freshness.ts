import { basename, dirname, join, resolve } from 'node:path';
import { isInside, lockfiles, monotonicMs } from '../../std/index.ts';
import { Absent } from '../packages/absent.ts';
import { isInstalled } from '../packages/package-folder.ts';
import { changed, type Look, type Stamp, stampOf, stampsTakenOnce } from './stamps.ts';

/** Milliseconds between checks of the files of installed packages; a lockfile or a package.json is checked each time. */
const installedEveryMs = 1000;

/** The files that a build depended on, including missing ones, with their stamps. */
export class Freshness {
  readonly #own = new Map<string, Stamp>();
  readonly #installed = new Map<string, Stamp>();
  /** The project's own paths at which nothing was. */
  readonly #absent: Absent;
  #installedAt = monotonicMs();

  constructor(stamps: Iterable<readonly [string, Stamp]>) {
    const absent: string[] = [];
    for (const [path, stamp] of stamps) {
      if (changesByInstall(path)) this.#installed.set(path, stamp);
      else if (stamp === '') absent.push(path);
      else this.#own.set(path, stamp);
    }
    this.#absent = new Absent(absent);
  }

  /**
   * Takes some 3 µs for each of the project's own files and each folder in which one could appear; installed files are checked once a
   * second.
   */
  isStale(): boolean {
    if (changed(this.#own, seenStamp) || this.#absent.appeared(seenStamp)) return true;
    const now = monotonicMs();
    if (now - this.#installedAt < installedEveryMs) return false;
    this.#installedAt = now;
    return changed(this.#installed, seenStamp);
  }

  /** Checks every file, including installed ones: for bundles cached by another process. */
  isStaleNow(): boolean {
    return (
      changed(this.#own, stampInTurn) || this.#absent.appearedNow(stampInTurn) || changed(this.#installed, stampInTurn)
    );
  }

  /** Each path with its stamp. */
  *entries(): Generator<readonly [string, Stamp]> {
    yield* this.#own;
    for (const path of this.#absent.paths) yield [path, ''];
    yield* this.#installed;
  }
}

/** Whether a file changes only by an install, which also changes a lockfile or manifest: those two are checked each time. */
function changesByInstall(path: string): boolean {
  if (!isInstalled(path)) return false;
  const name = basename(path);
  return name !== 'package.json' && !installMarkers.includes(name);
}

let taken: Look | undefined;

/** Like `stampOf`, but checks each path at most once per turn of the event loop. */
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
 * Checks many functions in one go: each file is checked once, however many functions depend on it; most share the same dozen
 * manifests and lockfiles.
 * @param looks must be synchronous
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
export const installMarkers = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

/** The files that influence every resolution from `root` up to `limit`: manifests, compiler settings, lockfiles, install markers. */
export function rulingFiles(root: string, limit: string): readonly string[] {
  const place = `${root}\0${limit}`;
  let paths = rulers.get(place);
  if (!paths) {
    paths = namedRulers(root, limit);
    rulers.set(place, paths);
  }
  return paths;
}

/** Cached, because they are the same for every function of an app, and a process has few apps. */
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
