import type { ToolCallOptions, ToolResult, ToolSpec } from '../../agent/index.ts';
import { WorkspaceError } from '../../std/index.ts';
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
  async offer(): Promise<{ readonly tools: readonly OfferedTool[]; readonly warnings: readonly Warning[] }> {
    const warnings: Warning[] = [];
    const tools: OfferedTool[] = [];
    for (const name of this.#run.spec.tools) {
      const tool = await this.#find(name, warnings);
      if (tool === undefined) continue;
      const shown = this.#offered.has(tool.name) ? `${tool.source.name}__${tool.name}` : tool.name;
      this.#offered.set(shown, tool);
      tools.push(offeredOf(tool, shown));
    }
    return { tools, warnings };
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

function callerOf({ agent, harness }: LoadedRun): ToolCaller {
  if (agent === null) return { kind: 'harness', name: harness?.name ?? '' };
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
