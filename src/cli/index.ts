/**
 * The command line: commands, what they touch, every sentence they say. It is handed a host (streams, environment, signal) and gives
 * an exit code; `runProcess` alone ends the process. Kept small: whatever a command needs is loaded when it runs.
 */

export { overview } from './command-line/overview.ts';
export type { CutOff, Host, Stream } from './host.ts';
export { planOneLiner } from './one-liner.ts';
export { processHost } from './process-host.ts';
export { runFn } from './run.ts';
export { runProcess } from './run-process.ts';
export { coloursOf, styleFor } from './terminal/style.ts';
