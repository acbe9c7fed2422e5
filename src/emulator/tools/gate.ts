import { type JsonSchema, schemaCheck } from '../../contract/function-config/index.ts';
import { limits, refusal, type ToolCode, toolCodes } from '../../contract/index.ts';
import {
  canonicalJson,
  FnError,
  messageOf,
  monotonicMs,
  nearest,
  newId,
  newTraceId,
  shortened,
  type TurnableClock,
} from '../../std/index.ts';
import type {
  EndedToolCall,
  Json,
  NewConfirmation,
  NewToolCall,
  ToolOutcome,
  Workspace,
} from '../../workspace/index.ts';
import type { EmulatorEvent } from '../events.ts';
import { actorOfTool, wordsFor } from './callers.ts';
import { Hidden } from './hidden.ts';
import type { CallToolRequest, GateTool, ToolAnswer, ToolCaller, ToolRunEnd, ToolSource } from './types.ts';

export interface GateOptions {
  readonly workspace: Pick<Workspace, 'tools' | 'call'>;
  readonly clock: TurnableClock;
  readonly emit: (event: EmulatorEvent) => void;
  /** Where tools come from, asked at every call. */
  readonly sources: () => Promise<readonly ToolSource[]>;
}

/** What carrying out a confirmed call needs; kept encrypted with the confirmation. */
type KeptRequest = {
  readonly tool: string;
  readonly source: string;
  readonly arguments: Json;
  readonly caller: Json;
  readonly depth: number;
};

/** A call that may be made: all checks but the confirmation are behind it. */
interface Permitted {
  readonly tool: GateTool;
  readonly call: NewToolCall;
  readonly arguments: Json;
  readonly caller: ToolCaller;
  readonly hidden: Hidden;
  readonly depth: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The one gate through which all tools are called, whoever calls: known, permitted, arguments, limits and budget, confirmation, the run with a
 * context cut to what is permitted, result, log.
 */
export class ToolsGate {
  readonly #options: GateOptions;
  /** Calls that run in this process, by id. */
  readonly #running = new Map<string, Promise<ToolAnswer>>();

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** All tools, or those that this caller may call. */
  async listTools(caller?: ToolCaller): Promise<readonly GateTool[]> {
    const lists = await Promise.all((await this.#sources()).map((source) => source.list()));
    return lists.flat().filter((tool) => caller === undefined || tool.permits(caller));
  }

  /**
   * The tools of one source; that of an MCP client is connected first.
   * @throws WorkspaceError mcp_client_not_found, and what connecting may fail with
   */
  async toolsOf(source: string): Promise<readonly GateTool[]> {
    const found = (await this.#sources()).find(({ name, kind }) => name === source && kind === 'mcp');
    if (found === undefined) throw refusal('mcp_client_not_found', `There is no MCP client ${source}`);
    return await found.list(true);
  }

  /** @param ownApp whose tool is meant where several have the name. @throws WorkspaceError tool_unknown */
  async requireTool(name: string, ownApp?: string): Promise<GateTool> {
    const found = await this.#find(name, ownApp);
    if (typeof found !== 'string') return found;
    throw refusal('tool_unknown', found);
  }

  /**
   * Calls a tool. Whatever comes of it is a value, and has one line in the log.
   * @throws WorkspaceError conversation_not_found
   */
  callTool(request: CallToolRequest): Promise<ToolAnswer> {
    const callId = request.toolCallId ?? newId('tlc', this.#options.clock.now());
    const running = this.#running.get(callId);
    if (running) return running;
    const answer = this.#call(callId, request).finally(() => this.#running.delete(callId));
    this.#running.set(callId, answer);
    return answer;
  }

  /** Ends what a process that is gone has begun and nobody takes up again. */
  endAbandoned(): Promise<void> {
    return this.#options.workspace.tools.endAbandoned((callId) => this.#running.has(callId));
  }

  /** Carries out a call that waited for its confirmation and has it now; made again, it does nothing twice. */
  carryOut(callId: string, signal: AbortSignal | undefined): Promise<ToolAnswer | undefined> {
    const running = this.#running.get(callId);
    if (running) return running;
    const answer = this.#goOn(callId, undefined, signal);
    const kept = answer.then((it) => it ?? answerOf(callId, cancelled)).finally(() => this.#running.delete(callId));
    this.#running.set(callId, kept);
    kept.catch(() => {});
    return answer;
  }

  /** The request of an open confirmation with other arguments. @throws WorkspaceError confirmation_not_found, tool_unknown, tool_invalid_arguments */
  async editedRequest(confirmationId: string, given: Json): Promise<Json | undefined> {
    const { request } = await this.#options.workspace.tools.asked(confirmationId);
    if (request === null) return undefined;
    const kept = request as unknown as KeptRequest;
    const tool = await this.requireTool(`${kept.source}/${kept.tool}`);
    const problem = await this.#argumentProblem(tool, given);
    if (problem !== undefined) throw refusal('tool_invalid_arguments', `${tool.name}: ${problem}`);
    return { ...kept, arguments: given } as Json;
  }

  async #call(callId: string, request: CallToolRequest): Promise<ToolAnswer> {
    if (request.toolCallId !== undefined) {
      const again = await this.#goOn(callId, request, request.signal);
      if (again) return again;
    }
    const trace = request.trace ?? { traceId: newTraceId(), causeId: null, depth: 0 };
    const call: Omit<NewToolCall, 'arguments'> = {
      id: callId,
      tool: shortened(request.name, 200),
      source: null,
      version: null,
      caller: actorOfTool(request.caller),
      runId: request.runId ?? null,
      modelCallId: request.modelCallId ?? null,
      conversationId: request.conversationId ?? null,
      trace,
    };
    const tool = await this.#find(request.name, appOf(request.caller));
    // Nothing is known of what its log may show.
    if (typeof tool === 'string') return this.#refuse({ ...call, arguments: undefined }, errorOf('tool_unknown', tool));
    const given = (request.arguments ?? {}) as Json;
    const hidden = new Hidden(tool.log);
    const known: NewToolCall = {
      ...call,
      tool: tool.name,
      source: tool.source,
      version: tool.version,
      arguments: request.rawArguments === undefined ? hidden.shown('arguments', given) : undefined,
    };
    const refused = await this.#problemOf(tool, request, given);
    if (refused !== undefined) return this.#refuse(known, refused, hidden);
    const { signal, depth = 0, caller } = request;
    const permitted = { tool, call: known, arguments: given, caller, hidden, depth, signal };
    const question = await this.#questionOf(permitted, request);
    if (question === 'nobody') {
      return this.#refuse(
        known,
        errorOf('tool_denied', 'The customer has to confirm this call, and it is in no conversation'),
        hidden,
      );
    }
    const { perMinute, maxCallsPerRun } = tool.limits;
    const begun = await this.#options.workspace.tools.begin(
      known,
      { perMinute: perMinute ?? undefined, maxCallsPerRun: maxCallsPerRun ?? undefined },
      question,
    );
    if (begun.state === 'refused') return answerOf(callId, begun.outcome);
    if (begun.state === 'over') return answerOf(begun.callId, begun.outcome);
    if (begun.state === 'allowed') {
      return (await this.carryOut(begun.callId, signal)) ?? answerOf(begun.callId, cancelled);
    }
    if (begun.state === 'asked') {
      const { callId: waiting, confirmationId } = begun;
      const { by = 'human', text = '' } = question ?? {};
      if (waiting === callId) this.#options.emit({ type: 'confirmation', confirmationId, tool: tool.name, by, text });
      return askedAnswer(waiting, confirmationId, known.runId !== null ? text : undefined);
    }
    return this.#run(permitted);
  }

  /** The checks in their order, up to limits. A tool whose schema is no schema cannot be called. */
  async #problemOf(tool: GateTool, request: CallToolRequest, given: Json): Promise<ToolOutcome | undefined> {
    try {
      return await this.#firstProblem(tool, request, given);
    } catch (error) {
      if (!(error instanceof FnError)) throw error;
      return errorOf('tool_failed', `${tool.name} cannot be called: ${error.message}`, false);
    }
  }

  async #firstProblem(tool: GateTool, request: CallToolRequest, given: Json): Promise<ToolOutcome | undefined> {
    if (!tool.permits(request.caller)) {
      return errorOf(
        'tool_forbidden',
        `${tool.name} does not permit ${wordsFor(request.caller)} (permissions.callers)`,
      );
    }
    if (tool.problem !== null) return errorOf(tool.problemCode ?? 'tool_failed', tool.problem, false);
    if (request.rawArguments !== undefined) {
      return errorOf('tool_invalid_arguments', 'The arguments are not valid JSON');
    }
    const problem = await this.#argumentProblem(tool, given);
    if (problem !== undefined) return errorOf('tool_invalid_arguments', problem);
    if ((request.depth ?? 0) + 1 >= limits.function.callDepth) {
      return errorOf('tool_limit', 'Tools and functions call each other too deeply', false);
    }
    // Of a schema that does not compile this is the place to say so: before anything is asked or done.
    for (const [schema, what] of [
      [tool.confirm.when, 'confirm.when'],
      [tool.output, 'the output'],
    ] as const) {
      if (schema !== undefined) await schemaCheck(schema, `${what} of ${tool.name}`);
    }
    const over = request.budget?.();
    return over === undefined ? undefined : errorOf('tool_limit', over, false);
  }

  async #argumentProblem(tool: GateTool, given: Json): Promise<string | undefined> {
    if (Buffer.byteLength(JSON.stringify(given)) > limits.tools.argumentBytes) {
      return `the arguments are larger than ${limits.tools.argumentBytes / 1024} KiB`;
    }
    return this.#misfit(tool.input, given, `the input of ${tool.name}`);
  }

  /** What does not match a schema, in one sentence. */
  async #misfit(schema: JsonSchema, value: unknown, what: string): Promise<string | undefined> {
    const problems = (await schemaCheck(schema, what))(value);
    if (problems.length === 0) return undefined;
    const told = problems.slice(0, 5).map(({ path, message }) => (path === '' ? message : `${path} ${message}`));
    return `${told.join('; ')}${problems.length > 5 ? `; and ${problems.length - 5} more` : ''}`;
  }

  async #questionOf(
    { tool, call, arguments: given, caller, depth }: Permitted,
    { wake }: CallToolRequest,
  ): Promise<NewConfirmation | 'nobody' | undefined> {
    const { by, when, text, expiresAfterMs, onExpire } = tool.confirm;
    if (by === 'never') return undefined;
    if (when !== undefined && (await this.#misfit(when, given, `confirm.when of ${tool.name}`)) !== undefined)
      return undefined;
    const inConversation = call.conversationId !== null;
    if (by === 'customer' && !inConversation) return 'nobody';
    const request: KeptRequest = {
      tool: tool.name,
      source: tool.source.name,
      arguments: given,
      caller: caller as unknown as Json,
      depth,
    };
    const same = [tool.source.name, tool.name, caller, call.conversationId, given];
    return {
      by,
      title: tool.title,
      text: text ?? questionText(tool, call.arguments),
      expiresAfterMs,
      onExpire: onExpire ?? (inConversation ? 'handover' : 'deny'),
      request: request as unknown as Json,
      fingerprint: tool.fingerprint,
      ...(call.runId === null && { sameAs: this.#options.workspace.tools.digest(canonicalJson(same)) }),
      ...(wake && { wake }),
    };
  }

  /** What became of a call that was made before. @returns undefined if it was not */
  async #goOn(
    callId: string,
    again: CallToolRequest | undefined,
    signal: AbortSignal | undefined,
  ): Promise<ToolAnswer | undefined> {
    const { tools } = this.#options.workspace;
    const earlier = await tools.earlier(callId);
    if (earlier === undefined) return undefined;
    if (earlier.state === 'over') return answerOf(callId, earlier.outcome);
    if (earlier.state === 'open') {
      const { call, confirmationId, text } = earlier;
      return askedAnswer(callId, confirmationId, call.runId !== null ? text : undefined);
    }
    const { call } = earlier;
    const kept = earlier.request as unknown as KeptRequest | null;
    const caller = (kept?.caller ?? again?.caller) as unknown as ToolCaller;
    const given = kept === null ? ((again?.arguments ?? {}) as Json) : kept.arguments;
    const depth = kept?.depth ?? again?.depth ?? 0;
    const name = `${call.source?.name}/${call.tool}`;
    const tool = await this.#find(name);
    const hidden = new Hidden(typeof tool === 'string' ? { arguments: 'none', result: 'none', redact: [] } : tool.log);
    hidden.shown('arguments', given);
    const end = (outcome: ToolOutcome) => this.#end(callId, hidden, outcome, undefined, 0);
    if (typeof tool === 'string') return end(errorOf('tool_unknown', tool));
    // The process that ran it has ended in the middle.
    const { readOnly, idempotent } = tool.annotations;
    if (earlier.state === 'running' && !readOnly && !idempotent) {
      return end(errorOf('tool_outcome_unknown', 'The call was interrupted, and nobody knows whether it was done'));
    }
    if (earlier.state === 'allowed') {
      if (tool.fingerprint !== earlier.fingerprint) {
        return end(
          errorOf('tool_changed', `${tool.name} has changed since the confirmation was asked for: make the call again`),
        );
      }
      const refused = await this.#problemOf(tool, { name, arguments: given, caller, depth }, given);
      if (refused !== undefined) return end(refused);
      await tools.take(callId);
    }
    return this.#run({ tool, call, arguments: given, caller, hidden, depth, signal });
  }

  async #run({ tool, call, arguments: given, caller, hidden, depth, signal }: Permitted): Promise<ToolAnswer> {
    const beganMs = monotonicMs();
    let end: ToolRunEnd;
    try {
      end = await tool.run({
        callId: call.id,
        arguments: given,
        caller,
        conversationId: call.conversationId,
        runId: call.runId,
        trace: { ...call.trace, causeId: call.id },
        depth: depth + 1,
        signal,
        hidden,
      });
    } catch (error) {
      end = { ok: false, code: 'tool_failed', message: messageOf(error), invocationId: null };
    }
    const ms = monotonicMs() - beganMs;
    if (!end.ok) return this.#end(call.id, hidden, errorOf(end.code, end.message), end.invocationId, ms);
    const bytes = Buffer.byteLength(end.json);
    const bad = (message: string) =>
      this.#end(call.id, hidden, errorOf('tool_bad_output', message), end.invocationId, ms, bytes);
    const { maxResultBytes } = tool.limits;
    const result = JSON.parse(end.json) as Json;
    if (tool.output !== undefined) {
      const problem = await this.#misfit(tool.output, result, `the output of ${tool.name}`);
      if (problem !== undefined) return bad(`The result does not match the tool’s output schema: ${problem}`);
    }
    if (bytes > maxResultBytes) {
      return bad(`The result has ${bytes} bytes; limits.maxResultBytes is ${maxResultBytes}`);
    }
    return this.#end(call.id, hidden, { status: 'ok', result }, end.invocationId, ms, bytes);
  }

  async #end(
    callId: string,
    hidden: Hidden,
    outcome: ToolOutcome,
    invocationId: string | null | undefined,
    ms: number,
    resultBytes: number | null = null,
  ): Promise<ToolAnswer> {
    const result = outcome.result === undefined ? undefined : hidden.shown('result', outcome.result);
    const ended = {
      outcome,
      ms,
      resultBytes,
      result,
      message: told(outcome, hidden),
      invocationId: invocationId ?? null,
    };
    await this.#options.workspace.tools.end(callId, ended);
    return answerOf(callId, outcome);
  }

  async #refuse(call: NewToolCall, outcome: ToolOutcome, hidden?: Hidden): Promise<ToolAnswer> {
    const ended: EndedToolCall = {
      outcome,
      ms: 0,
      resultBytes: null,
      result: undefined,
      message: told(outcome, hidden),
      invocationId: null,
    };
    await this.#options.workspace.tools.refuse(call, ended);
    return answerOf(call.id, outcome);
  }

  /** @returns the tool, or why there is none */
  async #find(name: string, ownApp?: string): Promise<GateTool | string> {
    const found = await this.#findIn(await this.#sources(), name, ownApp, false);
    // It may have been added or renamed a moment ago.
    const fresh = found ?? (await this.#findIn(await this.#sources(), name, ownApp, true));
    return fresh ?? this.#unknown(name);
  }

  async #findIn(
    sources: readonly ToolSource[],
    name: string,
    ownApp: string | undefined,
    isFresh: boolean,
  ): Promise<GateTool | string | undefined> {
    const slash = name.indexOf('/');
    if (slash > 0) {
      const [source, own] = [name.slice(0, slash), name.slice(slash + 1)];
      return sources.find((one) => one.name === source)?.find(own, true, isFresh);
    }
    const own =
      ownApp === undefined ? undefined : await sources.find((one) => one.name === ownApp)?.find(name, false, isFresh);
    if (own) return own;
    const all = await Promise.all(sources.map((source) => source.find(name, false, isFresh)));
    const found = all.filter((one) => one !== undefined);
    const [first, ...others] = found;
    if (others.length === 0) return first;
    const names = found.map((tool) => `${tool.source.name}/${tool.name}`).join(', ');
    return `Several tools are called ${name}: say which, ${names}`;
  }

  async #unknown(name: string): Promise<string> {
    const meant = nearest(
      name,
      (await this.listTools()).map((tool) => tool.name),
    );
    return `There is no tool ${shortened(name, 100)}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
  }

  #sources(): Promise<readonly ToolSource[]> {
    return this.#options.sources();
  }
}

const cancelled: ToolOutcome = {
  status: 'cancelled',
  error: { code: 'tool_cancelled', message: toolCodes.tool_cancelled.title, retryable: true },
};

const statuses: Partial<Record<ToolCode, ToolOutcome['status']>> = {
  tool_denied: 'denied',
  tool_timeout: 'timeout',
  tool_cancelled: 'cancelled',
};

function errorOf(code: ToolCode, message: string, retryable: boolean = toolCodes[code].retryable): ToolOutcome {
  return { status: statuses[code] ?? 'error', error: { code, message: shortened(message, 2000), retryable } };
}

const told = ({ error }: ToolOutcome, hidden: Hidden | undefined) =>
  error && (hidden ? hidden.clean(error.message) : error.message);

function answerOf(callId: string, { status, result, error, handover }: ToolOutcome): ToolAnswer {
  const content = error ? JSON.stringify({ error }) : JSON.stringify(result ?? null);
  return {
    status,
    callId,
    ...(result !== undefined && { result }),
    ...(error && { error }),
    ...(handover && { handover }),
    content,
  };
}

/** @param question undefined: the caller does not wait for the answer */
function askedAnswer(callId: string, confirmationId: string, question: string | undefined): ToolAnswer {
  const waits = question !== undefined;
  const { retryable } = toolCodes.tool_confirmation_required;
  const message = waits
    ? 'The call waits for a confirmation'
    : `Somebody has to confirm this call first (${confirmationId}); then make it again`;
  const error = { code: 'tool_confirmation_required', message, retryable } as const;
  return {
    status: waits ? 'awaitingConfirmation' : 'error',
    callId,
    confirmationId,
    error,
    content: waits ? question : JSON.stringify({ error }),
  };
}

const appOf = (caller: ToolCaller) => ('app' in caller ? caller.app : undefined);

const maxTextLength = 400;

/** The question that is asked unless the tool words it itself: its title, and the arguments as its log may show them. */
function questionText({ title, name }: GateTool, shown: Json | undefined): string {
  const fields = Object.entries((shown ?? {}) as Record<string, Json>).map(
    ([field, value]) => `${field}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return shortened([`${title ?? name}?`, ...fields].join('\n'), maxTextLength);
}
