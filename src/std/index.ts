/** What every room may use: errors, time, ids. Knows nothing about workspaces, functions or terminals. */

export { type Environment, isCi, isGitHubActions } from './environment.ts';
export {
  AccessError,
  ConflictError,
  codeOf,
  type ExitCode,
  type FailedRun,
  type FieldProblem,
  FnError,
  type FnErrorOptions,
  FunctionError,
  InterruptedError,
  LimitError,
  MachineError,
  messageOf,
  ProjectError,
  type SourceLocation,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
  WorkspaceError,
  type WorkspaceErrorOptions,
} from './errors/errors.ts';
export { isProxyRefusal } from './errors/proxy-refusal.ts';
export { framesStart, placedFrames, placeOfFrame } from './errors/stack-frames.ts';
export { thrownHint } from './errors/thrown-hint.ts';
export { everyPage } from './every-page.ts';
export { assetPath, buildStamp, isBuilt, packageFile, packageRoot } from './files/assets.ts';
export { cacheFolder } from './files/cache-folder.ts';
export { isRunning, startOf } from './files/is-running.ts';
export { removeLeftovers } from './files/leftovers.ts';
export { forPackageManager, lockfiles } from './files/lockfiles.ts';
export { makeFolder, makeFolders } from './files/make-folder.ts';
export { isInside, toSlashes } from './files/paths.ts';
export { placeOfFolder } from './files/place-of-folder.ts';
export { readKeptFile } from './files/read-kept-file.ts';
export { removeOldFiles } from './files/remove-old-files.ts';
export { replaceFile, syncFolder, withFileLock } from './files/safe-file.ts';
export { codeEndings, textEndings } from './files/source-endings.ts';
export { sourceName } from './files/source-name.ts';
export { isWindowsDevice } from './files/windows-device.ts';
export { runForeign, runOwn, tookForeign } from './foreign-code.ts';
export { newId } from './ids.ts';
export { type Lazy, lazy } from './lazy.ts';
export { type AddressKind, addressKind } from './network/address-kind.ts';
export { explainSignature } from './signature/explain.ts';
export { decodeSigningSecret, newSigningSecret } from './signature/secret.ts';
export { type SignatureHeaders, type SignedMessage, signMessage } from './signature/sign.ts';
export {
  type ReceivedMessage,
  refuseByHeaders,
  type SignatureProblem,
  signatureToleranceSeconds,
  type Verification,
  type VerifyOptions,
  verifySignature,
} from './signature/verify.ts';
export { canonicalJson } from './text/canonical-json.ts';
export { isRecord } from './text/is-record.ts';
export { isNestedDeeper, type JsonSize, jsonExcess } from './text/json-size.ts';
export { isJsonType } from './text/json-type.ts';
export { nearest } from './text/nearest.ts';
export { PackedText, packed } from './text/packed-text.ts';
export { sha256Hex } from './text/sha256.ts';
export { shortened } from './text/shortened.ts';
export { type Clock, systemClock, TurnableClock, toTimestamp } from './time/clock.ts';
export { millisecondsOf } from './time/duration.ts';
export { monotonicMs } from './time/monotonic.ts';
export { isTimezone } from './time/timezone.ts';
export { Turnstile } from './time/turnstile.ts';
export { wait } from './time/wait.ts';
export { newTraceId, parseTraceDepth, parseTraceparent, spanIdOf, traceHeaders } from './trace.ts';
