import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Description, Program } from '../../../sandbox/index.ts';
import { isRecord, makeFolder, placeOfFolder } from '../../../std/index.ts';

/** The cached part of a description, which is the same at every load. */
export type KeptDescription = Pick<Description, 'config' | 'hasDefault'>;

/** Format of the file. */
interface File {
  readonly place: string;
  readonly kept: Readonly<Record<string, unknown>>;
}

/** Delay of writes, so that the waiting answer goes first, and many descriptions are written together. */
const writeAfterMs = 200;
/** How many are kept; older ones are described again. */
const mostKept = 2_000;

/**
 * Caches descriptions by the hash of the program's code, so that a start does not load every bundle. If the cache cannot be
 * read or written, programs are described again. So is anything in a cache that came with the app from elsewhere: it could
 * claim that a function is public.
 */
export class DescribeCache {
  readonly #file: string | undefined;
  /** Least recently used first. */
  readonly #known = new Map<string, KeptDescription>();
  #read = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param file where descriptions are kept between processes; undefined to keep them in memory only */
  constructor(file?: string) {
    this.#file = file;
  }

  async of(program: Program, describe: () => Promise<Description>): Promise<KeptDescription> {
    if (!this.#read) for (const [id, kept] of this.#kept()) this.#known.set(id, kept);
    this.#read = true;
    const known = this.#known.get(program.id);
    if (known) return this.#keep(program.id, known);
    const { config, hasDefault } = await describe();
    const kept = this.#keep(program.id, { config, hasDefault });
    if (this.#file !== undefined) this.#timer ??= setTimeout(() => this.settle(), writeAfterMs).unref();
    return kept;
  }

  /** Adds a description as the most recently used, and drops the oldest if necessary: otherwise every save would be kept for the life of the process. */
  #keep(id: string, kept: KeptDescription): KeptDescription {
    this.#known.delete(id);
    this.#known.set(id, kept);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
    return kept;
  }

  /** Writes what is pending. */
  settle(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const file = this.#file;
    if (file === undefined) return;
    // Keep what another process has written meanwhile.
    const all = [...new Map([...this.#kept(), ...this.#known])].slice(-mostKept);
    const draft = `${file}.${process.pid}`;
    try {
      makeFolder(dirname(file));
      const content: File = { place: placeOfFolder(dirname(file)), kept: Object.fromEntries(all) };
      writeFileSync(draft, JSON.stringify(content), { flag: 'wx' });
      renameSync(draft, file);
    } catch {
      // Only a cache: the next start describes them again.
      try {
        rmSync(draft, { force: true });
      } catch {}
    }
  }

  #kept(): [string, KeptDescription][] {
    if (this.#file === undefined) return [];
    try {
      const file: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      if (!isFile(file) || file.place !== placeOfFolder(dirname(this.#file))) return [];
      return Object.entries(file.kept).flatMap(([id, kept]) => (isKept(kept) ? [[id, kept]] : []));
    } catch {
      return [];
    }
  }
}

function isFile(value: unknown): value is File {
  return isRecord(value) && isRecord(value['kept']);
}

function isKept(value: unknown): value is KeptDescription {
  return isRecord(value) && 'config' in value && typeof value['hasDefault'] === 'boolean';
}
