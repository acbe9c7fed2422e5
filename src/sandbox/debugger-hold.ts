import { InterruptedError } from '../std/index.ts';
import { ownId } from './protocol.ts';

export interface WaitingOptions {
  /** At the program's first line it stops. */
  readonly stops: boolean;
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** A debugger can attach now. */
  onWaiting(place: WaitingPlace): void;
}

export interface WaitingPlace {
  /** Of the program. */
  readonly name: string;
  readonly port: number;
  /** `ws://…` */
  readonly url: string;
}

/** From 0. */
export interface ScriptLine {
  readonly url: string;
  readonly lineNumber: number;
}

/** The message that each debugger sends when it has set its breakpoints. */
const goOn = 'Runtime.runIfWaitingForDebugger';

/** Holds the first program that is to run until its debugger lets it go. Those that it calls run as ever. */
export class DebuggerHold {
  readonly #options: WaitingOptions;
  readonly #gone = Promise.withResolvers<void>();
  #program: string | undefined;
  #isReleased = false;
  #isSaid = false;

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  holds(program: string): boolean {
    this.#program ??= program;
    return program === this.#program && !this.#isReleased;
  }

  /** @throws InterruptedError */
  async released(place: WaitingPlace): Promise<void> {
    const { signal, onWaiting } = this.#options;
    signal.throwIfAborted();
    if (!this.#isSaid) onWaiting(place);
    this.#isSaid = true;
    const stop = () => this.#gone.reject(new InterruptedError('interrupted', 'Stopped'));
    signal.addEventListener('abort', stop, { once: true });
    try {
      await this.#gone.promise;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /**
   * @param first the first line of the program's own source
   * @param tell says something to the program's isolate, as its debugger does
   */
  hear(program: string, message: string, first: () => ScriptLine, tell: (message: string) => void): void {
    if (!this.holds(program) || !message.includes(goOn)) return;
    // To pause would be forgotten: the code that comes next is ours, where nobody may stop.
    if (this.#options.stops)
      tell(JSON.stringify({ id: ownId, method: 'Debugger.setBreakpointByUrl', params: first() }));
    this.#isReleased = true;
    this.#gone.resolve();
  }
}
