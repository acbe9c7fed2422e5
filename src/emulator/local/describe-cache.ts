import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Description, Program } from '../../sandbox/index.ts';

/** What is kept of a description: loading the program once more would give the same. */
export type KeptDescription = Pick<Description, 'config' | 'hasDefault'>;

/**
 * Remembers what loading a program said of it, by the hash of its code, so that a start does not load every bundle.
 * What cannot be read or written is simply described again.
 */
export class DescribeCache {
  readonly #folder: string | undefined;
  readonly #known = new Map<string, KeptDescription>();

  /** @param folder where descriptions are kept between processes; without: only in this one */
  constructor(folder?: string) {
    this.#folder = folder;
  }

  async of(program: Program, describe: () => Promise<Description>): Promise<KeptDescription> {
    const known = this.#known.get(program.id) ?? this.#read(program.id);
    if (known) return known;
    const { config, hasDefault } = await describe();
    const kept = { config, hasDefault };
    this.#known.set(program.id, kept);
    this.#write(program.id, kept);
    return kept;
  }

  #file(id: string): string | undefined {
    return this.#folder && join(this.#folder, `${id}.json`);
  }

  #read(id: string): KeptDescription | undefined {
    const file = this.#file(id);
    if (!file) return undefined;
    try {
      const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
      if (typeof kept !== 'object' || kept === null || !('config' in kept) || !('hasDefault' in kept)) return undefined;
      const description = { config: kept.config, hasDefault: kept.hasDefault === true };
      this.#known.set(id, description);
      return description;
    } catch {
      return undefined;
    }
  }

  #write(id: string, kept: KeptDescription): void {
    const file = this.#file(id);
    if (!file || !this.#folder) return;
    const staged = `${file}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(staged, JSON.stringify(kept));
      renameSync(staged, file);
    } catch {
      // A cache: the next start describes it again.
      try {
        rmSync(staged, { force: true });
      } catch {}
    }
  }
}
