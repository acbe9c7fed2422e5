import type { ServerResponse } from 'node:http';
import { sendForEver, type Trouble } from './server.ts';

interface Event {
  readonly type: string;
  readonly [name: string]: unknown;
}

const toText = (event: Event): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** Who listens to the events of a session. They hear what happens from then on. */
export class EventListeners {
  readonly #responses = new Set<ServerResponse>();

  add(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    this.#responses.add(response);
    response.on('close', () => this.#responses.delete(response));
  }

  tell(event: Event): void {
    for (const response of this.#responses) response.write(toText(event));
  }

  /** Tells a text part by part. @returns whether it came to its end */
  speak(text: string, wrong: Trouble | undefined, toEvent: (delta: string) => Event): boolean {
    for (const part of piecesOf(text)) {
      this.tell(toEvent(part));
      if (wrong === 'stall') return false;
      for (const response of this.#responses) {
        if (wrong === 'cut') setImmediate(() => response.socket?.destroy());
        if (wrong === 'endless') sendForEver(response, toText(toEvent('more and ')));
      }
      if (wrong === 'cut' || wrong === 'endless') return false;
    }
    return true;
  }
}

/** Word by word, but a very long one in parts. */
export const piecesOf = (text = ''): string[] => text.match(/[\s\S]{1,20000}?(?:\s|$)|[\s\S]{1,20000}/g) ?? [];
