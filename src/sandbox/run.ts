import { messageOf, monotonicMs } from '../std/index.ts';
import { parseHostile } from './hostile-json.ts';
import { fetchesAtOnce, namedLeft, openBodies, recordedCalls } from './limits.ts';
import { OpenBodies, wholeBody } from './open-bodies.ts';
import type { FromChild, FromChildDone, Left, ToChild, WireFailure, WireLine } from './protocol.ts';
import type { Trace } from './trace.ts';
import type {
  Accounting,
  CacheMode,
  CallRecord,
  Failure,
  FetchRequest,
  Host,
  LogLine,
  Outcome,
  SdkErrorShape,
} from './types.ts';

type Ask = Extract<FromChild, { t: 'ask' }>;
type Answer = { error: string } | { json: string | undefined; bytes?: Uint8Array };
type OpenCall = { -readonly [Key in keyof CallRecord]: CallRecord[Key] };

const longCallMs = 5;
/** How many characters of a call's name and input the record keeps. */
const beginning = 8_192;
/** Total of inputs and answers that are kept for the record. */
const keptCharacters = 256 * 1024;

/** Connection to the child that runs the invocation. */
export interface ToRunning {
  post(message: ToChild): void;
  /** Resolves when the child has read what was written; undefined while it keeps up. */
  drained(): Promise<void> | undefined;
}

const nowhere: ToRunning = { post: () => {}, drained: () => undefined };

/** The parent's side of one invocation: answers the function's requests and keeps the record. */
export class Run {
  readonly invocation: number;
  readonly #host: Host;
  readonly #trace: Trace;
  readonly #child: ToRunning;
  readonly #startedAt = monotonicMs();
  readonly #logs: LogLine[] = [];
  /** Calls by request id. */
  readonly #calls = new Map<number, OpenCall>();
  /** Abort controllers of open requests to the host, by request id. */
  readonly #asked = new Map<number, AbortController>();
  readonly #bodies = new OpenBodies();
  /** For each open read of a body, by request id: the name of its fetch. */
  readonly #reads = new Map<number, string>();
  #kept = 0;
  #fetching = 0;
  #lastCall: Promise<void> | undefined;
  readonly #waiting: (() => void)[] = [];
  /** The invocation was stopped: none of its waiting requests is started. */
  #stopped = false;

  constructor(invocation: number, host: Host, trace: Trace, child = nowhere) {
    this.invocation = invocation;
    this.#host = host;
    this.#trace = trace;
    this.#child = child;
  }

  log(lines: readonly WireLine[]): void {
    for (const [level, text, atMs] of lines) {
      const line = { level, text: this.#trace.text(text), atMs };
      this.#logs.push(line);
      this.#host.log?.(line);
    }
  }

  unask(id: number): void {
    this.#asked.get(id)?.abort();
    this.#asked.delete(id);
  }

  async ask(ask: Ask): Promise<void> {
    if (ask.name === 'read') return this.#read(ask);
    const controller = new AbortController();
    this.#asked.set(ask.id, controller);
    const record: OpenCall = {
      kind: ask.name,
      name: '',
      input: this.#keep(ask.json),
      startedMs: Math.round(ask.atMs),
    };
    if (this.#calls.size < recordedCalls) this.#calls.set(ask.id, record);
    const askedAt = monotonicMs();
    const answer = (given: Answer) => {
      record.ms = Math.round(monotonicMs() - askedAt);
      record.answer = this.#keep(answerShown(given));
      if (this.#asked.delete(ask.id))
        this.#child.post({ t: 'answer', invocation: this.invocation, id: ask.id, ...given });
    };
    if (ask.name === 'call') {
      // Named at once: if the function ends before this request's turn, the log names what was not awaited.
      const given = callOf(ask.json, record);
      await this.#inOrder(async () => {
        if (!this.#stopped) answer(await this.#call(given, record));
      });
    } else await this.#fetch(ask, record, controller, answer);
  }

  /** Keeps the beginning of an input or answer for the record, as long as there is room. */
  #keep(text: string): string {
    if (this.#kept > keptCharacters) return '';
    const kept = beginningOf(text);
    this.#kept += kept.length;
    return kept;
  }

  async #call(given: GivenCall, record: OpenCall): Promise<Answer> {
    try {
      if ('error' in given) throw given.error;
      const answer = await this.#host.call(record.name, given.input);
      if ('ok' in answer) return { json: JSON.stringify(answer.ok) };
      record.errorCode = answer.error.code;
      return { error: JSON.stringify(answer.error) };
    } catch (error) {
      const shape = shapeOf(error);
      record.errorCode = shape.code;
      return { error: JSON.stringify(shape) };
    }
  }

  async #fetch(
    ask: Ask,
    record: OpenCall,
    controller: AbortController,
    answer: (given: Answer) => void,
  ): Promise<void> {
    const { signal } = controller;
    try {
      const request = fetchRequest(parseHostile(ask.json), ask.bytes);
      record.name = beginningOf(`${request.method} ${request.url}`);
      await this.#inTurn(signal, async () => {
        signal.throwIfAborted();
        const whole = this.#bodies.size >= openBodies;
        const { body, ...response } = await this.#host.fetch(whole ? { ...request, whole } : request, signal);
        const head = { statusText: '', url: request.url, redirected: false, ...response };
        if (body === undefined) answer({ json: JSON.stringify(head) });
        else if (body instanceof Uint8Array || whole) {
          answer({ json: JSON.stringify(head), bytes: await wholeBody(body) });
        } else if (this.#asked.has(ask.id)) {
          this.#bodies.keep(ask.id, record.name, body, controller);
          answer({ json: JSON.stringify({ ...head, body: ask.id }) });
        } else controller.abort();
      });
    } catch (error) {
      record.errorCode = 'fetch_failed';
      answer({ error: JSON.stringify(typeErrorOf(error)) });
    }
  }

  /** Answers with the next piece of a body, without bytes at its end; or abandons the body. */
  async #read(ask: Ask): Promise<void> {
    let given: Answer;
    try {
      const { body, leave } = objectOf(parseHostile(ask.json));
      const id = Number(body);
      this.#reads.set(ask.id, this.#bodies.nameOf(id));
      if (leave === true) this.#bodies.leave(id);
      const bytes = await this.#bodies.next(id);
      given = { json: undefined, ...(bytes && { bytes }) };
    } catch (error) {
      given = { error: JSON.stringify(typeErrorOf(error)) };
    }
    if (this.#reads.delete(ask.id))
      this.#child.post({ t: 'answer', invocation: this.invocation, id: ask.id, ...given });
  }

  /**
   * Starts calls in the order in which they were made: each one when the call before it is answered or waits for something, and the
   * child has read that answer. Otherwise a thousand large answers could be created in one turn of the event loop and kept here.
   */
  async #inOrder(work: () => Promise<void>): Promise<void> {
    const before = this.#lastCall;
    let begun = () => {};
    this.#lastCall = new Promise((resolve) => {
      begun = resolve;
    });
    await before;
    const beganAt = monotonicMs();
    const done = work();
    await answeredOrWaiting(done);
    await this.#child.drained();
    // Lets other requests be served in between, even if the child is gone and nothing slows this down.
    if (monotonicMs() - beganAt > longCallMs) await new Promise((resolve) => setImmediate(resolve));
    begun();
    await done;
  }

  /** Limits how many fetches run at once: each answer is kept here until the child has read it. */
  async #inTurn(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    if (this.#fetching === fetchesAtOnce) await this.#turn(signal);
    else this.#fetching++;
    try {
      await work();
      await this.#child.drained();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#fetching--;
    }
  }

  /** Waits for a turn. A cancelled request leaves the queue at once: inside, its body of megabytes already counts as released. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      this.#waiting.push(begin);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Makes the outcome from the child's report. */
  outcome(done: FromChildDone): Outcome {
    // If a function ended by itself, requests that it did not await still run, and its log names them.
    this.#stopped = done.status !== 'ok' && done.status !== 'error';
    if (done.loadLogs && done.status !== 'ok') this.log(done.loadLogs);
    if (done.left && (done.status === 'ok' || done.status === 'error')) this.#leftBehind(done.left);
    const accounting = this.#accounting(done.cpuMs, done.wallMs, done.heapBytes);
    if (done.status !== 'ok') return { ...accounting, status: done.status, error: this.#failure(done.error) };
    const resultJson = done.json ?? 'null';
    try {
      const result = parseHostile(resultJson);
      return {
        ...accounting,
        status: 'ok',
        result,
        resultJson,
        ...(done.bytes !== undefined && { body: done.bytes }),
      };
    } catch (error) {
      const message = `The result is not usable JSON: ${messageOf(error)}`;
      return { ...accounting, status: 'error', error: { code: 'result_invalid', name: 'SyntaxError', message } };
    }
  }

  /** A forgotten `await` shows nowhere else: the function continues with a promise, and ends before the answer. */
  #leftBehind({ ids, atMs }: Left): void {
    const named = ids.slice(0, namedLeft).map((id) => this.#nameOf(id).slice(0, 100) || 'a call');
    const more = ids.length > named.length ? ` and ${ids.length - named.length} more` : '';
    const text = `[fn] the function ended before these calls were answered: ${named.join(', ')}${more}. Add "await" in front of them`;
    this.log([['warn', text, atMs]]);
  }

  #nameOf(id: number): string {
    return this.#reads.get(id) ?? this.#calls.get(id)?.name ?? '';
  }

  /** Makes the outcome of an end that the child could not report. */
  failed(
    status: 'timeout' | 'memory' | 'crashed' | 'refused',
    error: Failure,
    used = { cpuMs: 0, wallMs: monotonicMs() - this.#startedAt, heapBytes: 0 },
  ): Outcome {
    this.#stopped = true;
    return { ...this.#accounting(used.cpuMs, used.wallMs, used.heapBytes), status, error };
  }

  #failure(error: WireFailure | undefined): Failure {
    if (!error) return { code: 'function_failed', name: 'Error', message: 'The function failed' };
    const place = error.name === 'TypeError' ? this.#trace.location(error.stack) : undefined;
    return { ...this.#trace.error(error), ...(place && { place }) };
  }

  #accounting(cpuMs: number, wallMs: number, peakMemoryBytes: number): Accounting {
    for (const controller of this.#asked.values()) controller.abort();
    this.#asked.clear();
    this.#reads.clear();
    this.#bodies.leaveAll();
    return {
      logs: this.#logs,
      calls: [...this.#calls.values()],
      cpuMs: round(cpuMs),
      wallMs: round(wallMs),
      peakMemoryBytes,
    };
  }
}

/** Resolves when the work is done, at the latest in the next turn of the event loop: work that takes longer is waiting for something. */
function answeredOrWaiting(done: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const turn = setImmediate(resolve);
    void done.then(() => {
      clearImmediate(turn);
      resolve();
    });
  });
}

/** Copies the beginning: a slice would keep the whole text alive, sixteen megabytes for each of a thousand calls. */
function beginningOf(text: string): string {
  return text.length <= beginning ? text : Buffer.from(text.slice(0, beginning), 'utf16le').toString('utf16le');
}

type GivenCall = { readonly input: unknown } | { readonly error: unknown };

function callOf(json: string, record: OpenCall): GivenCall {
  try {
    const { operation, input } = objectOf(parseHostile(json));
    record.name = beginningOf(String(operation));
    return { input };
  } catch (error) {
    return { error };
  }
}

/** The answer as the record shows it: the head of a response with the beginning of a text body. */
function answerShown(given: Answer): string {
  if ('error' in given) return given.error;
  const json = given.json ?? 'null';
  if (given.bytes === undefined) return json;
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  const start = given.bytes.subarray(0, beginning);
  const body = isUtf8(given.bytes)
    ? new TextDecoder().decode(start, { stream: true })
    : `<${given.bytes.byteLength} bytes>`;
  return JSON.stringify({ ...objectOf(JSON.parse(json)), body });
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return { ...value };
}

/** Only errors with a code and a status are meant for functions. Others are not disclosed. */
function shapeOf(error: unknown): SdkErrorShape {
  if (error instanceof SyntaxError) return { code: 'input_invalid', status: 400, message: error.message };
  if (
    error instanceof Error &&
    'code' in error &&
    'status' in error &&
    typeof error.code === 'string' &&
    typeof error.status === 'number'
  ) {
    const { code, status, message } = error;
    return {
      code,
      status,
      message,
      ...('details' in error && error.details !== undefined && { details: error.details }),
    };
  }
  return { code: 'internal_error', status: 500, message: 'The call failed' };
}

const cacheModes: readonly unknown[] = ['no-store', 'reload', 'no-cache', 'force-cache'] satisfies CacheMode[];

function isCacheMode(value: unknown): value is CacheMode {
  return cacheModes.includes(value);
}

/** The error that `fetch` rejects with inside. */
function typeErrorOf(error: unknown) {
  if (!(error instanceof Error)) return { name: 'TypeError', message: 'fetch failed' };
  const { message, cause } = error;
  if (!(cause instanceof Error)) return { name: 'TypeError', message };
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
  return { name: 'TypeError', message, cause: { name: 'Error', message: cause.message, code } };
}

function fetchRequest(value: unknown, bytes: Uint8Array | undefined): FetchRequest {
  const { url, method, headers, redirect, cache, integrity } = objectOf(value);
  if (typeof url !== 'string' || typeof method !== 'string' || !Array.isArray(headers))
    throw new TypeError('fetch failed');
  return {
    url,
    method,
    headers: headers.map((pair: unknown) => {
      if (!Array.isArray(pair)) throw new TypeError('fetch failed');
      return [String(pair[0]), String(pair[1])] as const;
    }),
    ...((redirect === 'follow' || redirect === 'error' || redirect === 'manual') && { redirect }),
    ...(isCacheMode(cache) && { cache }),
    ...(typeof integrity === 'string' && { integrity }),
    ...(bytes !== undefined && { body: bytes }),
  };
}
