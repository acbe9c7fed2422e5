/**
 * The gate for tools: every call of a tool, whoever makes it, passes here. An app's AI Tools and the tools of MCP clients are sources; what the
 * gate keeps – the log, open questions – is in the workspace, so that nothing is lost when this process ends.
 */
export { AppTools } from './app-tools.ts';
export { toolCallerOf } from './callers.ts';
export { confirmedCalls } from './carry-out.ts';
export { type ConfirmRule, confirmRule } from './confirm-rule.ts';
export { ToolsGate } from './gate.ts';
export type { ToolLogRule } from './hidden.ts';
export type {
  CallToolRequest,
  GateTool,
  ToolAnswer,
  ToolCaller,
  ToolError,
  ToolRun,
  ToolRunEnd,
  ToolSource,
} from './types.ts';
