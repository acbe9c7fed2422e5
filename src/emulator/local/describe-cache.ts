import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Description, Program } from '../../sandbox/index.ts';
import { isRecord, makeFolder, placeOfFolder } from '../../std/index.ts';

/** What is kept of a description: loading the program once more would give the same. */
export type KeptDescription = Pick<Description, 'config' | 'hasDefault'>;

/** What the file holds. */
interface File {
  readonly place: string;
  readonly kept: Readonly<Record<string, unknown>>;
}

/** So that the answer which waits for a description goes first, and many are written in one go. */
const writeAfterMs = 200;
/** Older ones are described again. */
const mostKept = 2_000;

/**
 * Remembers what loading a program said of it, by the hash of its code, so that a start does not load every bundle.
 * What cannot be read or written is simply described again; so is what came with the app from elsewhere: it could say of a function that
 * anybody may call it.
 */
export class DescribeCache {
  readonly #file: string | undefined;
  /** The ones used last at the end. */
  readonly #known = new Map<string, KeptDescription>();
  #read = false;
  #timer: NodeJS.Timeout | undefined;

  /** @param file where descriptions are kept between processes; without: only in this one */
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

  /** As the one used last; the one that was not used for longest makes room, or each save would stay for as long as the process lives. */
  #keep(id: string, kept: KeptDescription): KeptDescription {
    this.#known.delete(id);
    this.#known.set(id, kept);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
    return kept;
  }

  /** Writes what waits. */
  settle(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const file = this.#file;
    if (file === undefined) return;
    // What another process has written meanwhile stays.
    const all = [...new Map([...this.#kept(), ...this.#known])].slice(-mostKept);
    const draft = `${file}.${process.pid}`;
    try {
      makeFolder(dirname(file));
      const content: File = { place: placeOfFolder(dirname(file)), kept: Object.fromEntries(all) };
      writeFileSync(draft, JSON.stringify(content), { flag: 'wx' });
      renameSync(draft, file);
    } catch {
      // A cache: the next start describes them again.
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
