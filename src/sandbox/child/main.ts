/**
 * The child process: owns isolates, runs programs, knows nothing of projects or workspaces. Its environment is empty, its
 * folder too, and its one way out is the channel to the parent. It ends when the parent does, and only by SIGKILL:
 * `process.exit` never returns while an isolate is busy.
 */
import { Batch } from '../channel.ts';
import type { FromChild, ToChild } from '../protocol.ts';

if (process.channel === undefined) throw new Error('this file is the child of a sandbox; nobody else starts it');

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
// A terminal sends Ctrl-C to the whole group; the parent decides when a child goes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const batch = new Batch<FromChild>((messages) => process.send?.(messages));

const supervisor = import('./supervisor.ts').then(
  ({ Supervisor }) => {
    batch.post({ t: 'ready' });
    return new Supervisor((message) => batch.post(message));
  },
  (error: unknown) => {
    batch.post({ t: 'unavailable', message: error instanceof Error ? error.message : String(error) });
    return undefined;
  },
);

process.on('message', (messages) => {
  void supervisor.then((it) => {
    for (const message of messages as ToChild[]) it?.receive(message);
  });
});
