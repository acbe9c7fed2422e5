import { type ChildProcessWithoutNullStreams, type StdioOptions, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import type { SdkSpawn } from './sdk.ts';

const shell = '/bin/sh';

/**
 * The shell becomes the program, and leaves behind what kills it as soon as the pipe 3 ends without a word: then our own process is gone.
 * The program by itself would first end its model call.
 */
const guarded = '(read _ <&3 || kill -9 $$) </dev/null >/dev/null 2>&1 & exec "$@" 3<&-';

/** Starts the program of the SDK. It ends when it is killed, and where there is a shell also when our own process is. */
export function startProgram({ command, args, cwd, env }: SdkSpawn): ChildProcessWithoutNullStreams {
  const options = { cwd, env, windowsHide: true } as const;
  if (!existsSync(shell)) return spawn(command, args, { ...options, stdio: 'pipe' });
  const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] satisfies StdioOptions;
  const child = spawn(shell, ['-c', guarded, shell, command, ...args], { ...options, stdio });
  const pipe = child.stdio[3] as Duplex;
  pipe.on('error', () => {});
  child.once('exit', () => pipe.end('\n'));
  return child as ChildProcessWithoutNullStreams;
}
