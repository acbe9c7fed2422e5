import type { ToolCallOptions, ToolResult, ToolSpec } from '../../agent/index.ts';
import { mcpModelName } from '../../contract/index.ts';
import { sha256Hex, WorkspaceError } from '../../std/index.ts';
import type { LoadedRun } from '../../workspace/index.ts';
import type { GateTool, ToolCaller, ToolsGate } from '../tools/index.ts';

/** A tool that a run may call, and where it comes from, for the record. */
export interface OfferedTool {
  readonly spec: ToolSpec;
  readonly source: {
    readonly type: 'function' | 'mcp' | 'platform';
    readonly function: string | null;
    readonly client: string | null;
  };
}

interface Warning {
  readonly code: string;
  readonly message: string;
}

/** `handover`: nobody answered in time whether the call may be made, and a person is to take over. */
export type RunToolResult = ToolResult & { readonly handover?: boolean };

/** Tools of one run: with more than `manyTools` the run has a warning, and more than `maxTools` are not offered. */
const manyTools = 40;
const maxTools = 128;

/** What one run may call, and the gate behind it. */
export class RunTools {
  readonly #gate: ToolsGate;
  readonly #run: LoadedRun;
  readonly #caller: ToolCaller;
  /** By the name that the model uses. */
  readonly #offered = new Map<string, GateTool>();

  constructor(gate: ToolsGate, run: LoadedRun) {
    this.#gate = gate;
    this.#run = run;
    this.#caller = callerOf(run);
  }

  /** The tools that the agent names, as far as they are there and permit it; and why others are missing. */
  async offer(): Promise<{
    readonly tools: readonly OfferedTool[];
    readonly warnings: readonly Warning[];
    readonly missing: string | undefined;
  }> {
    const warnings: Warning[] = [];
    const tools: OfferedTool[] = [];
    for (const name of this.#run.spec.tools) {
      const tool = await this.#find(name, warnings);
      if (tool === undefined) continue;
      const shown = this.#offered.has(tool.name) ? `${tool.source.name}__${tool.name}` : tool.name;
      this.#offered.set(shown, tool);
      tools.push(offeredOf(tool, shown));
    }
    const missing = await this.#offerForeign(tools, warnings);
    return { tools, warnings, missing };
  }

  /** Adds the tools of MCP clients. @returns why a client that the agent requires is not there */
  async #offerForeign(tools: OfferedTool[], warnings: Warning[]): Promise<string | undefined> {
    let missing: string | undefined;
    for (const { client, tools: names, required } of this.#run.spec.mcp) {
      const found = await this.#findForeign(client, names, warnings);
      if (found === undefined && required) missing ??= `The MCP client ${client} is required and not available`;
      for (const tool of found ?? []) {
        if (tools.length >= maxTools) {
          warnings.push({ code: 'tools_too_many', message: `Only ${maxTools} tools are offered: ${tool.name} is not` });
          return missing;
        }
        const shown = mcpModelName(client, tool.name, sha256Hex);
        this.#offered.set(shown, tool);
        tools.push(offeredOf(tool, shown));
      }
    }
    if (tools.length > manyTools)
      warnings.push({
        code: 'tools_many',
        message: `${tools.length} tools are offered: models choose badly among so many`,
      });
    return missing;
  }

  /** @returns undefined if the client is not there */
  async #findForeign(
    client: string,
    names: readonly string[] | undefined,
    warnings: Warning[],
  ): Promise<GateTool[] | undefined> {
    try {
      const all = await this.#gate.toolsOf(client);
      const wanted = names === undefined ? all : all.filter(({ name }) => names.includes(name));
      for (const name of names ?? []) {
        if (!all.some((tool) => tool.name === name))
          warnings.push({ code: 'tool_unknown', message: `There is no tool ${client}/${name}` });
      }
      return wanted.filter((tool) => {
        if (tool.problem !== null) warnings.push({ code: tool.problemCode ?? 'tool_failed', message: tool.problem });
        return tool.problem === null && tool.permits(this.#caller);
      });
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      warnings.push({ code: error.code, message: error.message });
      return undefined;
    }
  }

  async #find(name: string, warnings: Warning[]): Promise<GateTool | undefined> {
    try {
      const tool = await this.#gate.requireTool(name, this.#run.spec.app ?? undefined);
      const forbids = !tool.permits(this.#caller);
      if (!forbids && tool.problem === null) return tool;
      const message = forbids ? `${name} does not permit this agent (permissions.callers)` : `${name}: ${tool.problem}`;
      warnings.push({ code: forbids ? 'tool_forbidden' : 'tool_failed', message });
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      warnings.push({ code: error.code, message: error.message });
    }
    return undefined;
  }

  /** Calls a tool through the gate. A call that is made again with its id is not done twice. */
  async call(name: string, args: unknown, options: ToolCallOptions): Promise<RunToolResult> {
    const tool = this.#offered.get(name);
    if (tool === undefined) return unknownTool(name);
    const { id, conversation, trace } = this.#run;
    const { toolCallId, modelCallId, signal, rawArguments } = options;
    const answer = await this.#gate.callTool({
      name: `${tool.source.name}/${tool.name}`,
      arguments: args,
      rawArguments,
      caller: this.#caller,
      conversationId: conversation?.id,
      runId: id,
      modelCallId: modelCallId ?? undefined,
      toolCallId,
      signal,
      trace: { ...trace, causeId: id },
      // The answer of a person lets the run go on; it works in the lane of this one, so after it.
      wake: { kind: 'agent-run', payload: { runId: id }, lane: `ai ${conversation?.id ?? id}`, trace },
    });
    const { status, content, result, error, confirmationId, handover } = answer;
    return {
      status,
      content,
      ...(result !== undefined && { result }),
      ...(error && { error }),
      ...(confirmationId !== undefined && { confirmationId }),
      ...(handover && { handover }),
    };
  }
}

function callerOf({ agent, harness, spec }: LoadedRun): ToolCaller {
  if (agent === null) {
    return spec.node ? { kind: 'aiNode', ...spec.node } : { kind: 'harness', name: harness?.name ?? '' };
  }
  const slash = agent.name.indexOf('/');
  return { kind: 'aiAgent', app: agent.name.slice(0, slash), name: agent.name.slice(slash + 1), id: agent.id };
}

function offeredOf(tool: GateTool, name: string): OfferedTool {
  const isMcp = tool.source.kind === 'mcp';
  return {
    spec: {
      name,
      description: tool.description,
      input: tool.input as ToolSpec['input'],
      readOnly: tool.annotations.readOnly,
      confirm: tool.confirm.by,
      source: isMcp ? 'mcp' : 'function',
    },
    source: {
      type: isMcp ? 'mcp' : 'function',
      function: tool.function === null ? null : `${tool.source.name}/${tool.function}`,
      client: isMcp ? tool.source.name : null,
    },
  };
}

function unknownTool(name: string): RunToolResult {
  const error = { code: 'tool_unknown', message: `There is no tool "${name}" in this run`, retryable: true };
  return { status: 'error', content: JSON.stringify({ error }), error };
}
