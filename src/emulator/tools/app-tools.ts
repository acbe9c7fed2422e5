import type { ToolConfig } from '../../contract/function-config/index.ts';
import { limits, type ToolCode } from '../../contract/index.ts';
import { canonicalJson, FnError, sha256Hex, WorkspaceError } from '../../std/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import { systemCaller } from '../invoke/arguments.ts';
import type { Invoked, InvokeRequest, Invoker } from '../invoke/invoker.ts';
import type { Apps } from '../sources/apps.ts';
import type { FunctionSource, LoadedFunction } from '../sources/function-source.ts';
import { actorOfTool, callersOf, permitsCaller } from './callers.ts';
import { confirmRule } from './confirm-rule.ts';
import { cutConversation, grantOf, readByDefault } from './cut.ts';
import type { GateTool, ToolCaller, ToolRun, ToolRunEnd, ToolSource } from './types.ts';

export interface AppToolsParts {
  readonly apps: Apps;
  readonly invoker: Invoker;
  readonly workspace: Pick<Workspace, 'tools'>;
}

/** The AI Tools of all apps, by the name that models use. */
export class AppTools {
  readonly #parts: AppToolsParts;
  readonly #sources = new Map<string, AppToolSource>();

  constructor(parts: AppToolsParts) {
    this.#parts = parts;
    parts.apps.onChange(() => {
      for (const source of this.#sources.values()) source.forget();
    });
  }

  async sources(): Promise<readonly ToolSource[]> {
    const all = await this.#parts.apps.all();
    return all.map((source) => {
      const known = this.#sources.get(source.app);
      if (known?.of === source) return known;
      const made = new AppToolSource(this.#parts, source);
      this.#sources.set(source.app, made);
      return made;
    });
  }
}

/** The AI Tools of one app. */
class AppToolSource implements ToolSource {
  readonly kind = 'app';
  readonly of: FunctionSource;
  readonly #parts: AppToolsParts;
  /** Names of functions by names of tools. */
  #names: Promise<ReadonlyMap<string, string>> | undefined;

  constructor(parts: AppToolsParts, of: FunctionSource) {
    this.#parts = parts;
    this.of = of;
  }

  get name(): string {
    return this.of.app;
  }

  forget(): void {
    this.#names = undefined;
  }

  async list(): Promise<readonly GateTool[]> {
    const infos = await this.#infos();
    return infos.flatMap(({ name, config, problem }) =>
      config?.type === 'ai-tool'
        ? [this.#toolOf(config, name, this.of.version, problem && `${name} cannot be used: ${problem.message}`)]
        : [],
    );
  }

  async find(name: string, _isNamed = false, isFresh = false): Promise<GateTool | undefined> {
    if (isFresh) this.#names = undefined;
    const known = (await this.#namesNow()).get(name);
    return known === undefined ? undefined : this.#load(name, known);
  }

  #namesNow(): Promise<ReadonlyMap<string, string>> {
    if (this.#names !== undefined) return this.#names;
    const reading = this.#read();
    this.#names = reading;
    // What failed is read again by the next call.
    reading.catch(() => {
      if (this.#names === reading) this.#names = undefined;
    });
    return reading;
  }

  async #load(name: string, functionName: string): Promise<GateTool | undefined> {
    try {
      const loaded = await this.#parts.apps.load(this.of.app, functionName);
      const { config } = loaded;
      return config.type === 'ai-tool' && config.name === name
        ? this.#toolOf(config, functionName, loaded.version, undefined)
        : undefined;
    } catch (error) {
      if (!(error instanceof FnError)) throw error;
      if (error.code === 'function_not_found') return undefined;
      const info = (await this.#infos()).find((one) => one.name === functionName);
      return info?.config?.type === 'ai-tool'
        ? this.#toolOf(info.config, functionName, this.of.version, error.message)
        : undefined;
    }
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    const infos = await this.#infos();
    return new Map(infos.flatMap(({ name, config }) => (config?.type === 'ai-tool' ? [[config.name, name]] : [])));
  }

  #infos() {
    return this.of.list();
  }

  #toolOf(config: ToolConfig, functionName: string, version: string, problem: string | undefined): GateTool {
    const { annotations = {}, permissions, limits: own = {}, log = {} } = config;
    const callers = callersOf(permissions);
    const { app } = this.of;
    const { name, title, description, input, output, confirm } = config;
    return {
      name,
      source: { kind: 'app', name: app },
      title: title ?? null,
      description,
      input,
      output,
      annotations: {
        readOnly: annotations.readOnly ?? false,
        destructive: annotations.destructive ?? false,
        idempotent: annotations.idempotent ?? false,
        openWorld: annotations.openWorld ?? false,
      },
      callers,
      conversation: {
        read: [...(permissions?.conversation?.read ?? readByDefault)],
        write: [...(permissions?.conversation?.write ?? [])],
      },
      confirm: confirmRule(confirm),
      limits: {
        timeoutMs: own.wallMs ?? own.timeoutMs ?? null,
        maxCallsPerRun: own.maxCallsPerRun ?? null,
        perMinute: own.perMinute ?? null,
        maxResultBytes: own.maxResultBytes ?? limits.tools.resultBytes,
      },
      log: { arguments: log.arguments ?? 'redacted', result: log.result ?? 'redacted', redact: log.redact ?? [] },
      function: functionName,
      version,
      problem: problem ?? null,
      get fingerprint() {
        const told = { name, title, description, input, output, confirm, permissions, annotations };
        return sha256Hex(canonicalJson(told));
      },
      permits: (caller) => permitsCaller(callers, app, caller),
      run: (call) => this.#run(functionName, config, call),
    };
  }

  async #run(functionName: string, config: ToolConfig, call: ToolRun): Promise<ToolRunEnd> {
    const { apps, invoker, workspace } = this.#parts;
    let loaded: LoadedFunction;
    try {
      loaded = await apps.load(this.of.app, functionName);
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      return { ok: false, code: 'tool_failed', message: error.message, invocationId: null };
    }
    const { read = readByDefault, write = [] } = config.permissions?.conversation ?? {};
    const subject = call.conversationId === null ? undefined : await workspace.tools.subject(call.conversationId);
    const request: InvokeRequest = {
      trigger: triggerOf(call.caller),
      caller: { ...systemCaller, ...callerOf(call.caller), depth: call.depth, trace: call.trace },
      argument: {
        tool: {
          args: call.arguments,
          run: call.runId === null ? null : { id: call.runId },
          conversation: subject ? cutConversation(subject, read) : null,
        },
      },
      inputJson: () => JSON.stringify(call.hidden.shown('arguments', call.arguments) ?? null),
      onceKey: call.callId,
      hidden: call.hidden,
      ...(subject && { grant: grantOf(subject, write) }),
      ...(call.signal && { signal: call.signal }),
    };
    return endOf(await invoker.invoke(loaded, request));
  }
}

function endOf(invoked: Invoked): ToolRunEnd {
  const { invocationId } = invoked;
  if (!invoked.ok) {
    const { name, message } = invoked.reason;
    const code = codeOf(invoked);
    // A refusal of sdk says what it refuses without its name.
    const words = invoked.code === 'function_failed' && name !== 'SdkError' ? `${name}: ${message}` : message;
    return { ok: false, code, message: words, invocationId };
  }
  if (invoked.result.kind === 'json') return { ok: true, json: invoked.result.json, invocationId };
  return { ok: false, code: 'tool_bad_output', message: 'An AI Tool returns JSON, not a Response', invocationId };
}

function codeOf({ code, outcome }: Invoked & { readonly ok: false }): ToolCode {
  if (outcome.status !== 'ok' && outcome.error.errorCode === 'tool_forbidden') return 'tool_forbidden';
  if (code === 'function_timeout') return 'tool_timeout';
  if (code === 'result_invalid' || code === 'result_too_large') return 'tool_bad_output';
  if (code === 'workspace_stopping') return 'tool_cancelled';
  return 'tool_failed';
}

function triggerOf({ kind }: ToolCaller): InvokeRequest['trigger'] {
  const triggers = {
    aiAgent: 'agent',
    aiNode: 'flow',
    harness: 'agent',
    mcp: 'mcp',
    code: 'tool',
    person: 'tool',
  } as const satisfies Record<ToolCaller['kind'], string>;
  return triggers[kind];
}

/** Who triggered it, for the record; the function itself has the permissions of its app. */
function callerOf(caller: ToolCaller): Pick<InvokeRequest['caller'], 'type' | 'id'> {
  const { id } = actorOfTool(caller);
  if (caller.kind === 'person') return { type: id === null ? 'local' : 'agent', id };
  if (caller.kind === 'code') return { type: caller.type === 'function' ? 'function' : 'token', id };
  return { type: 'system', id };
}
