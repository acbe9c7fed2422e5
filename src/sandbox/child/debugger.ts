import { ownId } from '../protocol.ts';
import type { Cell } from './cell.ts';
import { DebuggerSession } from './debugger-session.ts';
import type { Session } from './session.ts';

/** Matches our own code in an isolate (child/base.ts). Debuggers step over it, and do not stop at errors that it throws and catches. */
const ownCode = '^fn:sandbox';

/** Passes Chrome DevTools Protocol messages between one isolate and a client, which is connected to the parent process. */
export class Debugger {
  readonly #say: (message: string) => void;
  #cell: Cell | undefined;
  #session: Session | undefined;
  #client: DebuggerSession | undefined;
  #paused = false;
  /** Messages that arrived before there was an isolate. */
  #early: string[] = [];

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  attach(cell: Cell | undefined): void {
    const attached = this.#client !== undefined;
    this.#disconnect();
    this.#cell = cell;
    if (attached) this.#say('');
    for (const message of this.#early.splice(0)) this.receive(message);
  }

  /** The session's clock stops while the debugger has the isolate paused. */
  watch(session: Session | undefined): void {
    this.#session = session;
    if (this.#paused) session?.guard.pause();
  }

  /** @param message null when the client has disconnected */
  receive(message: string | null): void {
    if (message === null) {
      this.#early = [];
      this.#disconnect();
      return;
    }
    if (!this.#cell) {
      this.#early.push(message);
      return;
    }
    this.#client ??= this.#connect(this.#cell);
    this.#client.say(withOwnCodeHidden(message));
    if (methodOf(message) === 'Debugger.enable') this.#client.say(hidingOwnCode(ownId, []));
  }

  #connect(cell: Cell): DebuggerSession {
    return new DebuggerSession(cell, {
      response: this.#say,
      notification: (message) => {
        if (message.startsWith('{"method":"Debugger.paused"')) this.#hold(true);
        else if (message.startsWith('{"method":"Debugger.resumed"')) this.#hold(false);
        this.#say(message);
      },
    });
  }

  #hold(paused: boolean): void {
    this.#paused = paused;
    if (paused) this.#session?.guard.pause();
    else this.#session?.guard.resume();
  }

  #disconnect(): void {
    this.#hold(false);
    this.#client?.leave();
    this.#client = undefined;
  }
}

/** A client that sets its own patterns would replace ours, so ours are added. */
function withOwnCodeHidden(message: string): string {
  if (methodOf(message) !== 'Debugger.setBlackboxPatterns') return message;
  const { id, params } = JSON.parse(message) as { id: number; params?: { patterns?: unknown } };
  return Array.isArray(params?.patterns) ? hidingOwnCode(id, params.patterns) : message;
}

function hidingOwnCode(id: number, patterns: readonly unknown[]): string {
  const params = { patterns: [ownCode, ...patterns] };
  return JSON.stringify({ id, method: 'Debugger.setBlackboxPatterns', params });
}

/** The method, if it is one of the two that matter here. Most messages are not parsed. */
function methodOf(message: string): string | undefined {
  if (!/"Debugger\.(?:enable|setBlackboxPatterns)"/.test(message)) return undefined;
  try {
    return (JSON.parse(message) as { method?: string }).method;
  } catch {
    return undefined;
  }
}
