import { existsSync } from 'node:fs';
import { type FunctionFile, listFunctionFiles, type Project } from '../../../project/index.ts';
import { type FnError, monotonicMs, ProjectError, wait } from '../../../std/index.ts';
import type { LoadedFunction } from '../function-source.ts';
import { type FunctionOnDisk, guessKind, type Scratch } from './function-loader.ts';

/** A function of the folder, with its build state. */
export interface Entry extends FunctionOnDisk {
  kind: FunctionOnDisk['kind'];
  good?: LoadedFunction;
  /** The same, marked, while what is on disk does not build or load. */
  stale?: LoadedFunction;
  /** Id of the program that was last loaded for its config: the function's own, that of a failed save, or a view's probe. */
  described?: string;
  problem?: FnError;
  loading?: Promise<LoadedFunction>;
  built: boolean;
}

interface FolderChanges {
  added(name: string): void;
  /** The file is gone, or another file has its name now. */
  forget(entry: Entry): Promise<void>;
  removed(name: string): void;
}

/** How long a file may be missing during a save: some editors move it away before they write the new one. */
const goneAfterMs = 150;

/** The functions in an app's folder as of the last scan. Builds nothing. */
export class FunctionFolder {
  #project: Project;
  readonly #scratch: Scratch | undefined;
  readonly #changes: FolderChanges;
  #entries: ReadonlyMap<string, Entry> | undefined;
  #scanning: Promise<ReadonlyMap<string, Entry>> | undefined;
  /** When a function was first found missing, by name. */
  readonly #goneAt = new Map<string, number>();

  constructor(project: Project, scratch: Scratch | undefined, changes: FolderChanges) {
    this.#project = project;
    this.#scratch = scratch;
    this.#changes = changes;
  }

  set project(project: Project) {
    this.#project = project;
  }

  /** The function as of the last scan; undefined if there was no scan, or no such function. */
  known(name: string): Entry | undefined {
    return this.#entries?.get(name);
  }

  /**
   * Finds a function, which may have just been written.
   * @throws ProjectError `function_unknown` if it does not exist and does not appear within the time that a save takes
   */
  async find(name: string): Promise<Entry> {
    const known = (await this.scan()).get(name);
    if (known) return known;
    await this.#scanning?.catch(() => {}); // it began before now, and the file may have been written since
    for (;;) {
      const fresh = (await this.rescan()).get(name);
      if (fresh) return fresh;
      if (monotonicMs() - (this.#goneAt.get(name) ?? Number.NEGATIVE_INFINITY) > goneAfterMs) break;
      await wait(5);
    }
    throw unknownFunction(name);
  }

  /**
   * Waits for a file that was missing when it was to be read.
   * @returns the function once its file is back, or a function in another language that has replaced it
   * @throws ProjectError `function_unknown` if the file does not come back
   */
  async back(entry: Entry): Promise<Entry> {
    const until = monotonicMs() + goneAfterMs;
    while (monotonicMs() < until) {
      await wait(5);
      if (existsSync(entry.file.file)) return entry;
    }
    const now = (await this.rescan()).get(entry.file.name);
    if (now && now !== entry) return now;
    throw unknownFunction(entry.file.name);
  }

  /** The functions by name. Scans only if there was no scan yet. */
  scan(): Promise<ReadonlyMap<string, Entry>> {
    return this.#entries ? Promise.resolve(this.#entries) : this.rescan();
  }

  /** @throws ProjectError if the folder cannot be listed (a bad name, two files with one path): the previous result stays */
  rescan(): Promise<ReadonlyMap<string, Entry>> {
    this.#scanning ??= this.#read().finally(() => {
      this.#scanning = undefined;
    });
    return this.#scanning;
  }

  async #read(): Promise<ReadonlyMap<string, Entry>> {
    const files = await this.#listFiles();
    const before = this.#entries;
    const entries = new Map<string, Entry>();
    for (const file of files) {
      const known = before?.get(file.name);
      const same = known && known.file.file === file.file;
      entries.set(file.name, same ? known : { file, kind: guessKind(file), built: false });
      this.#goneAt.delete(file.name);
      if (before && !known) this.#changes.added(file.name);
    }
    this.#entries = entries;
    for (const [name, entry] of before ?? []) {
      if (entries.get(name) !== entry) await this.#changes.forget(entry);
      if (entries.has(name)) continue;
      this.#goneAt.set(name, monotonicMs());
      this.#changes.removed(name);
    }
    return entries;
  }

  async #listFiles(): Promise<FunctionFile[]> {
    const scratch = this.#scratch;
    if (scratch?.alone) return [scratch.file];
    const files = await listFunctionFiles(this.#project);
    return scratch ? [...files.filter(({ name }) => name !== scratch.file.name), scratch.file] : files;
  }
}

function unknownFunction(name: string): ProjectError {
  return new ProjectError('function_unknown', `There is no function "${name}" in functions/`, {
    hint: 'Run "fn list" to see the functions, or "fn init" to create one.',
  });
}
