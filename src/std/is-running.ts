import { codeOf } from './errors.ts';

/** Whether a process with this id is running, even another user's. It may be a later process that reuses the id. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
