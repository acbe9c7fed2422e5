import type { ServedAnswer, ServedTool, ToolProvider } from '../../mcp/index.ts';
import type { RunDoors } from '../runs/run-doors.ts';

/** The tools of the run that a host was let in for, as an MCP server shows them. */
export function servedRunTools(doors: Pick<RunDoors, 'of'>): ToolProvider {
  return {
    list: async (runId = '') =>
      doors.of(runId).tools.map(
        ({ name, description, input, readOnly = false }): ServedTool => ({
          name,
          title: null,
          description,
          inputSchema: input,
          outputSchema: null,
          annotations: { readOnly, destructive: !readOnly, idempotent: false, openWorld: true },
        }),
      ),
    async call({ name, arguments: given, host: runId = '' }): Promise<ServedAnswer> {
      const { status, content } = await doors.of(runId).callTool(name, given);
      return { isError: status !== 'ok', content, structured: undefined };
    },
  };
}
