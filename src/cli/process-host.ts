import { writeSync } from 'node:fs';
import { systemClock, UsageError } from '../std/index.ts';
import type { CutOff, Host, Stream } from './host.ts';
import { isTerminal } from './terminal/is-terminal.ts';

/** The process as a host. Node's streams are only opened if a plain write does not suffice: each takes some milliseconds. */
export function processHost(version: string, signal: AbortSignal, ifCutOff: (state: CutOff | undefined) => void): Host {
  return {
    out: stream(1, () => process.stdout),
    err: stream(2, () => process.stderr),
    in: {
      get isTerminal() {
        return isTerminal(0);
      },
      open: () => process.stdin,
    },
    env: process.env,
    get cwd() {
      return currentFolder();
    },
    clock: systemClock,
    version,
    signal,
    ifCutOff,
  };
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new UsageError('folder_missing', 'The current folder no longer exists', {
      hint: 'Change to another folder.',
      cause: error,
    });
  }
}

function stream(fd: 1 | 2, open: () => NodeJS.WriteStream): Stream {
  const closed = new AbortController();
  let opened: NodeJS.WriteStream | undefined;
  let terminal: boolean | undefined;
  let failure: Error | undefined;

  const broken = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
    closed.abort();
  };

  /** From the first write that would block, Node's own stream is used, which keeps the order. */
  const openStream = () => {
    if (opened) return opened;
    opened = open();
    opened.on('error', broken);
    return opened;
  };
  return {
    get isTerminal() {
      terminal ??= isTerminal(fd);
      return terminal;
    },
    get columns() {
      return (this.isTerminal && openStream().columns) || 80;
    },
    closed: closed.signal,
    get failure() {
      return failure;
    },
    write(text) {
      if (closed.signal.aborted) return;
      let rest = typeof text === 'string' ? Buffer.from(text) : text;
      while (!opened && rest.length > 0) {
        try {
          rest = rest.subarray(writeSync(fd, rest));
        } catch (error) {
          const code = (error as NodeJS.ErrnoException).code;
          if (code === 'EINTR') continue;
          if (code === 'EAGAIN') break;
          return broken(error as NodeJS.ErrnoException);
        }
      }
      if (rest.length > 0) openStream().write(rest);
    },
    async drained() {
      const waiting = opened;
      if (!waiting || closed.signal.aborted) return;
      await new Promise<void>((resolve) => {
        closed.signal.addEventListener('abort', () => resolve(), { once: true });
        waiting.write('', () => resolve());
      });
    },
  };
}
