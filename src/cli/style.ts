import { $, blue, bold, cyan, dim, green, red, underline, yellow } from 'kleur/colors';

/** How text may look. Every function takes and gives text. */
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

// kleur decides once per process; we decide per stream.
$.enabled = true;

const coloured: Style = { bold, dim, underline, red, green, yellow, blue, cyan };
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

/** For a stream that shows colours, and for one that does not. */
export function styleFor(colours: boolean): Style {
  return colours ? coloured : plain;
}

/** Whether a stream shows colours: `NO_COLOR`, then `FORCE_COLOR`, then whether it is a terminal that can. */
export function coloursOf(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}
