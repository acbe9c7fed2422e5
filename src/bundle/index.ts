/**
 * Turns sources into one program text with its source map, incrementally, and watches them. Knows nothing about sandboxes or
 * workspaces: a bundle is text. esbuild is used only here, and loaded at the first build that is not cached.
 */
export { Bundler } from './bundler.ts';
export { bundlerVersion } from './compiler/version.ts';
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
