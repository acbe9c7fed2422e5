import type { FunctionCoverage } from '../types.ts';
import type { Cell } from './cell.ts';
import { DebuggerSession } from './debugger-session.ts';

interface Answer {
  readonly id: number;
  readonly result?: { readonly result?: readonly { url: string; functions: FunctionCoverage[] }[] };
}

/** Only one request is open at a time, so its response arrives within a few tasks or never. */
const mostTasks = 100;

/** Lets V8 record which parts of the code in one isolate run, and how often. */
export class Coverage {
  readonly #cell: Cell;
  readonly #session: DebuggerSession;
  readonly #begun: Promise<unknown>;
  #answer: Answer | undefined;
  #lastId = 0;

  constructor(cell: Cell) {
    this.#cell = cell;
    this.#session = new DebuggerSession(cell, {
      response: (message) => {
        this.#answer = JSON.parse(message) as Answer;
      },
      notification: () => {},
    });
    this.#begun = this.#ask('Profiler.enable').then(() =>
      this.#ask('Profiler.startPreciseCoverage', { callCount: true, detailed: true }),
    );
  }

  /** Resolves when V8 records; code compiled after that is counted block by block. */
  get begun(): Promise<unknown> {
    return this.#begun;
  }

  /** Coverage of a script since the last call; undefined if the isolate is gone. */
  async take(url: string): Promise<FunctionCoverage[] | undefined> {
    const answer = await this.#ask('Profiler.takePreciseCoverage');
    return answer?.result?.result?.find((script) => script.url === url)?.functions;
  }

  async #ask(method: string, params: object = {}): Promise<Answer | undefined> {
    const id = ++this.#lastId;
    this.#session.say(JSON.stringify({ id, method, params }));
    for (let tasks = 0; tasks < mostTasks && !this.#cell.death; tasks++) {
      await this.#cell.entry(this.#cell.isolate.getHeapStatistics()).catch(() => {});
      if (this.#answer?.id === id) return this.#answer;
    }
    return undefined;
  }
}
