/**
 * The command line: commands, their context, and their messages. It takes a host (streams, environment, signal) and returns an exit
 * code; only `runProcess` ends the process. Kept small: whatever a command needs is loaded when it runs.
 */

export type { CutOff, Host, Stream } from './host.ts';
export { runFn } from './run.ts';
export { runProcess } from './run-process.ts';
