import { codeOf } from './errors.ts';

/** Whether a process of this number lives, also one of another user. It may be a later one that was given the same number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
