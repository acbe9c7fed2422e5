import { readFileSync } from 'node:fs';

/**
 * Whether the terminal is this process's to read and to set: not so behind `&` and after `bg`, where the system stops whoever tries.
 * Known on Linux; elsewhere it is taken for granted.
 */
export function isInForeground(): boolean {
  try {
    return ownsTerminal(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return true;
  }
}

/** @param stat of proc(5): behind the name, which may hold anything, state, parent, group, session, terminal, the terminal's group */
export function ownsTerminal(stat: string): boolean {
  const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === terminalGroup || terminalGroup === '-1';
}
