import type { FunctionCoverage } from '../types.ts';
import type { Cell } from './cell.ts';
import { DebuggerSession } from './debugger-session.ts';

interface Answer {
  readonly id: number;
  readonly result?: { readonly result?: readonly { url: string; functions: FunctionCoverage[] }[] };
}

/** One question at a time is asked, so the isolate's answer is there a few tasks later, or never comes. */
const mostTasks = 100;

/** Has V8 count which parts of the code in one isolate run, and how often. */
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

  /** Resolves when coverage has begun: scripts compiled from then on are counted block by block. */
  get begun(): Promise<unknown> {
    return this.#begun;
  }

  /** Takes the coverage of a script since the last call; undefined when it can no longer be known. */
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
