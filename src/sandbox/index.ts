/**
 * Runs one program against one request, isolated: in a child process with nothing in it, in an isolate of its own, in a
 * fresh context. Knows nothing of workspaces or projects: it is handed a `host` to ask.
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
