import { clockOffset, connection, heardAt, now } from './app.ts';

const stoppedMs = 20_000;

/** How long nothing has been heard of the workspace, in milliseconds as of now; 0 while the stream is open. */
export function cutFor(): number {
  return connection.value === 'live' ? 0 : Math.max(0, now.value - clockOffset.value - heardAt.value);
}

/** Whether the workspace has not answered for so long that nothing can be done. */
export const hasStopped = (): boolean => connection.value !== 'refused' && cutFor() > stoppedMs;
