/** The API-only apps that come with every workspace: custom functions of ours, run in the sandbox like anyone's. */
export { builtInExample } from './examples.ts';
export { BuiltInSource, builtInApps } from './source.ts';
