import { refusal } from '../../contract/index.ts';
import { codeOf, sha256Hex } from '../../std/index.ts';
import { diskFull } from '../database/failure.ts';

/** Conditions that a stream must fulfil to be stored, checked while it arrives. */
export interface Expectation {
  /** More bytes than this are refused as soon as they arrive. */
  readonly mostBytes: number;
  readonly tooLarge: () => Error;
  /** Checks the first bytes (up to 512, or all there are); throws to refuse. */
  readonly begins?: (head: Uint8Array) => void;
  /** Checks the whole before it is stored. */
  readonly ends?: (whole: { sha256: string; bytes: number }) => void;
}

/** Stores bytes by their hash: written once, never changed. */
export interface FileStore {
  /** @throws MachineError disk_full; and whatever the expectation or the body throws */
  receive(body: AsyncIterable<Uint8Array>, expectation: Expectation): Promise<{ sha256: string; bytes: number }>;
  /** @throws WorkspaceError file_not_found */
  read(sha256: string): Promise<Uint8Array>;
  has(sha256: string): Promise<boolean>;
  /** Removes synchronously, so that a file written later cannot be hit. */
  remove(sha256: string): void;
}

const headBytes = 512;

/** The system's codes for a full disk, and for one on which this user may take no more room. */
const noRoom: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

export function openFiles(folder: string | null): FileStore {
  return folder === null ? new MemoryFiles() : new FolderFiles(folder);
}

/** Passes a stream on while counting, hashing and checking it. */
async function judged(
  body: AsyncIterable<Uint8Array>,
  expectation: Expectation,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<{ sha256: string; bytes: number }> {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  let bytes = 0;
  let head = Buffer.alloc(0);
  let judgedHead = expectation.begins === undefined;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > expectation.mostBytes) throw expectation.tooLarge();
    if (!judgedHead) {
      head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      if (head.length >= headBytes) {
        expectation.begins?.(head);
        judgedHead = true;
      }
    }
    hash.update(chunk);
    await write(chunk);
  }
  if (!judgedHead) expectation.begins?.(head);
  const whole = { sha256: hash.digest('hex'), bytes };
  expectation.ends?.(whole);
  return whole;
}

class MemoryFiles implements FileStore {
  readonly #files = new Map<string, Uint8Array>();

  async receive(body: AsyncIterable<Uint8Array>, expectation: Expectation): Promise<{ sha256: string; bytes: number }> {
    const chunks: Uint8Array[] = [];
    const whole = await judged(body, expectation, async (chunk) => {
      chunks.push(Uint8Array.from(chunk));
    });
    this.#files.set(whole.sha256, Buffer.concat(chunks));
    return whole;
  }

  async read(sha256: string): Promise<Uint8Array> {
    const bytes = this.#files.get(sha256);
    if (bytes === undefined) throw refusal('file_not_found');
    return bytes;
  }

  async has(sha256: string): Promise<boolean> {
    return this.#files.has(sha256);
  }

  remove(sha256: string): void {
    this.#files.delete(sha256);
  }
}

class FolderFiles implements FileStore {
  readonly #folder: string;
  #swept = false;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async receive(body: AsyncIterable<Uint8Array>, expectation: Expectation): Promise<{ sha256: string; bytes: number }> {
    try {
      return await this.#write(body, expectation);
    } catch (error) {
      throw noRoom.has(codeOf(error) ?? '') ? diskFull(this.#folder, error) : error;
    }
  }

  async #write(body: AsyncIterable<Uint8Array>, expectation: Expectation): Promise<{ sha256: string; bytes: number }> {
    const { mkdir, open, rename, rm } = process.getBuiltinModule('node:fs/promises');
    const { join, dirname } = process.getBuiltinModule('node:path');
    const { randomUUID } = process.getBuiltinModule('node:crypto');
    const arriving = join(this.#folder, 'arriving');
    this.#sweep(arriving);
    await mkdir(arriving, { recursive: true, mode: 0o700 });
    const temporary = join(arriving, randomUUID());
    const file = await open(temporary, 'wx', 0o600);
    try {
      let whole: { sha256: string; bytes: number };
      try {
        whole = await judged(body, expectation, async (chunk) => {
          await file.writeFile(chunk);
        });
        // The row that names the file is written afterwards, so a named file exists even after a power cut.
        await file.sync();
      } finally {
        await file.close();
      }
      const path = this.#pathOf(whole.sha256);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(temporary, path);
      return whole;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Removes, once, partial files of killed processes. This is safe because a workspace has one process at a time. */
  #sweep(arriving: string): void {
    if (this.#swept) return;
    process.getBuiltinModule('node:fs').rmSync(arriving, { recursive: true, force: true });
    this.#swept = true;
  }

  async read(sha256: string): Promise<Uint8Array> {
    const { readFile } = process.getBuiltinModule('node:fs/promises');
    let bytes: Uint8Array;
    try {
      bytes = await readFile(this.#pathOf(sha256));
    } catch (error) {
      throw refusal('file_not_found', undefined, { cause: error });
    }
    if (sha256Hex(bytes) !== sha256)
      throw refusal('file_hash_mismatch', `The stored file ${sha256} was changed on disk`);
    return bytes;
  }

  async has(sha256: string): Promise<boolean> {
    const { stat } = process.getBuiltinModule('node:fs/promises');
    return stat(this.#pathOf(sha256)).then(
      () => true,
      () => false,
    );
  }

  remove(sha256: string): void {
    process.getBuiltinModule('node:fs').rmSync(this.#pathOf(sha256), { force: true });
  }

  #pathOf(sha256: string): string {
    const { join } = process.getBuiltinModule('node:path');
    // A foreign database may contain any name.
    const name = /^[0-9a-f]{64}$/.test(sha256) ? sha256 : sha256Hex(sha256);
    return join(this.#folder, name.slice(0, 2), name);
  }
}
