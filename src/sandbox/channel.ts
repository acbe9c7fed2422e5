import type { Serializable } from 'node:child_process';

/**
 * Sends several small messages as one: whatever is said in one turn of the event loop leaves in one write.
 * A message costs some 30 µs of the pipe, an array of ten hardly more.
 */
export class Batch<Message extends Serializable> {
  #waiting: Message[] = [];
  readonly #send: (messages: Message[]) => void;

  constructor(send: (messages: Message[]) => void) {
    this.#send = send;
  }

  post(message: Message): void {
    this.#waiting.push(message);
    if (this.#waiting.length === 1) queueMicrotask(() => this.flush());
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    const messages = this.#waiting;
    this.#waiting = [];
    this.#send(messages);
  }
}
