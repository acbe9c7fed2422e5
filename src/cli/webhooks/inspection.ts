import { explainSignature, isRecord } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { writeUserFile } from '../values/write-file.ts';
import type { Forwarded, Forwarder } from './forwarder.ts';

/** What the keys of `fn webhook listen` do, with the last attempt. */
export class Inspection {
  readonly #context: Context;
  readonly #secret: string;
  #last: Forwarded | undefined;

  constructor(context: Context, secret: string) {
    this.#context = context;
    this.#secret = secret;
  }

  note(forwarded: Forwarded): void {
    this.#last = forwarded;
  }

  keys(forwarder: Forwarder, quit: () => void): Readonly<Record<Key, () => void>> {
    const { io } = this.#context;
    const withLast = (show: (last: Forwarded) => void) => () =>
      this.#last === undefined ? io.err('Nothing has been forwarded yet.') : show(this.#last);
    return {
      r: () => {
        const waited = forwarder.retryNow();
        if (waited > 0) return io.err(`${waited} waited; trying now`);
        withLast(({ listened }) => forwarder.again(listened))();
      },
      d: withLast((last) => io.err(detailsOf(last))),
      c: withLast((last) => io.err(curlOf(last))),
      v: withLast((last) => io.err(signatureOf(last, this.#secret))),
      t: withLast((last) => void this.#save(last)),
      q: quit,
      '?': () => {
        for (const [key, does] of Object.entries(keyHelp)) io.err(`  ${io.errStyle.bold(key)}  ${does}`);
      },
    };
  }

  async #save({ listened: { event } }: Forwarded): Promise<void> {
    const { io } = this.#context;
    const root = (await this.#context.project())?.root ?? this.#context.cwd;
    const text = `${JSON.stringify(event, null, 2)}\n`;
    for (let number = 1; number <= maxSaved; number++) {
      const file = `fixtures/events/${event.type}${number === 1 ? '' : `-${number}`}.json`;
      try {
        await writeUserFile({ ...this.#context, cwd: root }, file, text, false);
        return io.err(`Saved: ${file}. A function gets it with: fn invoke NAME -d @${file}`);
      } catch (error) {
        const isTaken = isRecord(error) && error['code'] === 'file_exists';
        if (!isTaken) return io.err(error instanceof Error ? error.message : String(error));
      }
    }
    io.err(`There are ${maxSaved} of this kind in fixtures/events already.`);
  }
}

const maxSaved = 100;

const keyHelp = {
  r: 'make the next attempts now; if none waits, send the last event again',
  d: 'details of the last attempt',
  c: 'the last attempt as a curl command',
  v: 'what is signed, to find out why a receiver refuses it',
  t: 'save the last event as a fixture',
  q: 'quit',
  '?': 'this list',
} as const;

type Key = keyof typeof keyHelp;

function detailsOf({ listened: { event }, url, attempt, decision }: Forwarded): string {
  const { requestHeaders, answer, status, error } = attempt;
  const lines = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  return [
    `POST ${url}`,
    ...lines(requestHeaders),
    '',
    JSON.stringify(event, null, 2).replaceAll(/^/gm, '  '),
    '',
    status === undefined ? `No answer: ${error?.message ?? 'unknown'}` : `Answer ${status}`,
    ...(answer === undefined ? [] : [...lines(answer.headers), ...(answer.body === '' ? [] : ['', answer.body])]),
    decision.reason,
  ].join('\n');
}

function curlOf({ url, attempt }: Forwarded): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const headers = Object.entries(attempt.requestHeaders).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = `--data-raw ${quoted(Buffer.from(attempt.body).toString())}`;
  return ['curl', quoted(url), ...headers, body].join(' \\\n  ');
}

/** Facts with which a receiver's own check can be compared, and what receivers usually do wrong. */
function signatureOf({ attempt }: Forwarded, secret: string): string {
  const { requestHeaders, body, status } = attempt;
  const verified = explainSignature({ headers: requestHeaders, body: Buffer.from(body) }, { secrets: [secret] });
  const start = `${requestHeaders['webhook-id']}.${requestHeaders['webhook-timestamp']}.`;
  return [
    verified.isValid ? 'The signature fits the secret of this listener.' : `${verified.message}. ${verified.hint}`,
    `  secret     …${secret.slice(-6)} (--print-secret shows it)`,
    `  signed     ${start}BODY, with a body of ${body.length} bytes`,
    `  signature  ${requestHeaders['webhook-signature']}`,
    ...(status === undefined || status < 400 ? [] : [`The receiver answered ${status}. If it refused the signature:`]),
    ...(status === undefined || status < 400 ? [] : usualMistakes.map((one) => `  - ${one}`)),
  ].join('\n');
}

const usualMistakes = [
  'it has the secret of an endpoint, or of another listener',
  'it verifies a body that was parsed and written again, not the bytes that arrived',
  'it uses the text of the secret as the key, not the base64 behind whsec_ decoded',
  'fn webhook verify tells exactly, from the headers and the body that it got',
] as const;
