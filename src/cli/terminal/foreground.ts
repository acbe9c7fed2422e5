import { readFileSync } from 'node:fs';

/**
 * Whether this process may read and configure the terminal. Not after `&` or `bg`: the system would stop it. Detected on Linux, assumed
 * elsewhere.
 */
export function isInForeground(): boolean {
  try {
    return ownsTerminal(readFileSync('/proc/self/stat', 'utf8'));
  } catch {
    return true;
  }
}

/** @param stat as in proc(5): after the name, which may contain anything: state, parent, group, session, terminal, the terminal's group */
export function ownsTerminal(stat: string): boolean {
  const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group === terminalGroup || terminalGroup === '-1';
}
