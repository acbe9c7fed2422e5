import { type JsonSchema, schemaCheck } from '../../contract/function-config/index.ts';
import { type ToolCode, toolCodes } from '../../contract/index.ts';
import type { McpCallResult } from '../../mcp/index.ts';
import { canonicalJson, messageOf, sha256Hex, traceHeaders, WorkspaceError } from '../../std/index.ts';
import type { LoadedMcpClient, McpToolOfClient, Workspace } from '../../workspace/index.ts';
import {
  confirmRule,
  type GateTool,
  type ToolCaller,
  type ToolRun,
  type ToolRunEnd,
  type ToolSource,
} from '../tools/index.ts';
import type { McpClients } from './mcp-clients.ts';

/** A result as JSON: text is cut to 32 KiB, and each of its bytes may need an escape of six. */
const maxResultBytes = 256 * 1024;

/** The tools of the workspace's MCP clients as sources of the gate. */
export class McpTools {
  readonly #clients: McpClients;
  readonly #workspace: Pick<Workspace, 'mcpClients'>;

  constructor(clients: McpClients, workspace: Pick<Workspace, 'mcpClients'>) {
    this.#clients = clients;
    this.#workspace = workspace;
  }

  async sources(): Promise<readonly ToolSource[]> {
    const names = await this.#workspace.mcpClients.names();
    return names.map((name) => ({
      kind: 'mcp',
      name,
      list: async (isNamed) => {
        const client = isNamed ? await this.#clients.connect(name) : await this.#workspace.mcpClients.load(name);
        return client === undefined ? [] : client.tools.map((tool) => this.#toolOf(client, tool));
      },
      find: (tool, isNamed) => this.#find(name, tool, isNamed === true),
    }));
  }

  /** @param connects whether the client itself was named: then its server is asked if it never was */
  async #find(name: string, toolName: string, connects: boolean): Promise<GateTool | undefined> {
    let client = await this.#workspace.mcpClients.load(name);
    if (client === undefined) return undefined;
    if (connects && !client.isListed) {
      try {
        client = await this.#clients.tools(name);
      } catch (error) {
        if (!(error instanceof WorkspaceError)) throw error;
        return unreachableTool(client, toolName, error);
      }
    }
    const tool = client.tools.find((one) => one.name === toolName);
    return tool && this.#toolOf(client, tool);
  }

  #toolOf(client: LoadedMcpClient, tool: McpToolOfClient): GateTool {
    const { annotations, hash } = tool;
    return {
      ...commonOf(client, tool.name),
      title: tool.title,
      description: tool.description,
      input: tool.inputSchema as JsonSchema,
      annotations: {
        readOnly: annotations.readOnly ?? false,
        destructive: annotations.destructive ?? false,
        idempotent: annotations.idempotent ?? false,
        openWorld: annotations.openWorld ?? true,
      },
      confirm: confirmRule(tool.confirm),
      limits: { ...tool.limits, maxResultBytes },
      log: { arguments: tool.log, result: tool.log, redact: [] },
      version: hash.slice(0, 12),
      problem: tool.state === 'available' ? null : describeWithheld(client, tool),
      problemCode: 'tool_forbidden',
      fingerprint: sha256Hex(canonicalJson([client.url, hash, tool.confirm])),
      run: (call) => this.#run(client, tool, call),
    };
  }

  async #run(client: LoadedMcpClient, tool: McpToolOfClient, call: ToolRun): Promise<ToolRunEnd> {
    const { traceId, causeId, depth } = call.trace;
    const [[, traceparent] = []] = traceHeaders(traceId, causeId ?? call.callId, depth);
    try {
      const result = await this.#clients.call({
        client: client.id,
        tool: tool.name,
        arguments: call.arguments as Record<string, unknown>,
        signal: call.signal,
        timeoutMs: tool.limits.timeoutMs,
        traceparent,
      });
      return await endOf(tool, result);
    } catch (error) {
      const { code } = error as { code?: unknown };
      return { ok: false, code: toolCodeOf(String(code)), message: messageOf(error), invocationId: null };
    }
  }
}

const nobody = { read: [], write: [] };

/** Agents and nodes name the tools they use; whoever lists the tools of a run offers it those. */
function commonOf({ name: client, code }: LoadedMcpClient, name: string) {
  return {
    name,
    source: { kind: 'mcp' as const, name: client },
    output: undefined,
    callers: { aiAgents: 'all', aiNodes: 'all', harnesses: 'all', code, mcp: false } as const,
    conversation: nobody,
    function: null,
    permits: (caller: ToolCaller) => (caller.kind === 'code' ? code : caller.kind !== 'mcp'),
  };
}

/** A tool of a server that was never listed: why it cannot be. */
function unreachableTool(client: LoadedMcpClient, name: string, { code, message }: WorkspaceError): GateTool {
  return {
    ...commonOf(client, name),
    title: null,
    description: '',
    input: {},
    annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    confirm: confirmRule('never'),
    limits: { timeoutMs: null, maxCallsPerRun: null, perMinute: null, maxResultBytes },
    log: { arguments: 'none', result: 'none', redact: [] },
    version: null,
    problem: message,
    problemCode: toolCodeOf(code),
    fingerprint: '',
    run: () => Promise.reject(new Error(message)),
  };
}

function describeWithheld({ name }: LoadedMcpClient, tool: McpToolOfClient): string {
  if (tool.reason === 'unusable') return `${tool.name} cannot be used: ${tool.problem}`;
  const why = tool.reason === 'new' ? 'is new' : 'has changed';
  return `${tool.name} is withheld: it ${why} since the tools of ${name} were accepted (fn mcp diff ${name}, fn mcp accept ${name})`;
}

/** What a model gets. Structured content that does not match its own schema is a bad result; text that was cut is text. */
async function endOf({ outputSchema }: McpToolOfClient, result: McpCallResult): Promise<ToolRunEnd> {
  const { isError, text, structured, isCut } = result;
  if (isError) return { ok: false, code: 'tool_failed', message: text, invocationId: null };
  if (structured !== undefined && outputSchema !== null) {
    const problem = await findMisfit(outputSchema as JsonSchema, structured);
    if (problem !== undefined) {
      const message = `The result does not match the tool’s output schema: ${problem}`;
      return { ok: false, code: 'tool_bad_output', message, invocationId: null };
    }
  }
  return { ok: true, json: JSON.stringify(isCut ? text : (structured ?? text)), invocationId: null };
}

async function findMisfit(schema: JsonSchema, value: unknown): Promise<string | undefined> {
  const check = await schemaCheck(schema, 'its output schema').catch(() => undefined);
  const [first] = check?.(value) ?? [];
  return first && `${first.path} ${first.message}`.trim();
}

function toolCodeOf(code: string): ToolCode {
  if (code === 'mcp_timeout') return 'tool_timeout';
  if (code === 'mcp_cancelled' || code === 'workspace_stopping') return 'tool_cancelled';
  return Object.hasOwn(toolCodes, code) ? (code as ToolCode) : 'tool_failed';
}
