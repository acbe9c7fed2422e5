import type { Environment } from '../../std/index.ts';

/** Text styles. Every function takes and returns text. */
export interface Style {
  bold(text: string): string;
  dim(text: string): string;
  underline(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
  cyan(text: string): string;
}

/** Restores the style after the end of a nested style. */
const sgr =
  (begin: number, end: number) =>
  (text: string): string =>
    `\u001b[${begin}m${text.replaceAll(`\u001b[${end}m`, `\u001b[${end}m\u001b[${begin}m`)}\u001b[${end}m`;

// Our own, because the usual packages access process.stdout when they load, and opening that takes longer than most commands.
const coloured: Style = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  underline: sgr(4, 24),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  blue: sgr(34, 39),
  cyan: sgr(36, 39),
};
const same = (text: string): string => text;
const plain: Style = {
  bold: same,
  dim: same,
  underline: same,
  red: same,
  green: same,
  yellow: same,
  blue: same,
  cyan: same,
};

/** The style for a stream with or without colours. */
export function styleFor(colours: boolean): Style {
  return colours ? coloured : plain;
}

/** Whether a stream uses colours: decided by `NO_COLOR`, then `FORCE_COLOR`, then by whether it is a terminal with colours. */
export function coloursOf(env: Environment, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}
