import { parseHostile } from './hostile-json.ts';
import { recordedCalls } from './limits.ts';
import type { FromChild, FromChildDone, ToChild, WireFailure, WireLine } from './protocol.ts';
import type { Trace } from './trace.ts';
import type { Accounting, CallRecord, Failure, FetchRequest, Host, LogLine, Outcome, SdkErrorShape } from './types.ts';

type Ask = Extract<FromChild, { t: 'ask' }>;
type OpenCall = { -readonly [Key in keyof CallRecord]: CallRecord[Key] };

/** One invocation as the parent sees it: answers what the function asks, and keeps the record. */
export class Run {
  readonly invocation: number;
  readonly #host: Host;
  readonly #trace: Trace;
  readonly #answer: (message: ToChild) => void;
  readonly #startedAt = performance.now();
  readonly #logs: LogLine[] = [];
  readonly #calls: OpenCall[] = [];
  /** Aborts what is still asked of the host; by id of the question. */
  readonly #asked = new Map<number, AbortController>();

  constructor(invocation: number, host: Host, trace: Trace, answer: (message: ToChild) => void) {
    this.invocation = invocation;
    this.#host = host;
    this.#trace = trace;
    this.#answer = answer;
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
    const controller = new AbortController();
    this.#asked.set(ask.id, controller);
    const record: OpenCall = {
      kind: ask.name,
      name: '',
      input: ask.json.slice(0, 1_024),
      startedMs: Math.round(ask.atMs),
    };
    if (this.#calls.length < recordedCalls) this.#calls.push(record);
    const askedAt = performance.now();
    const answer = await (ask.name === 'call' ? this.#call(ask, record) : this.#fetch(ask, record, controller.signal));
    record.ms = Math.round(performance.now() - askedAt);
    if (this.#asked.delete(ask.id)) this.#answer({ t: 'answer', invocation: this.invocation, id: ask.id, ...answer });
  }

  async #call(ask: Ask, record: OpenCall): Promise<{ error: string } | { json: string | undefined }> {
    try {
      const { operation, input } = objectOf(parseHostile(ask.json));
      record.name = String(operation);
      const answer = await this.#host.call(record.name, input);
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
    signal: AbortSignal,
  ): Promise<{ error: string } | { json: string; bytes?: Uint8Array }> {
    try {
      const request = fetchRequest(parseHostile(ask.json), ask.bytes);
      record.name = `${request.method} ${request.url}`.slice(0, 1_024);
      const { body, ...response } = await this.#host.fetch(request, signal);
      const whole = { statusText: '', url: request.url, redirected: false, ...response };
      return { json: JSON.stringify(whole), ...(body && { bytes: body }) };
    } catch (error) {
      record.errorCode = 'fetch_failed';
      return {
        error: JSON.stringify({ name: 'TypeError', message: error instanceof Error ? error.message : 'fetch failed' }),
      };
    }
  }

  /** The end, as the child tells it. */
  outcome(done: FromChildDone): Outcome {
    if (done.loadLogs && done.status !== 'ok') this.log(done.loadLogs);
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
      const message = `The result is no usable JSON: ${error instanceof Error ? error.message : error}`;
      return { ...accounting, status: 'error', error: { code: 'result_invalid', name: 'SyntaxError', message } };
    }
  }

  /** An end that the child could not tell. */
  failed(
    status: 'timeout' | 'memory' | 'crashed' | 'refused',
    error: Failure,
    used = { cpuMs: 0, wallMs: performance.now() - this.#startedAt, heapBytes: 0 },
  ): Outcome {
    return { ...this.#accounting(used.cpuMs, used.wallMs, used.heapBytes), status, error };
  }

  #failure(error: WireFailure | undefined): Failure {
    if (!error) return { code: 'function_failed', name: 'Error', message: 'The function failed' };
    const { stack, cause, errors, errorCode, ...rest } = error;
    return this.#trace.error({
      ...rest,
      ...(stack !== undefined && { stack }),
      ...(errorCode !== undefined && { errorCode }),
      ...(cause && { cause }),
      ...(errors && { errors }),
    });
  }

  #accounting(cpuMs: number, wallMs: number, peakMemoryBytes: number): Accounting {
    for (const controller of this.#asked.values()) controller.abort();
    this.#asked.clear();
    return { logs: this.#logs, calls: this.#calls, cpuMs: round(cpuMs), wallMs: round(wallMs), peakMemoryBytes };
  }
}

function round(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new TypeError('not an object');
  return { ...value };
}

/** Only what states a code and a status is meant for a function; of anything else it learns nothing. */
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

function fetchRequest(value: unknown, bytes: Uint8Array | undefined): FetchRequest {
  const { url, method, headers, redirect } = objectOf(value);
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
    ...(bytes !== undefined && { body: bytes }),
  };
}
