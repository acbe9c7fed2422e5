/**
 * Runs a program for a request in isolation: in a child process with nothing else in it, in its own isolate, in a fresh
 * context. It knows nothing about workspaces or projects; requests from inside go to a `host`.
 */
export type { WaitingOptions } from './debugger-hold.ts';
export type { InspectOptions } from './inspect.ts';
export { defaultLimits } from './limits.ts';
export { openSandbox } from './open.ts';
export { wholeBody } from './open-bodies.ts';
export type {
  Accounting,
  CallRecord,
  ChildStats,
  CoveredRange,
  Description,
  ErrorCause,
  Failure,
  FailureCode,
  FetchRequest,
  FetchResponse,
  FunctionCoverage,
  Host,
  InvocationRequest,
  Limits,
  LogLevel,
  LogLine,
  Outcome,
  Program,
  Sandbox,
  SandboxOptions,
  SandboxStats,
  SdkErrorShape,
  SourceCoverage,
} from './types.ts';
