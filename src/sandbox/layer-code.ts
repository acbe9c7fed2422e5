import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStamp, cacheFolder, makeFolders, removeOldFiles } from '../std/index.ts';

const keptForMs = 30 * 24 * 60 * 60 * 1000;
/** As `usual` names them, of whatever version, also those of a process that ended before it renamed its draft. */
const named = /^[0-9a-f]{16}-[0-9a-f]{16}-/;
const hashBytes = 32;

/**
 * What V8 made of the web layer, kept between processes: to read half a megabyte of text anew takes a child 15 ms. It is machine code, so it
 * lies in a folder that is the user's alone, and is taken only from a child that nobody's program has been told to yet.
 */
export class LayerCode {
  readonly #folder: string;
  readonly #file: string;
  #bytes: Uint8Array | undefined;
  #tried = false;

  /**
   * @param prelude the part of the text that the parent sends
   * @returns undefined where nothing may be kept: run from source, without a home, or with compile caches switched off
   */
  static usual(prelude: string, env = process.env): LayerCode | undefined {
    const folder = cacheFolder(env);
    if (buildStamp === undefined || folder === undefined || env['NODE_DISABLE_COMPILE_CACHE'] !== undefined)
      return undefined;
    const text = hashOf(prelude).toString('hex').slice(0, 16);
    return new LayerCode(join(folder, 'layer'), `${buildStamp}-${text}-${process.versions.v8}-${process.arch}`);
  }

  /** @param name changes with the text and with V8 */
  constructor(folder: string, name: string) {
    this.#folder = folder;
    this.#file = join(folder, name);
  }

  /** The cached code; undefined when there is none, it is damaged, or others could have written it. */
  get bytes(): Uint8Array | undefined {
    if (!this.#tried) this.#bytes = this.#read();
    this.#tried = true;
    return this.#bytes;
  }

  keep(bytes: Uint8Array): void {
    this.#bytes = bytes;
    const draft = `${this.#file}.${process.pid}`;
    try {
      makeFolders(this.#folder);
      if (process.platform !== 'win32') chmodSync(this.#folder, 0o700);
      writeFileSync(draft, Buffer.concat([hashOf(bytes), bytes]), { mode: 0o600, flag: 'wx' });
      renameSync(draft, this.#file);
      removeOldFiles(this.#folder, keptForMs, named); // what other versions of this package or of Node left
    } catch {
      // A cache: the next start makes it again.
      quietly(() => rmSync(draft, { force: true }));
    }
  }

  #read(): Uint8Array | undefined {
    try {
      if (!isOwn(this.#folder) || !isOwn(this.#file)) return undefined;
      const file = readFileSync(this.#file);
      const bytes = file.subarray(hashBytes);
      return hashOf(bytes).equals(file.subarray(0, hashBytes)) ? bytes : undefined;
    } catch {
      return undefined;
    }
  }
}

function isOwn(path: string): boolean {
  if (process.platform === 'win32') return true;
  const { uid, mode } = statSync(path);
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

function hashOf(bytes: Uint8Array | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {}
}
