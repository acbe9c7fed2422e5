import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isBuilt, makeFolder, packageFile, placeOfFolder, removeOldFiles, sha256Hex } from '../../std/index.ts';
import type { BuildWarning, Bundle } from '../types.ts';
import { type Stamp, stampOf } from './stamps.ts';

/** A cached bundle with the stamps of its inputs. The reader decides whether they are still valid. */
export interface Kept {
  readonly bundle: Bundle;
  readonly stamps: readonly (readonly [string, Stamp])[];
}

/** First line of a file; the texts follow it, one after another. */
interface Header {
  /** Identity of the folder that it was written to: a cache that came with the app could contain other code than its sources. */
  readonly place: string;
  /** SHA-256 of the rest of the file. */
  readonly body: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: readonly string[];
  readonly warnings: readonly BuildWarning[];
  readonly stamps: readonly (readonly [string, Stamp])[];
  readonly probeId: string | null;
  /** Bytes of each of `textsOf`; null for a missing one. */
  readonly lengths: readonly (number | null)[];
}

const format = 2;
/** Delays writing, so that the answer that waits for the bundle goes first and several bundles are written together. */
const writeAfterMs = 20;
const keptForMs = 30 * 24 * 60 * 60 * 1000;
/** What `#fileOf` and `write` name. */
const named = /^[0-9a-f]{32}\.bundle(?:\.[0-9a-f-]{36})?$/;

/** Caches bundles in a folder for later processes. Everything in it may be deleted, damaged or out of date at any time. */
export class DiskCache {
  readonly #folder: string;
  #waiting: { key: readonly unknown[]; kept: Kept }[] = [];
  #timer: NodeJS.Timeout | undefined;
  #swept = false;
  /** Whether the folder did not exist at first, so that nothing in it comes from an earlier process. */
  #begunHere: boolean | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns undefined if there is none or it is damaged */
  read(key: readonly unknown[]): Kept | undefined {
    // On a first start there is no cache, so the parts of its file names need not be looked up before the first answer.
    this.#begunHere ??= !existsSync(this.#folder);
    if (this.#begunHere) return undefined;
    try {
      return parse(readFileSync(this.#fileOf(key)), placeOfFolder(this.#folder));
    } catch {
      return undefined;
    }
  }

  /** Stores the bundle a moment later; a full or read-only disk only costs the next process some time. */
  write(key: readonly unknown[], kept: Kept): void {
    this.#waiting.push({ key, kept });
    this.#timer ??= setTimeout(() => this.settle(), writeAfterMs);
  }

  /** Writes pending bundles synchronously: for a hundred small files, switching threads takes many times longer than writing. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    quietly(() => this.#makeFolders());
    quietly(() => {
      const place = placeOfFolder(this.#folder);
      for (const { key, kept } of this.#waiting) quietly(() => write(this.#fileOf(key), print(kept, place)));
    });
    this.#waiting = [];
    if (this.#swept) return;
    this.#swept = true;
    // Functions are deleted and tools updated, so files not written for a month are removed.
    quietly(() => removeOldFiles(this.#folder, keptForMs, named));
  }

  #fileOf(key: readonly unknown[]): string {
    return join(this.#folder, `${sha256Hex(JSON.stringify([format, toolStamp(), ...key])).slice(0, 32)}.bundle`);
  }

  #makeFolders(): void {
    for (const folder of [dirname(dirname(this.#folder)), dirname(this.#folder), this.#folder]) makeFolder(folder);
  }
}

function write(file: string, content: Buffer): void {
  const temporary = `${file}.${randomUUID()}`;
  try {
    writeFileSync(temporary, content, { flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Ignores errors: without a writable cache everything works, only slower. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {}
}

function textsOf({ code, sourceMap, css, probe }: Bundle): (string | null)[] {
  return [code, sourceMap, css ?? null, probe?.code ?? null, probe?.sourceMap ?? null];
}

function print({ bundle, stamps }: Kept, place: string): Buffer {
  const texts = textsOf(bundle).map((text) => (text === null ? null : Buffer.from(text)));
  const body = Buffer.concat(texts.filter((text) => text !== null));
  const { name, id, inputs, warnings, probe } = bundle;
  const lengths = texts.map((text) => text?.length ?? null);
  const header: Header = {
    place,
    body: sha256Hex(body),
    name,
    id,
    inputs,
    warnings,
    stamps,
    probeId: probe?.id ?? null,
    lengths,
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

function parse(file: Buffer, place: string): Kept | undefined {
  const end = file.indexOf(10);
  const header = JSON.parse(file.toString('utf8', 0, end)) as Header; // our own writing; the body's hash says whether it is whole
  const body = file.subarray(end + 1);
  if (header.place !== place || sha256Hex(body) !== header.body) return undefined;
  let at = 0;
  const texts = header.lengths.map((length) => {
    if (length === null) return undefined;
    at += length;
    return body.toString('utf8', at - length, at);
  });
  const [code, sourceMap, css, probeCode, probeMap] = texts;
  if (code === undefined || sourceMap === undefined) return undefined;
  const { name, id, inputs, warnings, stamps, probeId } = header;
  const bundle: Bundle = {
    name,
    id,
    code,
    sourceMap,
    bytes: header.lengths[0] ?? 0,
    inputs,
    warnings,
    ...(css === undefined ? {} : { css }),
    ...(probeId && probeCode !== undefined
      ? { probe: { id: probeId, code: probeCode, sourceMap: probeMap ?? '' } }
      : {}),
  };
  return { bundle, stamps };
}

let tool: string | undefined;

/**
 * Changes when this package does: what another version made is made again. The manifest's text tells the version (installed files
 * all have the same times); when run from source, times and sizes tell an edit.
 */
function toolStamp(): string {
  const folders = isBuilt ? ['dist/bundle/shims'] : ['src/bundle', 'src/bundle/node', 'src/bundle/shims'];
  tool ??= sha256Hex(
    [
      readFileSync(packageFile('package.json'), 'utf8'),
      ...folders.flatMap((folder) => filesIn(packageFile(folder))).map(stampOf),
    ].join(),
  );
  return tool;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
