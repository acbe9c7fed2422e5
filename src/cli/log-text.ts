import type { Io } from './io.ts';

/** A line that a function logged, as it is shown on standard error. */
export function logText({ errStyle }: Io, level: string, text: string): string {
  if (level === 'error') return `${errStyle.red('error')} ${text}`;
  if (level === 'warn') return `${errStyle.yellow('warn')} ${text}`;
  return level === 'debug' ? errStyle.dim(text) : text;
}
