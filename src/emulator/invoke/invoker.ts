import {
  type Caller,
  type ErrorCode,
  isOperationName,
  limits,
  type OperationName,
  operationOf,
  operations,
  type ToolGrant,
  type Trace,
  traceOf,
} from '../../contract/index.ts';
import type { Host, Outcome, Sandbox, SdkErrorShape } from '../../sandbox/index.ts';
import { type FunctionResult, isCallWithOptions, readResult, type SdkArgument } from '../../sdk/index.ts';
import { monotonicMs, newId, type TurnableClock, toTimestamp, WorkspaceError } from '../../std/index.ts';
import type { InvocationTrigger, Json, NewInvocation, Workspace } from '../../workspace/index.ts';
import type { EmulatorDoor } from '../door.ts';
import type { EmulatorEvent } from '../events.ts';
import type { LoadedFunction } from '../sources/function-source.ts';
import { callOptions } from './call-options.ts';
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
import { withTrace } from './fetch/with-trace.ts';
import { WriteKeys } from './idempotency-keys.ts';
import type { Secrets } from './secrets.ts';

/** A request for one invocation; the argument for the function's type is already prepared. */
export interface InvokeRequest {
  readonly trigger: InvocationTrigger;
  /** Who triggered it, for the record. The function itself has the permissions of its app. */
  readonly caller: Caller;
  /** Members of `sdk` for the function's type. */
  readonly argument: Omit<SdkArgument, 'type' | 'context'>;
  readonly body?: Uint8Array | undefined;
  /** JSON for the record; called after the answer has been sent. */
  readonly inputJson: () => string;
  readonly signal?: AbortSignal | undefined;
  readonly request?: { readonly method: string; readonly path: string } | undefined;
  /**
   * Key of a repeatable request. Each write of the invocation gets a key derived from it, so that a repeat after a kill writes nothing
   * twice.
   */
  readonly onceKey?: string | undefined;
  /**
   * The number of this try, counted from 1, of a background call. A write that differs from the one of an earlier try is made: a method
   * that is tried again may have something else to say by now.
   */
  readonly attempt?: number | undefined;
  /** What no record of it may show, beside secrets; it learns what the result has of that. */
  readonly hidden?: { clean(text: string): string; shown(part: 'result', value: Json): Json | undefined } | undefined;
  /** Of an AI Tool: what it may change of the conversation it works in. */
  readonly grant?: ToolGrant | undefined;
  /** Checks a result. Returns what is wrong with it. */
  readonly checkResult?: ((result: FunctionResult) => string | undefined) | undefined;
}

/** The outcome with its record. */
export type Invoked = {
  readonly invocationId: string;
  /** What caused it. */
  readonly trace: Trace;
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
  /** The door for a function's calls. */
  readonly functionDoor: (caller: Caller) => EmulatorDoor;
  /** The network for functions' `fetch`; undefined for this machine's. */
  readonly network: Network | undefined;
  readonly emit: (event: EmulatorEvent) => void;
}

/** State of a running invocation. */
interface Running {
  readonly invocationId: string;
  /** What caused it. */
  readonly trace: Trace;
  /** Full stacks of called functions that failed, by invocation id. */
  readonly callees: Map<string, string>;
}

const mostCallees = 20;

/** How long running invocations may take when the workspace stops. */
const graceMs = 1_000;

/** Scopes of a function: everything in its app except `admin`. */
const functionScopes = ['read', 'write', 'send', 'deploy'] as const;

/** Runs every invocation, whatever triggered it. */
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

  /** Resolves when nothing is running, or after a while; invocations that are still running then are not recorded. */
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
    const trace = traceOf(request.caller);
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
            ...(request.attempt !== undefined && { attempt: request.attempt }),
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
      this.#hostOf(loaded, request, { invocationId, trace, callees }),
    );
    const invoked = this.#judge(request, { invocationId, trace, callees }, outcome);
    // HTTP answers are sent first: a follow-up request cannot arrive before the record is written. A caller in this process could.
    if (request.trigger === 'http') setImmediate(() => this.#record(loaded, request, invoked, startedAt));
    else this.#record(loaded, request, invoked, startedAt);
    return invoked;
  }

  #judge(request: InvokeRequest, { invocationId, trace, callees }: Running, outcome: Outcome): Invoked {
    if (outcome.status !== 'ok') {
      const { error } = outcome;
      return { invocationId, trace, outcome, ok: false, code: codeOfFailure(error), reason: reasonOf(error, callees) };
    }
    const result = readResult(outcome.resultJson, outcome.body);
    const refused = (message: string): Invoked => {
      return {
        invocationId,
        trace,
        outcome,
        ok: false,
        code: 'result_invalid',
        reason: { name: 'TypeError', message },
      };
    };
    if (result.kind === 'invalid') return refused(result.message);
    const wrong = request.checkResult?.(result);
    return wrong === undefined ? { invocationId, trace, outcome, ok: true, result } : refused(wrong);
  }

  #hostOf(loaded: LoadedFunction, request: InvokeRequest, { invocationId, trace, callees }: Running): Host {
    const { secrets, functionDoor, network, emit, clock } = this.#options;
    const { app, name } = loaded;
    let door: EmulatorDoor | undefined;
    const keys = request.onceKey === undefined ? undefined : new WriteKeys(request.onceKey);
    // What a tool calls has no further rights on its conversation.
    const grant = request.grant ?? request.caller.grant;
    const clean = (text: string) => request.hidden?.clean(text) ?? text;
    const caller: Caller = {
      type: 'function',
      id: name,
      name: `${app}/${name}`,
      scopes: functionScopes,
      app,
      version: loaded.version,
      invocationId,
      depth: request.caller.depth ?? 0,
      trace: { ...trace, causeId: invocationId },
      ...(grant && { grant }),
    };
    return {
      call: async (operation, input) => {
        try {
          door ??= functionDoor(caller);
          if (grant) await this.#permitChange(grant, caller, operation, input);
          return { ok: await this.#call(loaded, door, operation, input, keys, request.attempt !== undefined) };
        } catch (error) {
          const known = internalError(error);
          const runs = isOperationName(operation) && operationOf(operation).runsFunction;
          const callee = runs ? calleeOf(known) : undefined;
          if (callee && callees.size < mostCallees) callees.set(callee.id, callee.stack);
          const told = this.#told(known);
          return { error: { requestId: request.caller.requestId ?? newId('req', clock.now()), ...told } };
        }
      },
      // What stands in for the network gets what the function has sent.
      fetch: (asked, signal) => {
        const sent = network === undefined ? withTrace(asked, trace, invocationId) : asked;
        return outgoingFetch(sent, loaded.fetchAllow, signal, network);
      },
      log: (line) => {
        const text = clean(secrets.redact(app, line.text));
        emit({ type: 'log', invocationId, app, function: name, level: line.level, text, atMs: line.atMs });
      },
    };
  }

  /** @throws WorkspaceError tool_forbidden */
  async #permitChange(grant: ToolGrant, caller: Caller, operation: string, given: unknown): Promise<void> {
    if (!isOperationName(operation) || operationOf(operation).changes === undefined) return;
    const { permitChange } = await import('../tools/cut.ts');
    const input = isCallWithOptions(given) ? given.input : given;
    await permitChange({ grant, caller, door: this.#options.functionDoor }, operation, input);
  }

  async #call(
    loaded: LoadedFunction,
    door: EmulatorDoor,
    operation: string,
    given: unknown,
    keys: WriteKeys | undefined,
    mayDiffer: boolean,
  ): Promise<unknown> {
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
    requireDeclared(loaded, operation, input);
    try {
      return await door(operation, input as never, options);
    } catch (error) {
      const differs = once !== undefined && error instanceof WorkspaceError && error.code === 'idempotency_key_reused';
      if (differs && mayDiffer) return door(operation, input as never, own);
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
    const { hidden } = request;
    const withoutSecrets = secrets.hasAny(app) ? (text: string) => secrets.redact(app, text) : unchanged;
    // Learned before anything is written: a value of the result may stand in a log line, too.
    const shown =
      hidden && invoked.ok && invoked.result.kind === 'json'
        ? JSON.stringify(hidden.shown('result', JSON.parse(invoked.result.json)) ?? null)
        : undefined;
    const clean = hidden ? (text: string) => hidden.clean(withoutSecrets(text)) : withoutSecrets;
    const status = invoked.ok ? 'ok' : outcome.status === 'ok' ? 'error' : outcome.status;
    const error = invoked.ok ? null : errorOf(invoked, clean);
    const make = recordOf(loaded, request, invoked, startedAt, { status, error, clean, shown });
    if (isSmall(request, outcome)) workspace.invocations.recordLater({ app, function: name }, make);
    else workspace.invocations.record(make());
    const { wallMs: ms, cpuMs } = outcome;
    const hint = invoked.ok ? undefined : invoked.reason.hint;
    const told = error && { error: { ...error, ...(hint !== undefined && { hint }) } };
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
      ...(invoked.ok && invoked.result.kind === 'response' && { httpStatus: invoked.result.response.status }),
    });
  }
}

/**
 * Returns a function that creates the record when it is written. It only references the record's own data: under load a thousand records
 * wait.
 */
function recordOf(
  loaded: LoadedFunction,
  { trigger, caller: { type: callerType, id: callerId }, inputJson }: InvokeRequest,
  invoked: Invoked,
  startedAt: number,
  { status, error, clean, shown }: Judged,
): () => NewInvocation {
  const { invocationId, trace, outcome } = invoked;
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
    trace,
    status,
    startedAt,
    wallMs,
    cpuMs,
    peakMemoryBytes,
    error,
    inputJson: clean(inputJson()),
    resultJson: result === undefined ? null : clean(shown ?? resultText(result)),
    logs: [
      ...logs.map(({ level, text, atMs }) => ({ at: toTimestamp(atMs), level, text: clean(text) })),
      ...(error ? [{ at: toTimestamp(startedAt + wallMs), level: 'error' as const, text: failureLine(error) }] : []),
    ],
    calls: recordedCalls(calls, clean),
  });
}

interface Judged {
  readonly status: NewInvocation['status'];
  readonly error: NewInvocation['error'];
  readonly clean: (text: string) => string;
  /** The result as it may be recorded, if that is not all of it. */
  readonly shown: string | undefined;
}

const { callBytes, callsBytes } = limits.invocations;
/** Headers that are credentials by themselves. */
const credentials = /"(authorization|cookie|set-cookie|proxy-authorization|x-api-key)","[^"]*"/gi;

/** The calls with the beginning of input and answer, redacted, as long as there is room; what is left out of these is still named. */
function recordedCalls(calls: Outcome['calls'], clean: (text: string) => string): NewInvocation['calls'] {
  let bytes = 0;
  const keep = (name: string, text: string | undefined): string | undefined => {
    const nameOnly = isOperationName(name) && operationOf(name).recorded === 'name-only';
    if (text === undefined || text === '' || nameOnly || bytes > callsBytes) return undefined;
    const kept = clean(text).replace(credentials, '"$1","[redacted]"').slice(0, callBytes);
    bytes += kept.length;
    return kept;
  };
  return calls.map((call) => {
    const input = keep(call.name, call.input);
    const answer = keep(call.name, call.answer);
    return {
      kind: call.kind === 'call' ? 'sdk' : 'fetch',
      name: clean(call.name),
      startedMs: call.startedMs,
      ms: call.ms ?? 0,
      status: call.errorCode ?? (call.ms === undefined ? 'unanswered' : 'ok'),
      ...(input !== undefined && { input }),
      ...(answer !== undefined && { answer }),
    };
  });
}

const unchanged = (text: string) => text;

/** Size of a body that a record may reference until it is written. */
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

/** The recorded result: a Response as its parts, with a text body as text. */
function resultText(result: FunctionResult): string {
  if (result.kind === 'json') return result.json;
  const { status, headers, body } = result.response;
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  const kept = body.subarray(0, limits.invocations.recordedBytes);
  // Truncation may split a character, which is then omitted.
  const text = isUtf8(body) ? new TextDecoder().decode(kept, { stream: true }) : `<${body.byteLength} bytes>`;
  return JSON.stringify({ status, headers: Object.fromEntries(headers), body: text });
}

/** Explains the conflict: the key was not set by the author. */
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

/** Refuses what the function's `config` would have to list. @throws WorkspaceError operation_not_allowed */
function requireDeclared(loaded: LoadedFunction, operation: OperationName, input: unknown): void {
  const { declaredIn } = operationOf(operation);
  const declared = declaredIn && loaded.config[declaredIn];
  const name = nameIn(input);
  if (name === undefined || !declared || declared.includes(name)) return;
  throw new WorkspaceError(
    'operation_not_allowed',
    403,
    `config.${declaredIn} of ${loaded.name} does not name ${name}`,
  );
}

function nameIn(input: unknown): string | undefined {
  const name = typeof input === 'object' && input !== null && 'name' in input ? input.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
