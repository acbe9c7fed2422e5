import type { ServedAnswer, ServedTool, ToolProvider } from '../../mcp/index.ts';
import { newTraceId, parseTraceparent } from '../../std/index.ts';
import type { GateTool, ToolsGate } from '../tools/index.ts';

/** The AI Tools that MCP hosts may call, behind the gate: those with `permissions.callers.mcp`. */
export function servedTools(gate: ToolsGate): ToolProvider {
  return {
    async list(host) {
      const named = await listNamed(gate, host);
      return [...named].map(([name, tool]) => describe(name, tool));
    },
    async call({ name, arguments: given, signal, traceparent, host }): Promise<ServedAnswer> {
      const tool = (await listNamed(gate, host)).get(name);
      const traceId = parseTraceparent(traceparent);
      const { status, content, result } = await gate.callTool({
        // What is not listed has its line in the log, too.
        name: tool === undefined ? name : `${tool.source.name}/${tool.name}`,
        arguments: given,
        caller: { kind: 'mcp', name: host },
        signal,
        trace: { traceId: traceId ?? newTraceId(), causeId: null, depth: 0 },
      });
      const isError = status !== 'ok';
      // Text is text to a model, without quotes.
      const words = !isError && typeof result === 'string' ? result : content;
      return { isError, content: words, structured: isError || tool?.output === undefined ? undefined : result };
    },
  };
}

/** By the name that hosts use: that of the tool, with its app where two have it. */
async function listNamed(gate: ToolsGate, host: string | undefined): Promise<Map<string, GateTool>> {
  const tools = (await gate.listTools({ kind: 'mcp', name: host })).filter(({ problem }) => problem === null);
  const named = new Map<string, GateTool>();
  for (const tool of tools) named.set(named.has(tool.name) ? `${tool.source.name}__${tool.name}` : tool.name, tool);
  return named;
}

function describe(name: string, { title, description, input, output, annotations }: GateTool): ServedTool {
  return {
    name,
    title,
    description,
    inputSchema: input as ServedTool['inputSchema'],
    outputSchema: (output ?? null) as ServedTool['outputSchema'],
    annotations,
  };
}
