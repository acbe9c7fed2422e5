import { basename, dirname, join, resolve } from 'node:path';
import { isInside, lockfiles, monotonicMs } from '../../std/index.ts';
import { Absent } from '../packages/absent.ts';
import { isInstalled } from '../packages/package-folder.ts';
import { changed, type Look, type Stamp, stampOf, stampsTakenOnce } from './stamps.ts';

/** Milliseconds between looks at the files of installed packages; a lockfile or a package.json is looked at each time. */
const installedEveryMs = 1000;

/** The files that a build depended on, also those that were not there, and what they looked like. */
export class Freshness {
  readonly #own = new Map<string, Stamp>();
  readonly #installed = new Map<string, Stamp>();
  /** Of the project's own paths those at which nothing was. */
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
   * Costs some 3 µs for each file of the project's own and each folder in which one could appear; installed files are looked at once a
   * second.
   */
  isStale(): boolean {
    if (changed(this.#own, seenStamp) || this.#absent.appeared(seenStamp)) return true;
    const now = monotonicMs();
    if (now - this.#installedAt < installedEveryMs) return false;
    this.#installedAt = now;
    return changed(this.#installed, seenStamp);
  }

  /** Looks at every file, also the installed ones: for what another process kept. */
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

/** Such files change by an install, which also changes a lockfile or manifest: those two are looked at each time. */
function changesByInstall(path: string): boolean {
  if (!isInstalled(path)) return false;
  const name = basename(path);
  return name !== 'package.json' && !installMarkers.includes(name);
}

let taken: Look | undefined;

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
export const installMarkers = ['.package-lock.json', '.modules.yaml', '.yarn-integrity', '.yarn-state.yml'];

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
