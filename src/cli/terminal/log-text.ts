import type { Io } from '../io.ts';

/** A function's log line as shown on standard error. */
export function logText({ errStyle, errIsTerminal }: Io, level: string, text: string): string {
  const shown = errIsTerminal ? shortLog(text) : text;
  if (level === 'error') return `${errStyle.red('error')} ${shown}`;
  if (level === 'warn') return `${errStyle.yellow('warn')} ${shown}`;
  return level === 'debug' ? errStyle.dim(shown) : shown;
}

/** An entry of a log of many functions, with its further lines indented: nothing that a function logs can look like another entry. */
export function logEntry(text: string): string {
  return text.replace(/\r\n?|\n/g, '\n  ');
}

/** How many characters of a line are shown on a terminal: a few screens. A megabyte would scroll everything else away. */
const mostShown = 10_000;

/** A log line as shown on a terminal. Programs that read the stream get the whole line. */
export function shortLog(text: string): string {
  const left = text.length - mostShown;
  if (left <= 0) return text;
  return `${text.slice(0, mostShown).toWellFormed()}… and ${left} more characters (piped or with --json: all)`;
}
