import { readdirSync, readFileSync } from 'node:fs';

/** Node itself closes those below in every process that it starts. */
const first = 16;
/** Those from here on are not looked at: each one below would need an entry in the list of a child's descriptors. */
const most = 1_024;
const closeOnExec = 0o2000000;

/**
 * Descriptors that every process started here would get because this one was started with them, such as a log file of the shell. Node marks
 * its own to be closed. Empty where the system does not tell (anywhere but on Linux).
 */
export function inheritedDescriptors(): number[] {
  return ownDescriptors().filter((fd) => fd >= first && fd < most && !isClosedOnExec(fd));
}

function ownDescriptors(): number[] {
  try {
    return process.platform === 'linux' ? readdirSync('/proc/self/fd').map(Number) : [];
  } catch {
    return []; // a container without /proc
  }
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return true; // the one by which the list was read
  }
}
