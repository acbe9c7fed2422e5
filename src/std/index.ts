/** What every room may use: errors, time, ids. Knows nothing about workspaces, functions or terminals. */
export { assetPath, buildStamp, isBuilt, packageFile, packageRoot } from './assets.ts';
export { cacheFolder } from './cache-folder.ts';
export { canonicalJson } from './canonical-json.ts';
export { type Clock, systemClock, TurnableClock, toTimestamp } from './clock.ts';
export { millisecondsOf } from './duration.ts';
export { type Environment, isCi } from './environment.ts';
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
} from './errors.ts';
export { everyPage } from './every-page.ts';
export { newId } from './ids.ts';
export { isRecord } from './is-record.ts';
export { isRunning, startOf } from './is-running.ts';
export { isNestedDeeper, type JsonSize, jsonExcess } from './json-size.ts';
export { isJsonType } from './json-type.ts';
export { removeLeftovers } from './leftovers.ts';
export { forPackageManager, lockfiles } from './lockfiles.ts';
export { makeFolder, makeFolders } from './make-folder.ts';
export { monotonicMs } from './monotonic.ts';
export { nearest } from './nearest.ts';
export { PackedText, packed } from './packed-text.ts';
export { isInside, toSlashes } from './paths.ts';
export { placeOfFolder } from './place-of-folder.ts';
export { isProxyRefusal } from './proxy-refusal.ts';
export { readKeptFile } from './read-kept-file.ts';
export { removeOldFiles } from './remove-old-files.ts';
export { replaceFile, syncFolder, withFileLock } from './safe-file.ts';
export { sha256Hex } from './sha256.ts';
export { shortened } from './shortened.ts';
export { codeEndings, textEndings } from './source-endings.ts';
export { sourceName } from './source-name.ts';
export { framesStart, placedFrames, placeOfFrame } from './stack-frames.ts';
export { thrownHint } from './thrown-hint.ts';
export { isTimezone } from './timezone.ts';
export { Turnstile } from './turnstile.ts';
export { wait } from './wait.ts';
export { isWindowsDevice } from './windows-device.ts';
