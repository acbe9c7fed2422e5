import { after } from 'node:test';

/** What would have ended the server of this process, from now to the end of the file's tests. */
export function watchForCrashes(): readonly unknown[] {
  const crashes: unknown[] = [];
  const crashed = (error: unknown) => crashes.push(error);
  process.on('uncaughtException', crashed);
  process.on('unhandledRejection', crashed);
  after(() => {
    process.off('uncaughtException', crashed);
    process.off('unhandledRejection', crashed);
  });
  return crashes;
}
