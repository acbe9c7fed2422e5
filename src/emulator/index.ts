/**
 * A running workspace, which combines the machines: invocations of every type, cron, setup, the door, and the HTTP face. It knows
 * nothing about terminals.
 */
export type { EmulatorDoor } from './door.ts';
export { type Emulator, type EmulatorOptions, openEmulator } from './emulator.ts';
export type { EmulatorEvent } from './events.ts';
export { curlLine, type ExampleCall, exampleVerb } from './http/example-call.ts';
export type { Listening, ListenOptions } from './http/index.ts';
export type { FailureReason } from './invoke/failure.ts';
export type { Invoked } from './invoke/invoker.ts';
export { servedTools } from './mcp/served-tools.ts';
export { type ServedDoors, serveRunDoors } from './runs/serve-doors.ts';
export type { FunctionInfo, FunctionSource, LoadedFunction, SourceFile } from './sources/function-source.ts';
export * from './sources/local/index.ts';
export type { CallToolRequest, GateTool, ToolAnswer, ToolCaller, ToolSource, ToolsGate } from './tools/index.ts';
