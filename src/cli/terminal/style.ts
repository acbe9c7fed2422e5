import type { Environment } from '../../std/index.ts';
import type { Host } from '../host.ts';

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

let coloured: Style | undefined;

/**
 * Loads the colours if a stream uses them: before `styleFor` is called. Not at the start of every command, because kleur opens
 * `process.stdout` when it is loaded, which takes longer than most commands.
 */
export async function loadColours({ env, out, err }: Pick<Host, 'env' | 'out' | 'err'>): Promise<void> {
  if (coloured !== undefined || !(coloursOf(env, out.isTerminal) || coloursOf(env, err.isTerminal))) return;
  const colours = await import('kleur/colors');
  // Which stream has colours is decided below, for each; kleur knows one answer for both.
  colours.$.enabled = true;
  coloured = colours;
}

/** The style for a stream with or without colours. Plain where a process ends before the colours were loaded. */
export function styleFor(colours: boolean): Style {
  return (colours && coloured) || plain;
}

/** Whether a stream uses colours: decided by `NO_COLOR`, then `FORCE_COLOR`, then by whether it is a terminal with colours. */
export function coloursOf(env: Environment, isTerminal: boolean): boolean {
  if (env['NO_COLOR']) return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false';
  return isTerminal && env['TERM'] !== 'dumb';
}
