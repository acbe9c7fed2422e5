import { limits } from '../../contract/index.ts';
import type { FunctionOfApp, NewInvocation } from '../types.ts';

const { keptPerFunction, keptLogBytes } = limits.invocations;

type Make = () => NewInvocation;

interface Waiting {
  readonly make: Make;
  /** Size of its log. */
  readonly bytes: number;
}

/**
 * The records of one function that wait to be written: as many as would be kept; each further one replaces the oldest. Objects
 * that wait longer leave V8's young generation, and once dropped they stay in memory until a full garbage collection.
 */
export class WaitingRecords {
  readonly of: FunctionOfApp;
  #records: Waiting[] = [];
  #oldest = 0;
  #bytes = 0;

  constructor({ app, function: name }: FunctionOfApp) {
    this.of = { app, function: name };
  }

  get size(): number {
    return this.#records.length;
  }

  /** Size of the logs of all waiting records. */
  get bytes(): number {
    return this.#bytes;
  }

  add(make: Make, bytes = 0): void {
    this.#bytes += bytes;
    if (this.#records.length < keptPerFunction) this.#records.push({ make, bytes });
    else {
      this.#bytes -= this.#records[this.#oldest]?.bytes ?? 0;
      this.#records[this.#oldest] = { make, bytes };
      this.#oldest = (this.#oldest + 1) % keptPerFunction;
    }
    if (this.#bytes > 2 * keptLogBytes) this.#forget();
  }

  inOrder(): readonly Waiting[] {
    return [...this.#records.slice(this.#oldest), ...this.#records.slice(0, this.#oldest)];
  }

  #forget(): void {
    const records = this.inOrder();
    let from = records.length;
    let bytes = 0;
    for (; from > 0; from--) {
      const more = bytes + (records[from - 1]?.bytes ?? 0);
      if (more > keptLogBytes) break;
      bytes = more;
    }
    this.#records = records.slice(from);
    this.#oldest = 0;
    this.#bytes = bytes;
  }
}
