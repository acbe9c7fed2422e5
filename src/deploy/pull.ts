import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { Client } from '../client/index.ts';
import { isAppFileKind } from '../contract/index.ts';
import {
  ConflictError,
  isInside,
  MachineError,
  messageOf,
  removeLeftovers,
  sha256Hex,
  sourceName,
} from '../std/index.ts';
import type { Live } from './live.ts';
import { isPulled, nameOnDisk, pathProblem, writeProblem } from './pull-paths.ts';

export type PullKind = 'create' | 'update' | 'same' | 'conflict';

export interface PulledFile {
  /** Below the app's folder, with `/`. */
  readonly path: string;
  readonly kind: PullKind;
  readonly bytes: number;
}

export interface PullPlan {
  readonly files: readonly PulledFile[];
  /** Functions without sources in their map: the bundle itself is written. */
  readonly bundled: readonly string[];
  /** Files that the sources import but that no source map contains: JSON, texts, images. */
  readonly missing: readonly { readonly path: string; readonly importedBy: string }[];
  /** Sources outside of functions/, compared with the folder: they are listed, never written. */
  readonly elsewhere: readonly PulledFile[];
  /** Paths that the server named and that are not written. */
  readonly refused: readonly { readonly path: string; readonly why: string }[];
  /** What is written: path → text. */
  readonly contents: ReadonlyMap<string, string>;
  /** Everything that the server sent, to be printed: path → text. */
  readonly sent: ReadonlyMap<string, string>;
}

const fileBytes = 10 * 1024 * 1024;
const totalBytes = 100 * 1024 * 1024;
const maxFiles = 5_000;

export interface PullOptions {
  readonly app: string;
  readonly live: Live;
  /** Root of the app on disk to compare with. */
  readonly root: string;
  /** Paths in the manifest; all of them by default. */
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Fetches what is live and compares it with the folder; nothing is written. The author's own sources come from the source maps.
 * @throws MachineError pull_too_large, file_hash_mismatch
 */
export async function planPull(client: Client, { app, live, root, only, signal }: PullOptions): Promise<PullPlan> {
  const { id, manifest } = live.deployment;
  const blob = async (sha256: string) =>
    checked(await client.readBytes('deployments.getFile', { app, id, sha256 }, fileBytes, { signal }), sha256);
  const fetched = new Fetched();
  const bundled: string[] = [];
  for (const { path, type, sha256, sourceMapSha256, files = [] } of manifest) {
    if (only !== undefined && !only.includes(path)) continue;
    if (isAppFileKind(type)) {
      for (const file of [{ path, sha256 }, ...files]) {
        fetched.add(file.path, (await blob(file.sha256)).toString('utf8'));
      }
      continue;
    }
    const sources = sourceMapSha256 === undefined ? undefined : sourcesOf(await blob(sourceMapSha256), path);
    if (sources === undefined) {
      fetched.add(`functions/${path}`, (await blob(sha256)).toString('utf8'));
      bundled.push(path);
    } else {
      for (const source of sources) fetched.add(source.path, source.text);
    }
  }
  const { contents, elsewhere, refused, sent } = fetched;
  return {
    files: compared(contents, root),
    bundled,
    missing: missingImports(contents, (path) => sent.has(path) || existsSync(join(root, path))),
    elsewhere: compared(elsewhere, root),
    refused,
    contents,
    sent,
  };
}

/** Sorted by path. */
function compared(files: ReadonlyMap<string, string>, root: string): PulledFile[] {
  return [...files]
    .map(([path, text]): PulledFile => ({ path, kind: kindOf(root, path, text), bytes: Buffer.byteLength(text) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files that a server sent, told apart by what may be done with them: no name, size or count that the server chooses can do harm. */
class Fetched {
  /** May be written. Path → text. */
  readonly contents = new Map<string, string>();
  /** Outside of functions/: only listed. Path → text. */
  readonly elsewhere = new Map<string, string>();
  /** All of them, also what is refused. Path → text. */
  readonly sent = new Map<string, string>();
  readonly refused: { path: string; why: string }[] = [];
  readonly #inLowerCase = new Map<string, string>();
  #total = 0;

  add(path: string, text: string): void {
    const before = this.sent.get(path);
    const why = this.#problem(path, text, before);
    if (why !== undefined) this.refused.push({ path: path.slice(0, 300), why });
    if (before !== undefined) return;
    this.#total += Buffer.byteLength(text);
    if (this.#total > totalBytes || this.sent.size >= maxFiles) {
      throw new MachineError(
        'pull_too_large',
        'The live functions are too large to pull (at most 100 MiB and 5000 files)',
      );
    }
    this.sent.set(path, text);
    if (why !== undefined) return;
    (isPulled(path) ? this.contents : this.elsewhere).set(path, text);
    this.#inLowerCase.set(nameOnDisk(path), path);
  }

  #problem(path: string, text: string, before: string | undefined): string | undefined {
    const why = isPulled(path) ? writeProblem(path) : pathProblem(path);
    if (why !== undefined) return why;
    if (Buffer.byteLength(text) > fileBytes) return 'it is too large';
    if (before !== undefined) return before === text ? undefined : 'two functions have different versions of it';
    const twin = this.#inLowerCase.get(nameOnDisk(path));
    return twin === undefined ? undefined : `on many systems it is the same file as ${twin}`;
  }
}

function checked(bytes: Uint8Array, sha256: string): Buffer {
  if (sha256Hex(bytes) === sha256) return Buffer.from(bytes);
  throw new MachineError(
    'file_hash_mismatch',
    `The workspace sent other bytes than its manifest names (${sha256.slice(0, 12)}…)`,
    {
      hint: 'Nothing was written. Try again.',
    },
  );
}

/** The author's files in a source map; undefined when the function's own source is not among them. */
function sourcesOf(map: Buffer, path: string): { path: string; text: string }[] | undefined {
  let value: { sources?: unknown; sourcesContent?: unknown };
  try {
    value = JSON.parse(map.toString('utf8'));
  } catch {
    return undefined;
  }
  const { sources, sourcesContent } = value;
  if (!Array.isArray(sources) || !Array.isArray(sourcesContent)) return undefined;
  const found: { path: string; text: string }[] = [];
  for (const [i, source] of sources.entries()) {
    const text: unknown = sourcesContent[i];
    if (typeof source !== 'string' || typeof text !== 'string') continue;
    // Packages and files outside of the app are not pulled.
    const own = sourceName(source).replace(/^\.\//, '');
    // Sources that the compiler adds itself, such as `<define:import.meta>`, were never files.
    if (/^<define:[^>]*>$/.test(own)) continue;
    if (own.startsWith('../') || own.includes('node_modules/') || /^[a-z-]+:/i.test(own)) continue;
    found.push({ path: own, text });
  }
  const own = new RegExp(`^functions/${RegExp.escape(path.replace(/\.js$/, ''))}\\.(?:ts|tsx|mts|js|jsx|mjs)$`);
  return found.some((source) => own.test(source.path)) ? found : undefined;
}

/** Finds relative imports of pulled sources that lead to no file. @param isThere whether a path was sent, or is in the folder */
function missingImports(
  contents: ReadonlyMap<string, string>,
  isThere: (path: string) => boolean,
): { path: string; importedBy: string }[] {
  const missing: { path: string; importedBy: string }[] = [];
  for (const [importedBy, text] of contents) {
    for (const match of text.matchAll(/(?:from|import|require\()\s*['"](\.{1,2}\/[^'"\n]{1,200})['"]/g)) {
      const path = posix.join(posix.dirname(importedBy), match[1] ?? '');
      if (path.startsWith('..')) continue;
      const stem = path.replace(/\.[mc]?jsx?$/, '');
      const there = [
        path,
        ...['.js', '.ts', '.jsx', '.tsx', '.mjs', '.mts', '.json', '/index.js', '/index.ts'].map((end) => stem + end),
      ];
      if (!there.some(isThere)) missing.push({ path, importedBy });
    }
  }
  return missing;
}

function kindOf(root: string, path: string, text: string): PullKind {
  const file = join(root, path);
  try {
    if (!existsSync(file) && !isLink(file)) return 'create';
    if (isLink(file)) return 'conflict';
    return readFileSync(file, 'utf8') === text ? 'same' : 'update';
  } catch {
    return 'conflict';
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

const mark = 'pull-';

/** The files here because of which a pull writes nothing. */
export function inTheWay({ files }: PullPlan, force: boolean): PullPlan['files'] {
  return files.filter(({ kind }) => kind === 'conflict' || (kind === 'update' && !force));
}

/**
 * Writes a pull: everything into a staging folder first, then file by file into place. A file that differs here is only replaced
 * with `force`, and kept in a backup folder then. A process that is killed leaves whole files only, and a staging folder that the next run removes.
 * @returns where the replaced files are, when there were any
 * @throws ConflictError local_edits, path_leaves_app; MachineError pull_unwritable
 */
export function applyPull(
  plan: PullPlan,
  root: string,
  stateDir: string,
  force: boolean,
): { backup: string | undefined } {
  const edited = inTheWay(plan, force);
  if (edited.length > 0) {
    const names = edited
      .slice(0, 5)
      .map(({ path }) => path)
      .join(', ');
    throw new ConflictError(
      'local_edits',
      `${edited.length} ${edited.length === 1 ? 'file differs' : 'files differ'} here: ${names}${edited.length > 5 ? ', …' : ''}`,
      {
        hint: force
          ? 'Nothing was written. Move them away: links and unreadable files are never replaced.'
          : 'Nothing was written. Commit or move them, or use --force, which keeps the old files in .fn/pulled-over/.',
      },
    );
  }
  const writes = plan.files.filter(({ kind }) => kind === 'create' || kind === 'update');
  if (writes.length === 0) return { backup: undefined };
  const realRoot = realpathSync(root);
  try {
    mkdirSync(stateDir, { recursive: true });
    removeLeftovers(stateDir, mark);
    const staging = mkdtempSync(join(stateDir, `${mark}${process.pid}-`));
    try {
      for (const { path } of writes) {
        const staged = join(staging, path);
        mkdirSync(dirname(staged), { recursive: true });
        writeFileSync(staged, plan.contents.get(path) ?? '', { flag: 'wx' });
      }
      // All targets are checked before the first file is moved: a linked folder would lead out of the app.
      for (const { path } of writes) requireInside(realRoot, path);
      const backup = join(stateDir, 'pulled-over', new Date().toISOString().replace(/[:.]/g, '-'));
      let kept = false;
      for (const { path, kind } of writes) {
        const file = join(realRoot, path);
        mkdirSync(dirname(file), { recursive: true });
        requireInside(realRoot, path);
        if (kind === 'update') {
          const saved = join(backup, path);
          mkdirSync(dirname(saved), { recursive: true });
          writeFileSync(saved, readFileSync(file), { flag: 'wx' });
          kept = true;
        }
        renameSync(join(staging, path), file);
      }
      return { backup: kept ? backup : undefined };
    } finally {
      rmSync(staging, { recursive: true, force: true });
    }
  } catch (cause) {
    if (cause instanceof ConflictError) throw cause;
    throw new MachineError('pull_unwritable', `The files cannot be written: ${messageOf(cause)}`, {
      hint: 'Check the permissions of the folder and the space on the disk. Run it again: it continues.',
      cause,
    });
  }
}

/** The nearest existing folder, with links resolved, must be inside the app; the file itself must not be a link. */
function requireInside(realRoot: string, path: string): void {
  let folder = dirname(join(realRoot, path));
  while (!existsSync(folder)) folder = dirname(folder);
  const real = realpathSync(folder);
  if (!isInside(realRoot, real) || real !== folder || isLink(join(realRoot, path))) {
    throw new ConflictError('path_leaves_app', `${path} would be written through a link`, {
      hint: 'Nothing more was written. Replace the link with a folder.',
    });
  }
}
