import type { Io } from '../io.ts';

/** A line that a function logged, as it is shown on standard error. */
export function logText({ errStyle, errIsTerminal }: Io, level: string, text: string): string {
  const shown = errIsTerminal ? shortLog(text) : text;
  if (level === 'error') return `${errStyle.red('error')} ${shown}`;
  if (level === 'warn') return `${errStyle.yellow('warn')} ${shown}`;
  return level === 'debug' ? errStyle.dim(shown) : shown;
}

/** Characters of one line that a terminal is given: a few screens. A megabyte would push out everything before it. */
const mostShown = 10_000;

/** What a terminal shows of a line of a log; a program that reads the stream gets it whole. */
export function shortLog(text: string): string {
  const left = text.length - mostShown;
  if (left <= 0) return text;
  return `${text.slice(0, mostShown).toWellFormed()}… and ${left} more characters (piped or with --json: all)`;
}
