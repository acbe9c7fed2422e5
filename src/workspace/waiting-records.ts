import { limits } from '../contract/index.ts';
import type { FunctionOfApp, NewInvocation } from './types.ts';

const { keptPerFunction } = limits.invocations;

type Make = () => NewInvocation;

/**
 * The records of one function that wait to be written: as many as would be kept, each further one in the place of the oldest. What
 * waits any longer is no young object any more when it is dropped, and stays until V8 looks through everything.
 */
export class WaitingRecords {
  readonly of: FunctionOfApp;
  readonly #makes: Make[] = [];
  #oldest = 0;

  constructor({ app, function: name }: FunctionOfApp) {
    this.of = { app, function: name };
  }

  get size(): number {
    return this.#makes.length;
  }

  add(make: Make): void {
    if (this.#makes.length < keptPerFunction) this.#makes.push(make);
    else {
      this.#makes[this.#oldest] = make;
      this.#oldest = (this.#oldest + 1) % keptPerFunction;
    }
  }

  inOrder(): readonly Make[] {
    return [...this.#makes.slice(this.#oldest), ...this.#makes.slice(0, this.#oldest)];
  }
}
