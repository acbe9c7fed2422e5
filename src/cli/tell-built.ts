import type { LocalEvent } from '../emulator/index.ts';
import type { Io } from './io.ts';
import { logText } from './log-text.ts';

/** What a build has to say of a function beside that it is done: warnings, and what its top level wrote. */
export function tellBuilt(io: Io): (event: LocalEvent) => void {
  return (event) => {
    if (event.type !== 'built') return;
    for (const { message } of event.warnings) io.err(`${io.errStyle.yellow('warning')} ${event.name}: ${message}`);
    for (const { level, text } of event.logs) io.err(`${io.errStyle.dim(event.name)} ${logText(io, level, text)}`);
  };
}
