import type { Setup } from '../../setup.ts';
import type { Tell } from './handed-in.ts';
import type { Any, Fn, Kit } from './kit.ts';

/** What one invocation, or the loading of a module, has used of its limits. */
export interface Running {
  /** Id of the invocation; 0 while a module loads. */
  id: number;
  lines: number;
  logBytes: number;
  pending: number;
  timers: number;
  bytes: number;
  limits: Pick<
    Setup['limits'],
    'logLines' | 'logBytes' | 'pendingCalls' | 'resultBytes' | 'operationBytes' | 'openOperationBytes'
  >;
}

/** An open operation. Calls of ours have negative ids and settle functions, those of the layer positive ids. */
interface Open {
  bytes: number;
  timer: boolean;
  /** A request to the parent: a call, a fetch, or a piece of a body. */
  asked: boolean;
  of: Running;
  settle?: [Fn, Fn];
}

/** Takes the JSON of an error or else of a result, and the bytes that came with it. */
type Settle = (id: number, error: string | undefined, json: string | undefined, bytes: unknown) => void;

/**
 * Everything that leaves a context while something runs in it: host calls, fetches, timers and log lines, each within the limits of its
 * invocation.
 * @param settleLayer receives the answers to the layer's own operations
 * @param callError   makes the error that a call is rejected with from the host's description
 */
export function outgoing(kit: Kit, tell: Tell, settleLayer: Settle, callError: (shape: Any) => unknown) {
  const { apply, getDescriptor, parse, stringify, promiseThen, slice, own, newError, byteLength } = kit;
  const { PromiseClass, StringOf } = kit;
  const MapClass = Map;
  const mapGet = MapClass.prototype.get as unknown as Fn;
  const mapSet = MapClass.prototype.set as unknown as Fn;
  const sizeOfMap = getDescriptor(MapClass.prototype, 'size')?.get as unknown as Fn;
  const mapDelete = MapClass.prototype.delete as unknown as Fn;
  const mapForEach = MapClass.prototype.forEach as unknown as Fn;

  const open = new MapClass<number, Open>();
  let lastCall = 0;
  /** A loading module has its own budget and no host calls. */
  let running: Running | undefined = newRunning(0, {
    logLines: 200,
    logBytes: 65_536,
    pendingCalls: 100,
    resultBytes: 1_048_576,
    operationBytes: 65_536,
    openOperationBytes: 1_048_576,
  });

  function newRunning(id: number, limits: Running['limits']): Running {
    return { id, lines: 0, logBytes: 0, pending: 0, timers: 0, bytes: 0, limits };
  }

  function tooManyBytes({ limits: { operationBytes, openOperationBytes } }: Running): string {
    const kib = (bytes: number) => `${(bytes - (bytes % 1024)) / 1024} KiB`;
    return `Too many bytes are on their way out of the function: one call (of fetch, crypto.subtle or sdk) may take ${kib(operationBytes)}, all open ones ${kib(openOperationBytes)}`;
  }

  /** Refuses an operation asynchronously, as the outside would. */
  function refuse(id: number, name: string, message: string): void {
    const text = stringify({ __proto__: null, name, message });
    apply(promiseThen, PromiseClass.resolve(), [() => settle(id, text, undefined, undefined)]);
  }

  /** Called by the layer: starts one of its operations, or cancels it. */
  function start(id: number, name: string, json: unknown, bytes?: unknown): void {
    if (name === 'cancel') {
      const target = parse(StringOf(json)).id as number;
      if (forget(target)) tell('start', running?.id ?? 0, target, 'cancel', '', undefined);
      return;
    }
    const of = running;
    if (of === undefined) {
      refuse(id, 'AbortError', 'The invocation has ended');
      return;
    }
    const text = json === undefined ? '' : StringOf(json);
    const timer = name === 'timer';
    const size = timer ? 0 : text.length + byteLength(bytes);
    const limit = of.limits.pendingCalls;
    if (timer ? of.timers >= 10 * limit : of.pending >= limit) {
      refuse(
        id,
        'QuotaExceededError',
        `More than ${timer ? `${10 * limit} timers` : `${limit} host calls`} are open at once`,
      );
      return;
    }
    if (size > of.limits.operationBytes || of.bytes + size > of.limits.openOperationBytes) {
      refuse(id, 'QuotaExceededError', tooManyBytes(of));
      return;
    }
    if (timer) of.timers++;
    else of.pending++;
    of.bytes += size;
    apply(mapSet, open, [id, { __proto__: null, bytes: size, timer, asked: name === 'fetch' || name === 'read', of }]);
    tell('start', of.id, id, name, text, bytes);
  }

  function forget(id: number): { settle?: [Fn, Fn] } | undefined {
    const entry = apply(mapGet, open, [id]) as Open | undefined;
    if (entry === undefined) return undefined;
    apply(mapDelete, open, [id]);
    if (entry.timer) entry.of.timers--;
    else entry.of.pending--;
    entry.of.bytes -= entry.bytes;
    return entry;
  }

  function log(level: unknown, value: unknown): void {
    const of = running;
    if (of === undefined || of.lines > of.limits.logLines) return;
    if (of.lines === of.limits.logLines || of.logBytes >= of.limits.logBytes) {
      of.lines = of.limits.logLines + 1;
      tell(
        'log',
        of.id,
        'warn',
        '[fn] the log ends here: its limit of ' +
          of.limits.logLines +
          ' lines or ' +
          of.limits.logBytes +
          ' bytes is reached',
      );
      return;
    }
    let text = StringOf(value);
    if (text.length > of.limits.logBytes - of.logBytes)
      text = `${apply(slice, text, [0, of.limits.logBytes - of.logBytes]) as string}…`;
    of.lines++;
    of.logBytes += text.length;
    tell('log', of.id, StringOf(level), text);
  }

  function settle(id: number, error: string | undefined, json: string | undefined, bytes: unknown): void {
    const entry = forget(id);
    if (id > 0) {
      settleLayer(id, error, json, bytes);
      return;
    }
    if (!entry?.settle) return;
    // By index: destructuring would use the array's iterator, which user code can replace.
    if (error === undefined) entry.settle[0](json === undefined || json === '' ? undefined : parse(json));
    else entry.settle[1](callError(parse(error)));
  }

  /** `call` for one invocation. It is refused once that invocation has ended, even while another one runs. */
  function callFor(of: Running) {
    return (operation: unknown, input: unknown) =>
      new PromiseClass((resolve: Fn, reject: Fn) => {
        const id = --lastCall;
        if (running !== of) {
          reject(newError('AbortError', 'The invocation has ended'));
          return;
        }
        const text = stringify({ __proto__: null, operation: StringOf(operation), input });
        if (of.pending >= of.limits.pendingCalls) {
          reject(newError('QuotaExceededError', `More than ${of.limits.pendingCalls} host calls are open at once`));
          return;
        }
        if (text.length > of.limits.operationBytes || of.bytes + text.length > of.limits.openOperationBytes) {
          reject(newError('QuotaExceededError', tooManyBytes(of)));
          return;
        }
        of.pending++;
        of.bytes += text.length;
        const settle = [resolve, reject];
        apply(mapSet, open, [id, { __proto__: null, bytes: text.length, timer: false, asked: true, of, settle }]);
        tell('start', of.id, id, 'call', text, undefined);
      });
  }

  /** An answer that arrives after the end of its invocation is ignored: none of its code may run. */
  function answer(id: number, error: string | undefined, json: string | undefined, bytes: unknown): void {
    const entry = apply(mapGet, open, [id]) as Open | undefined;
    if (entry?.of === running) settle(id, error, json, bytes);
  }

  /** Begins an invocation. */
  function begin(id: number, limits: Running['limits']): Running {
    const of = newRunning(id, limits);
    running = of;
    return of;
  }

  /** @returns false if it had already ended, or never began */
  function end(of: Running): boolean {
    if (running !== of) return false;
    running = undefined;
    return true;
  }

  /** Ends loading, whatever the module has left open. */
  function endLoading(): void {
    running = undefined;
  }

  function hasOpen(): boolean {
    return (apply(sizeOfMap, open, []) as number) > 0;
  }

  function unansweredOf(of: Running): string {
    let ids = '';
    apply(mapForEach, open, [
      (entry: Open, id: number) => {
        if (entry.asked && entry.of === of) ids += `${id} `;
      },
    ]);
    return ids;
  }

  /** Rejects all open operations, on behalf of the invocations that opened them. */
  function abandon(): void {
    const left: number[] = [];
    apply(mapForEach, open, [(_: unknown, id: number) => own(left, left.length, id)]);
    for (let i = 0; i < left.length; i++)
      settle(left[i] as number, '{"name":"AbortError","message":"The invocation has ended"}', undefined, undefined);
  }

  return { __proto__: null, start, log, callFor, answer, begin, end, endLoading, hasOpen, unansweredOf, abandon };
}
