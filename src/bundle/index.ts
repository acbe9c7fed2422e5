/**
 * Turns sources into one program text with a source map, incrementally, and watches them. It knows nothing about sandboxes or workspaces: a
 * bundle is text. esbuild is used only here, and loaded at the first build that the cache cannot answer.
 */
export { Bundler } from './bundler.ts';
export { bundlerVersion } from './compiler/version.ts';
export { stampOf } from './freshness/stamps.ts';
export { type Watcher, watchApp } from './freshness/watch.ts';
export { buildShims } from './shims.ts';
export type {
  BuildWarning,
  BuiltBundle,
  Bundle,
  BundleLimits,
  BundlerOptions,
  FunctionSource,
  Probe,
  WarningCode,
} from './types.ts';
