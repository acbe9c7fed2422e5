import type { Base } from './base.ts';
import { Cell } from './cell.ts';
import { FirstLoads } from './first-loads.ts';
import { mostParts } from './habits.ts';
import type { Room } from './room.ts';

/** A cell without a program, with a context in which all of our code has run. */
export interface Newborn {
  cell: Cell;
  room: Room | undefined;
}

const usualMemoryMb = 128;

/** Keeps one cell ready, so that a program's first answer after a save does not wait for layer and prelude. */
export class Nursery {
  readonly firstLoads = new FirstLoads();
  readonly #base: Base;
  readonly #inspect: boolean;
  readonly #coverage: boolean;
  readonly #onStuck: (reason: 'timeout' | 'memory') => void;
  #spare: Promise<Newborn> | undefined;
  /** Late parts of the layer that are compiled in new isolates. */
  readonly #learnt = new Set<string>();

  constructor(
    base: Base,
    { inspect, coverage }: { inspect: boolean; coverage: boolean },
    onStuck: (reason: 'timeout' | 'memory') => void,
  ) {
    this.#base = base;
    this.#inspect = inspect;
    this.#coverage = coverage;
    this.#onStuck = onStuck;
  }

  /** Creates the spare cell if there is none. Resolves when it exists, or could not be created. */
  prepare(): Promise<void> {
    this.#spare ??= this.#make(usualMemoryMb);
    return this.#spare.then(
      () => {},
      () => {
        this.#spare = undefined;
      },
    );
  }

  async take(memoryMb: number): Promise<Newborn> {
    const spare = memoryMb === usualMemoryMb ? this.#spare : undefined;
    if (!spare) return this.#make(memoryMb);
    this.#spare = undefined;
    return spare;
  }

  /** @param used late parts of the layer that a program used, separated by spaces; reported by a context, so not trusted */
  learn(cell: Cell, used: string): void {
    if (this.#inspect || this.#coverage || this.#learnt.size >= mostParts) return;
    const parts = used.split(' ', mostParts).filter((part) => !this.#learnt.has(part));
    if (parts.length === 0) return;
    for (const part of parts) this.#learnt.add(part);
    void cell.entry(this.#base.learn(cell.isolate)).catch(() => {});
  }

  async #make(memoryMb: number): Promise<Newborn> {
    const cell = new Cell(this.#base, {
      memoryMb,
      inspect: this.#inspect,
      coverage: this.#coverage,
      onStuck: this.#onStuck,
    });
    return { cell, room: await cell.room() };
  }
}
