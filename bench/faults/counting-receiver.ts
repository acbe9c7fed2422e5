import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { newSigningSecret, verifySignature } from '../../src/std/index.ts';
import { closing, listening } from '../../test/client/server.ts';

/** A status, or a way to fail. */
export type Treatment = number | 'cut' | 'silence';

interface MessageEvent {
  readonly id: string;
  readonly conversationId: string;
  readonly sequence: number;
  readonly data: { readonly message: { readonly id: string } };
}

/** A webhook receiver for hundreds of thousands of events of messages: it keeps a hash of each, and counts what is wrong. */
export class CountingReceiver {
  readonly secret = newSigningSecret();
  url = '';
  /** Ids of the events that were answered with 204. */
  readonly delivered = new Set<string>();
  arrived = 0;
  repeated = 0;
  refused = 0;
  outOfOrder = 0;
  changed = 0;
  badSignatures = 0;
  readonly #treat: () => Treatment;
  readonly #server: Server;
  readonly #hashes = new Map<string, string>();
  readonly #eventOf = new Map<string, string>();
  readonly #lastOf = new Map<string, number>();

  constructor(treat: () => Treatment) {
    this.#treat = treat;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => this.#take(request, response, Buffer.concat(chunks)));
      // The sender was killed in the middle of a request.
      request.on('error', () => {});
      response.on('error', () => {});
    });
  }

  async listen(): Promise<void> {
    this.url = `http://127.0.0.1:${await listening(this.#server)}/hook`;
  }

  close(): Promise<void> {
    return closing(this.#server);
  }

  #take(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    this.arrived++;
    if (!verifySignature({ headers: request.headers, body }, { secrets: [this.secret] }).isValid) this.badSignatures++;
    const { id, conversationId, sequence, data } = JSON.parse(body.toString()) as MessageEvent;
    const messageId = data.message.id;
    const hash = createHash('sha1').update(body).digest('base64');
    const before = this.#hashes.get(id);
    const isOther = request.headers['webhook-id'] !== id || (this.#eventOf.get(messageId) ?? id) !== id;
    if (isOther || (before ?? hash) !== hash) this.changed++;
    const last = this.#lastOf.get(conversationId) ?? 0;
    if (before !== undefined) this.repeated++;
    else if (sequence < last) this.outOfOrder++;
    this.#hashes.set(id, hash);
    this.#eventOf.set(messageId, id);
    this.#lastOf.set(conversationId, Math.max(sequence, last));
    this.#answer(request, response, id);
  }

  #answer(request: IncomingMessage, response: ServerResponse, id: string): void {
    const treatment = this.#treat();
    if (treatment === 204) this.delivered.add(id);
    else this.refused++;
    if (treatment === 'cut') request.socket.destroy();
    else if (treatment !== 'silence')
      response.writeHead(treatment, treatment === 429 ? { 'retry-after': '1' } : {}).end();
  }
}

export async function aCountingReceiver(treat: () => Treatment): Promise<CountingReceiver> {
  const receiver = new CountingReceiver(treat);
  await receiver.listen();
  return receiver;
}
