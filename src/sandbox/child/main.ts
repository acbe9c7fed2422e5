/**
 * The child process. It owns isolates and runs programs, and knows nothing about projects or workspaces. Its environment
 * and working folder are empty, and the pipe to the parent is its only connection. It ends with the parent, and always by
 * SIGKILL: `process.exit` never returns while an isolate is busy.
 */
import { Socket } from 'node:net';
import { Channel } from '../channel.ts';
import type { FromChild, ToChild } from '../protocol.ts';

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const end = () => process.kill(process.pid, 'SIGKILL');
pipe.on('error', end).on('end', end).on('close', end);
// A terminal sends Ctrl-C to the whole process group; the parent decides when a child ends.
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
