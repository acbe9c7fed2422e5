/**
 * The `sdk` object that a function receives, made from a door: as text that runs in the sandbox (`Server SDK`) or in the frame of a
 * Custom View (`Client SDK`). Knows the table of operations, but not how operations are carried out.
 */
export { type CallWithOptions, isCallWithOptions, type SdkArgument, type SdkContext } from './argument.ts';
export { type FunctionResult, type ResponseParts, readResult } from './result.ts';
export { clientSdkSource, preludeSource } from './source.ts';
export { sdkTable } from './table.ts';
