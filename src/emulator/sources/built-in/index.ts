/** The API-only apps of every workspace: our own custom functions, run in the sandbox like any others. */
export { builtInExample } from './examples.ts';
export { BuiltInSource, builtInApps } from './source.ts';
