import { globSync, readFileSync } from 'node:fs';

/** The processes that a process has started and that live, on Linux. */
export function childrenOf(parent: number): { pid: number; command: string }[] {
  return globSync('/proc/[0-9]*').flatMap((folder) => {
    try {
      // "pid (name) state ppid …": the name may hold anything, also brackets.
      const [state, ppid] = readFileSync(`${folder}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      if (Number(ppid) !== parent || state === 'Z') return [];
      const command = readFileSync(`${folder}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(folder.slice('/proc/'.length)), command }];
    } catch {
      return []; // it has just ended
    }
  });
}
