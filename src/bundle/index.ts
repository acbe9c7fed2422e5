/**
 * Sources → one program text with its source map, incremental, and watching. Knows nothing of sandboxes or workspaces: a bundle
 * is text. esbuild lives here and is loaded at the first build that no cache answers.
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
