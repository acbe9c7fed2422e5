/**
 * The child process: owns isolates, runs programs, knows nothing of projects or workspaces. Its environment is empty, its
 * folder too, and its one way out is the pipe to the parent. It ends when the parent does, and only by SIGKILL:
 * `process.exit` never returns while an isolate is busy.
 */
import { Socket } from 'node:net';
import { Channel } from '../channel.ts';
import type { FromChild, ToChild } from '../protocol.ts';

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const end = () => process.kill(process.pid, 'SIGKILL');
pipe.on('error', end).on('end', end).on('close', end);
// A terminal sends Ctrl-C to the whole group; the parent decides when a child goes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const channel = new Channel<FromChild, ToChild>(
  pipe,
  (messages) => {
    void supervisor.then((it) => {
      for (const message of messages) it?.receive(message);
    });
  },
  end,
);

const supervisor = import('./supervisor.ts').then(
  ({ Supervisor }) => {
    channel.post({ t: 'ready' });
    return new Supervisor((message) => channel.post(message));
  },
  (error: unknown) => {
    channel.post({ t: 'unavailable', message: error instanceof Error ? error.message : String(error) });
    return undefined;
  },
);
