/** What the connection of an MCP client is doing. */
export const mcpClientStates = ['idle', 'connecting', 'listed', 'cut', 'waiting', 'failed', 'needsSecret'] as const;

/** How a server is spoken to; `sse` is HTTP+SSE, the documented transport. */
export const mcpTransports = ['sse', 'streamable-http'] as const;

/** What a model calls a tool of a client: at most 64 characters of those that all providers take. */
export function mcpModelName(client: string, tool: string, hash: (text: string) => string): string {
  const name = `mcp_${client}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_');
  const isExact = name === `mcp_${client}_${tool}` && name.length <= 64;
  return isExact ? name : `${name.slice(0, 57)}_${hash(`${client}\n${tool}`).slice(0, 6)}`;
}
