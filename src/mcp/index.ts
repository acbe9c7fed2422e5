/**
 * The Model Context Protocol: servers of others as a client, and our tools as a server. Knows no workspace and no functions; what it may connect
 * to is handed in as `fetch`, and what it serves as a provider. The SDKs are loaded by the first connection.
 */
export { openConnection } from './client/connect.ts';
export type { McpConnection, McpConnectOptions } from './client/connection.ts';
export { lintTools } from './client/lint.ts';
export { McpError, type McpErrorCode } from './client/mcp-error.ts';
export {
  type McpCallResult,
  type McpLimits,
  type McpServerAddress,
  type McpTool,
  type McpTransport,
  mcpLimits,
} from './client/types.ts';
export type { Fetch } from './client/watched-fetch.ts';
export { type Bridge, openBridge } from './server/bridge.ts';
export { type McpHttpServer, openMcpHttp } from './server/http.ts';
export { type McpStdioServer, openMcpStdio } from './server/stdio.ts';
export type { ServedAnswer, ServedCall, ServedTool, ToolProvider } from './server/types.ts';
