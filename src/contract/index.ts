/**
 * The platform as tables: operations, events, error codes, limits, function types. Data only; knows nothing about how an
 * operation is carried out. The shapes are in `shapes/`, the room's second face (see there).
 */
export type { ActorType } from './actor-types.ts';
export { isLoopback, parseBaseUrl, parseSlug, parseWorkspaceAddress } from './address.ts';
export { type AppFileKind, appFileKindNames, appFileKinds, isAppFileKind } from './app-files.ts';
export { channelKinds } from './channel-kinds.ts';
export { type Caller, type CallOptions, type Door, type ToolGrant, type Trace, traceOf } from './door.ts';
export { type ErrorCode, errorCodes } from './error-codes.ts';
export {
  aboutEvents,
  type EventKind,
  eventKinds,
  kindsByNameOnly,
  type LiveFrameKind,
  liveFrameKinds,
} from './events.ts';
export { flowCoverageVariable, type TakenWay } from './flow-coverage.ts';
export { flowTriggers } from './flow-triggers.ts';
export { type FunctionType, functionTypeNames, functionTypeOf, functionTypes } from './function-types.ts';
export {
  type HarnessKind,
  harnessKinds,
  harnessNote,
  type ModelProvider,
  modelProviders,
  packageKinds,
} from './harness-kinds.ts';
export { type JobKind, jobKinds } from './job-kinds.ts';
export { limits } from './limits.ts';
export { mcpClientStates, mcpModelName, mcpTransports } from './mcp/clients.ts';
export { checkServerUrl } from './mcp/server-url.ts';
export {
  type Face,
  isOperationName,
  type MachineOperation,
  type Method,
  type Operation,
  type OperationName,
  type OperationsWhere,
  operationNames,
  operationOf,
  operations,
  type StateOperation,
  type StreamedOperation,
} from './operations.ts';
export { refusal } from './refusal.ts';
export { flowRunStatuses, openRunStatuses, runStatuses } from './run-statuses.ts';
export { type Scope, scopes } from './scopes.ts';
export type { Input, Output, ParsedInput } from './shapes/index.ts';
export { templateExample } from './template-example.ts';
export { languageOf } from './template-language.ts';
export { type ToolCode, toolCodes } from './tool-codes.ts';
export { checkEndpointUrl, type EndpointProblem } from './webhooks/endpoint-url.ts';
export { findSubscriptionProblem, isSubscribed } from './webhooks/subscriptions.ts';
