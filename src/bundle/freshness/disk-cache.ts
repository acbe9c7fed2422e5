import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  isBuilt,
  lazy,
  makeFolder,
  PackedText,
  packageFile,
  placeOfFolder,
  removeOldFiles,
  sha256Hex,
} from '../../std/index.ts';
import type { BuildWarning, Bundle } from '../types.ts';
import { type Stamp, stampOf } from './stamps.ts';

/** A cached bundle with the stamps of its inputs. The reader decides whether they still match. */
export interface Kept {
  readonly bundle: Bundle;
  readonly stamps: readonly (readonly [string, Stamp])[];
}

/** First line of a file; the texts follow it, one after another. */
interface Header {
  /** Identifies the folder that it was written to: a cache that came with the app could contain code that differs from its sources. */
  readonly place: string;
  /** SHA-256 of the rest of the file. */
  readonly body: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: readonly string[];
  readonly warnings: readonly BuildWarning[];
  readonly stamps: readonly (readonly [string, Stamp])[];
  readonly probeId: string | null;
  /** Bytes of the code when it is not compressed. */
  readonly bytes: number;
  /** Each of `textsOf`, with its length in bytes as it is in the file; null for a missing one. */
  readonly texts: readonly ({ readonly length: number; readonly isDeflated: boolean } | null)[];
}

const format = 3;
/** Delay of writes, so that several bundles are written together, while the sandbox loads them. */
const writeAfterMs = 20;
/** After a save somebody waits for the answer, and the next save may follow: a bundle with large packages takes 40 ms to write. */
const writeAfterSaveMs = 1000;
const keptForMs = 30 * 24 * 60 * 60 * 1000;
/** Matches the file names of `#fileOf` and `write`. */
const named = /^[0-9a-f]{32}\.bundle(?:\.[0-9a-f-]{36})?$/;

/** A folder of bundles for later processes. Its files may be deleted, damaged or out of date at any time. */
export class DiskCache {
  readonly #folder: string;
  /** By key: a later bundle of the same function replaces an earlier one. */
  #waiting = new Map<string, Kept>();
  #timer: NodeJS.Timeout | undefined;
  #swept = false;
  /** Whether the folder did not exist at first: then nothing in it comes from an earlier process. */
  #begunHere: boolean | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @returns undefined if there is none, or it is damaged */
  read(key: readonly unknown[]): Kept | undefined {
    // A first start has no cache, so the parts of its file names are not computed before the first answer.
    this.#begunHere ??= !existsSync(this.#folder);
    if (this.#begunHere) return undefined;
    try {
      return parse(readFileSync(this.#fileOf(JSON.stringify(key))), placeOfFolder(this.#folder));
    } catch {
      return undefined;
    }
  }

  /**
   * Writes the bundle a moment later. If the disk is full or read-only, the next process just takes longer.
   * @param isSave whether this process has built the function before
   */
  write(key: readonly unknown[], kept: Kept, isSave: boolean): void {
    this.#waiting.set(JSON.stringify(key), kept);
    this.#timer ??= setTimeout(() => this.settle(), isSave ? writeAfterSaveMs : writeAfterMs);
  }

  /** Writes what is pending, synchronously: for a hundred small files, switching threads takes many times longer than writing. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.size === 0) return;
    quietly(() => this.#makeFolders());
    quietly(() => {
      const place = placeOfFolder(this.#folder);
      for (const [key, kept] of this.#waiting) quietly(() => write(this.#fileOf(key), print(kept, place)));
    });
    this.#waiting.clear();
    if (this.#swept) return;
    this.#swept = true;
    // Files that were not written for a month are removed: functions get deleted and tools updated.
    quietly(() => removeOldFiles(this.#folder, keptForMs, named));
  }

  #fileOf(key: string): string {
    return join(this.#folder, `${sha256Hex(JSON.stringify([format, toolStamp(), key])).slice(0, 32)}.bundle`);
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

/** Ignores failures: without the cache everything works, only slower. */
function quietly(work: () => void): void {
  try {
    work();
  } catch {}
}

/** Their order is that of a file. */
function textsOf(bundle: Bundle): (PackedText | undefined)[] {
  const { probe } = bundle;
  return [
    PackedText.in(bundle, 'code'),
    PackedText.in(bundle, 'sourceMap'),
    PackedText.in(bundle, 'css'),
    probe && PackedText.in(probe, 'code'),
    probe && PackedText.in(probe, 'sourceMap'),
  ];
}

function print({ bundle, stamps }: Kept, place: string): Buffer {
  const texts = textsOf(bundle);
  const body = Buffer.concat(texts.flatMap((text) => text?.bytes ?? []));
  const { name, id, bytes, inputs, warnings, probe } = bundle;
  const header: Header = {
    place,
    body: sha256Hex(body),
    name,
    id,
    inputs,
    warnings,
    stamps,
    probeId: probe?.id ?? null,
    bytes,
    texts: texts.map((text) => (text ? { length: text.bytes.length, isDeflated: text.isDeflated } : null)),
  };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

/** The texts are decompressed when they are read: a list of functions needs none of them. */
function parse(file: Buffer, place: string): Kept | undefined {
  const end = file.indexOf(10);
  const header = JSON.parse(file.toString('utf8', 0, end)) as Header; // our own writing; the body's hash says whether it is whole
  const body = file.subarray(end + 1);
  if (header.place !== place || sha256Hex(body) !== header.body) return undefined;
  let at = 0;
  const properties = header.texts.map((text) => {
    if (text === null) return undefined;
    at += text.length;
    return new PackedText(body.subarray(at - text.length, at), text.isDeflated).property;
  });
  const [code, sourceMap, css, probeCode, probeMap] = properties;
  if (!code || !sourceMap) return undefined;
  const { name, id, bytes, inputs, warnings, stamps, probeId } = header;
  const probe = probeId !== null && probeCode && probeMap && { id: probeId };
  const bundle = {
    name,
    id,
    bytes,
    inputs,
    warnings,
    ...(probe && { probe: Object.defineProperties(probe, { code: probeCode, sourceMap: probeMap }) }),
  };
  return { bundle: Object.defineProperties(bundle, { code, sourceMap, ...(css && { css }) }) as Bundle, stamps };
}

/**
 * A text that changes with this package, so that bundles of another version are not used. It is the manifest's text, which contains the
 * version (installed files all have the same times); when run from source, times and sizes of the files show edits.
 */
const toolStamp = lazy((): string => {
  const folders = isBuilt ? ['dist/bundle/shims'] : ['src/bundle', 'src/bundle/node', 'src/bundle/shims'];
  return sha256Hex(
    [
      readFileSync(packageFile('package.json'), 'utf8'),
      ...folders.flatMap((folder) => filesIn(packageFile(folder))).map(stampOf),
    ].join(),
  );
});

function filesIn(folder: string): string[] {
  return readdirSync(folder).map((name) => join(folder, name));
}
