import { InterruptedError } from '../std/index.ts';
import { ownId } from './protocol.ts';

export interface WaitingOptions {
  /** Whether the program pauses at its first line. */
  readonly stops: boolean;
  /** Aborted when nothing waits any more. */
  readonly signal: AbortSignal;
  /** Called when a debugger can attach. */
  onWaiting(place: WaitingPlace): void;
}

export interface WaitingPlace {
  /** Name of the program. */
  readonly name: string;
  readonly port: number;
  /** `ws://…` */
  readonly url: string;
}

/** Line and column, both from 0. */
export interface ScriptLine {
  readonly url: string;
  readonly lineNumber: number;
}

/** Every debugger sends this once it has set its breakpoints. */
const goOn = 'Runtime.runIfWaitingForDebugger';

/** Holds back the first program until its debugger lets it run. Programs that it calls are not held back. */
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
   * @param tell sends a message to the program's isolate, as its debugger would
   */
  hear(program: string, message: string, first: () => ScriptLine, tell: (message: string) => void): void {
    if (!this.holds(program) || !message.includes(goOn)) return;
    // A pause request would be lost: the next code to run is ours, where debuggers do not stop.
    if (this.#options.stops)
      tell(JSON.stringify({ id: ownId, method: 'Debugger.setBreakpointByUrl', params: first() }));
    this.#isReleased = true;
    this.#gone.resolve();
  }
}
