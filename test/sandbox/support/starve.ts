import { after } from 'node:test';

/**
 * Lets a process run for `runMs` out of `everyMs`, by SIGSTOP and SIGCONT: what a machine with far too much to do does to it, without
 * taking the processor from anyone else.
 * @returns ends it
 */
export function starve(pid: number, everyMs: number, runMs = 3): () => void {
  let resting: NodeJS.Timeout | undefined;
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    try {
      process.kill(pid, name);
    } catch {
      stop();
    }
  };
  const turn = setInterval(() => {
    signal('SIGCONT');
    resting = setTimeout(() => signal('SIGSTOP'), runMs);
  }, everyMs);
  const stop = () => {
    clearInterval(turn);
    clearTimeout(resting);
  };
  const end = () => {
    stop();
    signal('SIGCONT');
  };
  signal('SIGSTOP');
  after(end);
  return end;
}
