import { type Caller, type ErrorCode, isOperationName, limits, operations } from '../contract/index.ts';
import type { Host, Outcome, Sandbox, SdkErrorShape } from '../sandbox/index.ts';
import { type FunctionResult, isCallWithOptions, readResult, type SdkArgument } from '../sdk/index.ts';
import { monotonicMs, newId, type TurnableClock, toTimestamp, WorkspaceError } from '../std/index.ts';
import type { InvocationTrigger, NewInvocation, Workspace } from '../workspace/index.ts';
import { callOptions } from './call-options.ts';
import type { EmulatorDoor } from './door.ts';
import type { EmulatorEvent } from './events.ts';
import {
  calleeOf,
  codeOfFailure,
  type FailureReason,
  failureLine,
  internalError,
  internalWords,
  reasonOf,
  sdkError,
} from './failure.ts';
import { type Network, outgoingFetch } from './fetch/outgoing-fetch.ts';
import type { LoadedFunction } from './functions.ts';
import { WriteKeys } from './once-key.ts';
import type { Secrets } from './secrets.ts';

/** One invocation as whoever triggers it asks for it; the type's own argument is made already. */
export interface InvokeRequest {
  readonly trigger: InvocationTrigger;
  /** Who made it happen; recorded. The function itself acts with the rights of its app. */
  readonly caller: Caller;
  /** What the type adds to `sdk`. */
  readonly argument: Omit<SdkArgument, 'type' | 'context'>;
  readonly body?: Uint8Array | undefined;
  /** JSON for the record; made after the answer has gone out. */
  readonly inputJson: () => string;
  readonly signal?: AbortSignal | undefined;
  readonly request?: { readonly method: string; readonly path: string } | undefined;
  /**
   * Of a request that may be repeated: each write of the invocation gets a key made from it, so that a repeat after the process was
   * killed half-way writes nothing twice.
   */
  readonly onceKey?: string | undefined;
  /** Looks at a result before it counts; what is wrong with it, in words. */
  readonly checkResult?: ((result: FunctionResult) => string | undefined) | undefined;
}

/** What came of it. */
export type Invoked = {
  readonly invocationId: string;
  readonly outcome: Outcome;
} & (
  | { readonly ok: true; readonly result: FunctionResult }
  | { readonly ok: false; readonly code: ErrorCode; readonly reason: FailureReason }
);

export interface InvokerOptions {
  readonly workspace: Workspace;
  readonly sandbox: Sandbox;
  readonly clock: TurnableClock;
  readonly secrets: Secrets;
  readonly baseUrl: () => string;
  readonly environment: (app: string) => Readonly<Record<string, string>>;
  /** Through which a function's calls go. */
  readonly functionDoor: (caller: Caller) => EmulatorDoor;
  /** What functions `fetch` goes through; undefined: the network of this machine. */
  readonly network: Network | undefined;
  readonly emit: (event: EmulatorEvent) => void;
}

/** What is kept of an invocation while it runs. */
interface Running {
  readonly invocationId: string;
  /** Full stacks of the functions that it called and that failed, by their invocations. */
  readonly callees: Map<string, string>;
}

const mostCallees = 20;

/** When the workspace stops, what runs has this long to end. */
const graceMs = 1_000;

/** What a function may do: everything of its app but what only people with `admin` may. */
const functionScopes = ['read', 'write', 'send', 'deploy'] as const;

/** The one path of every invocation, whatever triggered it. */
export class Invoker {
  readonly #options: InvokerOptions;
  readonly #open = new Set<Promise<unknown>>();
  #closed = false;

  constructor(options: InvokerOptions) {
    this.#options = options;
  }

  /** Runs a function once and records it. A failure of the function is a value. */
  async invoke(loaded: LoadedFunction, request: InvokeRequest): Promise<Invoked> {
    const running = this.#invoke(loaded, request);
    this.#open.add(running);
    try {
      return await running;
    } finally {
      this.#open.delete(running);
    }
  }

  /** Resolves when nothing runs any more, or after a while: what still runs then is not waited for, and not recorded. */
  async close(): Promise<void> {
    const deadline = monotonicMs() + graceMs;
    while (this.#open.size > 0 && monotonicMs() < deadline) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, Math.max(0, deadline - monotonicMs()));
      await Promise.race([late, Promise.allSettled([...this.#open])]);
      clearTimeout(timer);
    }
    await new Promise((resolve) => setImmediate(resolve)); // those that answered over HTTP are recorded in the next turn
    this.#closed = true;
  }

  async #invoke(loaded: LoadedFunction, request: InvokeRequest): Promise<Invoked> {
    const { sandbox, clock, workspace, secrets } = this.#options;
    const { app, name, program } = loaded;
    if (!program) throw internalError(new Error(`${app}/${name} has no program`));
    const startedAt = clock.now();
    const invocationId = newId('inv', startedAt);
    const learning = secrets.learn(app);
    if (learning) await learning;
    const callees = new Map<string, string>();
    const outcome = await sandbox.invoke(
      program,
      {
        argument: {
          type: loaded.type,
          context: {
            workspace: { slug: workspace.slug, url: `${this.#options.baseUrl()}/tenants/${workspace.slug}` },
            app,
            function: name,
            version: loaded.version,
            invocationId,
            environment: loaded.version === 'local' ? 'local' : 'workspace',
          },
          ...request.argument,
        } satisfies SdkArgument,
        limits: loaded.limits,
        isolation: loaded.isolation,
        clockOffsetMs: clock.offsetMs,
        ...(clock.stoppedAtMs !== undefined && { clockStoppedAtMs: clock.stoppedAtMs }),
        environment: loaded.environment ?? this.#options.environment(app),
        depth: request.caller.depth ?? 0,
        ...(request.body && { body: request.body }),
        ...(request.signal && { signal: request.signal }),
      },
      this.#hostOf(loaded, request, { invocationId, callees }),
    );
    const invoked = this.#judge(request, { invocationId, callees }, outcome);
    // An answer over HTTP goes out first: no request that it leads to can be here before the record. Whoever asks in this process can.
    if (request.trigger === 'http') setImmediate(() => this.#record(loaded, request, invoked, startedAt));
    else this.#record(loaded, request, invoked, startedAt);
    return invoked;
  }

  #judge(request: InvokeRequest, { invocationId, callees }: Running, outcome: Outcome): Invoked {
    if (outcome.status !== 'ok') {
      const { error } = outcome;
      return { invocationId, outcome, ok: false, code: codeOfFailure(error), reason: reasonOf(error, callees) };
    }
    const result = readResult(outcome.resultJson, outcome.body);
    const refused = (message: string): Invoked => {
      return { invocationId, outcome, ok: false, code: 'result_invalid', reason: { name: 'TypeError', message } };
    };
    if (result.kind === 'invalid') return refused(result.message);
    const wrong = request.checkResult?.(result);
    return wrong === undefined ? { invocationId, outcome, ok: true, result } : refused(wrong);
  }

  #hostOf(loaded: LoadedFunction, request: InvokeRequest, { invocationId, callees }: Running): Host {
    const { secrets, functionDoor, network, emit, clock } = this.#options;
    const { app, name } = loaded;
    let door: EmulatorDoor | undefined;
    const keys = request.onceKey === undefined ? undefined : new WriteKeys(request.onceKey);
    const caller: Caller = {
      type: 'function',
      id: name,
      name: `${app}/${name}`,
      scopes: functionScopes,
      app,
      invocationId,
      depth: request.caller.depth ?? 0,
    };
    return {
      call: async (operation, input) => {
        try {
          door ??= functionDoor(caller);
          return { ok: await this.#call(loaded, door, operation, input, keys) };
        } catch (error) {
          const known = internalError(error);
          const callee = operation === 'methods.call' ? calleeOf(known) : undefined;
          if (callee && callees.size < mostCallees) callees.set(callee.id, callee.stack);
          const told = this.#told(known);
          return { error: { requestId: request.caller.requestId ?? newId('req', clock.now()), ...told } };
        }
      },
      fetch: (asked, signal) => outgoingFetch(asked, loaded.fetchAllow, signal, network),
      log: (line) => {
        const text = secrets.redact(app, line.text);
        emit({ type: 'log', invocationId, app, function: name, level: line.level, text, atMs: line.atMs });
      },
    };
  }

  async #call(
    loaded: LoadedFunction,
    door: EmulatorDoor,
    operation: string,
    given: unknown,
    keys: WriteKeys | undefined,
  ): Promise<unknown> {
    const { secrets } = this.#options;
    const faces: readonly string[] = isOperationName(operation) ? operations[operation].faces : [];
    if (!isOperationName(operation) || !faces.includes('sdk')) {
      throw new WorkspaceError('operation_not_allowed', 403, `There is no sdk.${operation}`);
    }
    const withOptions = isCallWithOptions(given);
    const input = withOptions ? given.input : given;
    const own = withOptions ? callOptions(operation, given.$options) : {};
    const once =
      keys === undefined || 'idempotencyKey' in own || !isWrite(operation) ? undefined : keys.next(operation, input);
    const options = { ...(once !== undefined && { idempotencyKey: once }), ...own };
    if (operation === 'secrets.get') {
      const name = nameIn(input);
      const declared = loaded.config.secrets;
      if (name !== undefined && declared && !declared.includes(name)) {
        throw new WorkspaceError(
          'operation_not_allowed',
          403,
          `config.secrets of ${loaded.name} does not name ${name}`,
        );
      }
      const value = name === undefined ? undefined : await secrets.get(loaded.app, name);
      if (value !== undefined) return { value };
    }
    try {
      return await door(operation, input as never, options);
    } catch (error) {
      const differs = once !== undefined && error instanceof WorkspaceError && error.code === 'idempotency_key_reused';
      throw differs ? writesDiffer(operation, error) : error;
    }
  }

  #told(known: WorkspaceError): SdkErrorShape {
    if (known.code === 'internal_error') {
      this.#options.emit({ type: 'problem', code: 'internal_error', message: internalWords(known.cause) });
    }
    return sdkError(known);
  }

  #record(loaded: LoadedFunction, request: InvokeRequest, invoked: Invoked, startedAt: number): void {
    if (this.#closed) return;
    const { workspace, secrets, emit } = this.#options;
    const { app, name, type } = loaded;
    const { invocationId, outcome } = invoked;
    const clean = secrets.hasAny(app) ? (text: string) => secrets.redact(app, text) : unchanged;
    const status = invoked.ok ? 'ok' : outcome.status === 'ok' ? 'error' : outcome.status;
    const error = invoked.ok ? null : errorOf(invoked, clean);
    const make = recordOf(loaded, request, invoked, startedAt, { status, error, clean });
    if (isSmall(request, outcome)) workspace.invocations.recordLater({ app, function: name }, make);
    else workspace.invocations.record(make());
    const { wallMs: ms, cpuMs } = outcome;
    const told = error && { error };
    emit({
      type: 'invoked',
      invocationId,
      app,
      function: name,
      functionType: type,
      trigger: request.trigger,
      status,
      ms,
      cpuMs,
      ...told,
      ...(request.request && { request: request.request }),
    });
  }
}

/**
 * What makes the record, when it is written. It holds on to what the record says and nothing else of request and outcome: under load a
 * thousand wait.
 */
function recordOf(
  loaded: LoadedFunction,
  { trigger, caller: { type: callerType, id: callerId }, inputJson }: InvokeRequest,
  invoked: Invoked,
  startedAt: number,
  { status, error, clean }: Judged,
): () => NewInvocation {
  const { invocationId, outcome } = invoked;
  const { wallMs, cpuMs, peakMemoryBytes, logs, calls } = outcome;
  const result = invoked.ok ? invoked.result : undefined;
  return () => ({
    id: invocationId,
    app: loaded.app,
    function: loaded.name,
    type: loaded.type,
    version: loaded.version,
    trigger,
    caller: { type: callerType, id: callerId },
    status,
    startedAt,
    wallMs,
    cpuMs,
    peakMemoryBytes,
    error,
    inputJson: clean(inputJson()),
    resultJson: result === undefined ? null : clean(resultText(result)),
    logs: [
      ...logs.map(({ level, text, atMs }) => ({ at: toTimestamp(atMs), level, text: clean(text) })),
      ...(error ? [{ at: toTimestamp(startedAt + wallMs), level: 'error' as const, text: failureLine(error) }] : []),
    ],
    calls: calls.map((call) => ({
      kind: call.kind === 'call' ? ('sdk' as const) : ('fetch' as const),
      name: clean(call.name),
      startedMs: call.startedMs,
      ms: call.ms ?? 0,
      status: call.errorCode ?? (call.ms === undefined ? 'unanswered' : 'ok'),
    })),
  });
}

interface Judged {
  readonly status: NewInvocation['status'];
  readonly error: NewInvocation['error'];
  readonly clean: (text: string) => string;
}

const unchanged = (text: string) => text;

/** What a record may hold on to until it is written. */
const smallBytes = 4_096;

function isSmall({ body }: InvokeRequest, outcome: Outcome): boolean {
  const given = body?.byteLength ?? 0;
  const got = outcome.status === 'ok' ? outcome.resultJson.length + (outcome.body?.byteLength ?? 0) : 0;
  return given + got <= smallBytes && outcome.logs.length === 0 && outcome.calls.length === 0;
}

function errorOf(invoked: Invoked & { ok: false }, clean: (text: string) => string) {
  const { name, message, fullStack: stack } = invoked.reason;
  return {
    code: invoked.code,
    name: clean(name),
    message: clean(message),
    ...(stack !== undefined && { stack: clean(stack) }),
  };
}

/** The result as it is kept: a Response as its parts, its body as text where it is text. */
function resultText(result: FunctionResult): string {
  if (result.kind === 'json') return result.json;
  const { status, headers, body } = result.response;
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  const kept = body.subarray(0, limits.invocations.recordedBytes);
  // A text of which only the beginning is kept may be cut within a sign: that one is left out.
  const text = isUtf8(body) ? new TextDecoder().decode(kept, { stream: true }) : `<${body.byteLength} bytes>`;
  return JSON.stringify({ status, headers: Object.fromEntries(headers), body: text });
}

/** The key is not the author's: what it means has to be said. */
function writesDiffer(operation: string, cause: WorkspaceError): WorkspaceError {
  return new WorkspaceError(
    cause.code,
    cause.status,
    `This request was begun before under its Idempotency-Key, and sdk.${operation} then wrote something else to the same place. It is not written twice: in a repeat a function must write the same`,
    {
      cause,
      hint: 'Take times and random values from the request, or repeat it with a new key, which does everything again.',
    },
  );
}

function isWrite(operation: string): boolean {
  return isOperationName(operation) && operations[operation].effect === 'write';
}

function nameIn(input: unknown): string | undefined {
  const name = typeof input === 'object' && input !== null && 'name' in input ? input.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
