import { readFileSync } from 'node:fs';
import { codeOf } from '../errors/errors.ts';

/**
 * Whether a process with this id is running, even another user's. Without its start it may be a later process that reuses the id.
 * @param start as `startOf` returned it to that process
 */
export function isRunning(pid: number, start?: string): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  return start === undefined || (startOf(pid) ?? start) === start;
}

/** When a process started, in which run of the machine; undefined where the system does not tell. Linux only. */
export function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // "pid (name) state …": the name may contain anything. The 22nd field is the start, in ticks since the machine was started.
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}.${start}`;
  } catch {
    return undefined;
  }
}
