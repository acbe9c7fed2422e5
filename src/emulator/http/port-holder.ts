import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Describes the process that listens on a port; undefined if that cannot be determined. Linux only. */
export function holderOf(port: number): string | undefined {
  try {
    const inodes = new Set([...inodesAt('/proc/net/tcp', port), ...inodesAt('/proc/net/tcp6', port)]);
    if (inodes.size === 0) return undefined;
    for (const pid of readdirSync('/proc')) {
      if (/^\d+$/.test(pid) && holds(pid, inodes)) return `${nameOf(pid)} (process ${pid})`;
    }
  } catch {
    // No /proc: the message omits it.
  }
  return undefined;
}

const listening = '0A';

function inodesAt(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(table, 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => local?.endsWith(`:${wanted}`) && state === listening)
    .flatMap((columns) => columns[9] ?? []);
}

function holds(pid: string, inodes: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode !== undefined && inodes.has(inode);
    });
  } catch {
    return false; // another user's process, or one that has just ended
  }
}

function nameOf(pid: string): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  return command.slice(0, 3).join(' ').slice(0, 100) || 'a process';
}
