import { once } from 'node:events';
import { WebSocket } from 'ws';

/** Whatever the protocol says; what a test reads of it, it checks. */
// biome-ignore lint/suspicious/noExplicitAny: messages of Chrome's protocol, whose shapes are not ours to declare
export type Message = Record<string, any>;

/** A debugger as an editor is one: requests by number, notifications by name. */
export class DebuggerClient {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, (value: Message) => void>();
  readonly #notices: { method: string; params: Message }[] = [];
  #waiting: (() => void)[] = [];
  #last = 0;

  constructor(url: string) {
    this.#socket = new WebSocket(url);
    this.#socket.on('message', (data) => {
      const message = JSON.parse(String(data));
      if (message.id !== undefined) this.#answers.get(message.id)?.(message.result ?? message.error);
      else this.#notices.push(message);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  async open(): Promise<this> {
    await once(this.#socket, 'open');
    return this;
  }

  ask(method: string, params: object = {}): Promise<Message> {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => this.#answers.set(id, resolve));
  }

  async notice(method: string, fits: (params: Message) => boolean = () => true): Promise<Message> {
    for (;;) {
      const index = this.#notices.findIndex((notice) => notice.method === method && fits(notice.params));
      if (index >= 0) return this.#notices.splice(index, 1)[0]?.params ?? {};
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  close(): void {
    this.#socket.close();
  }

  closed(): Promise<unknown> {
    return once(this.#socket, 'close');
  }
}
