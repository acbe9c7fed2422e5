import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeSigningSecret, explainSignature, isRecord, LimitError, newSigningSecret } from '../std/index.ts';
import { Arrivals, maxWaitMs } from './arrivals.ts';
import { told } from './failure.ts';
import type { ReceivedWebhook, ReceiverOptions, TestReceiver } from './types.ts';
import { checkOptionNames } from './unknown-name.ts';

const maxBodyBytes = 1024 * 1024;

/**
 * Starts a webhook receiver on 127.0.0.1, on a port that the machine chooses.
 * @throws UsageError for an unknown option or a secret that is none
 */
export function aReceiver(options: ReceiverOptions = {}): Promise<TestReceiver> {
  return told(async () => {
    checkOptionNames(options, optionNames);
    const receiver = new Receiver(options);
    await receiver.listen();
    return receiver;
  });
}

const optionNames = Object.keys({ secret: true, answer: true } satisfies Record<keyof ReceiverOptions, true>);

class Receiver implements TestReceiver {
  readonly secret: string;
  readonly received: ReceivedWebhook[] = [];
  readonly refused: { readonly reason: string; readonly body: string }[] = [];
  url = '';
  readonly #answer: ReceiverOptions['answer'];
  readonly #server: Server;
  readonly #arrivals = new Arrivals<ReceivedWebhook>(({ event }) => event.type);
  readonly #thrown: unknown[] = [];

  constructor({ secret = newSigningSecret(), answer }: ReceiverOptions) {
    decodeSigningSecret(secret);
    this.secret = secret;
    this.#answer = answer;
    this.#server = process.getBuiltinModule('node:http').createServer((request, response) => {
      this.#respond(request, response).catch((error: unknown) => {
        this.#thrown.push(error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    // A test that does not close it still ends.
    this.#server.unref();
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  next(pattern?: string): Promise<ReceivedWebhook> {
    return told(() => this.#arrivals.next(pattern, () => this.#missing(pattern)));
  }

  async close(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    const [thrown] = this.#thrown.splice(0);
    if (thrown !== undefined) throw thrown;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405, { allow: 'POST' }).end();
    const bytes = await readBody(request);
    // It was cut: whoever sent it tries again.
    if (bytes === 'cut') return;
    if (bytes === 'too large') {
      this.#refuse(`The body is larger than ${maxBodyBytes} bytes`, '');
      return void response.writeHead(413, { connection: 'close' }).end();
    }
    const body = bytes.toString('utf8');
    const verified = explainSignature({ headers: request.headers, body: bytes }, { secrets: [this.secret] });
    if (!verified.isValid) {
      this.#refuse(`${verified.message}. ${verified.hint}`, body);
      return void response.writeHead(401).end();
    }
    const event = readEvent(body);
    if (event === undefined) {
      this.#refuse('The body is not a JSON object with a type', body);
      return void response.writeHead(400).end();
    }
    const webhook: ReceivedWebhook = { id: verified.id, event, headers: headersOf(request), body };
    this.received.push(webhook);
    this.#arrivals.add(webhook);
    const answer = await this.#answer?.(webhook);
    if (!(answer instanceof Response)) return void response.writeHead(answer ?? 204).end();
    const content = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, [...answer.headers].flat()).end(content);
  }

  #refuse(reason: string, body: string): void {
    this.refused.push({ reason, body });
  }

  #missing(pattern: string | undefined): LimitError {
    const came = this.received.map(({ event }) => event.type).join(', ') || 'nothing';
    const refused = this.refused.map(({ reason }) => ` One was refused: ${reason}`).slice(0, 3);
    return new LimitError(
      'webhook_missing',
      `No ${pattern ?? 'further'} webhook has come within ${maxWaitMs / 1000} s`,
      { hint: `Received so far: ${came}.${refused.join('')}` },
    );
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too large' | 'cut'> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes <= maxBodyBytes) chunks.push(chunk);
    }
  } catch {
    return 'cut';
  }
  return bytes > maxBodyBytes ? 'too large' : Buffer.concat(chunks);
}

function readEvent(body: string): ReceivedWebhook['event'] | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) && typeof value['type'] === 'string' ? (value as ReceivedWebhook['event']) : undefined;
  } catch {
    return undefined;
  }
}

function headersOf(request: IncomingMessage): Record<string, string> {
  const entries = Object.entries(request.headersDistinct);
  return Object.fromEntries(entries.map(([name, values = []]) => [name, values.join(', ')]));
}
