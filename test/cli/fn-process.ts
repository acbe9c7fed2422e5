import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { packageFile } from '../../src/std/index.ts';
import { compiledCode } from '../compiled-code.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export const bin = packageFile('bin/fn.js');

/** An empty folder that goes when the process ends. */
export const aFolder = (): string => temporaryFolder('fn-cli');

export interface Spawned {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<{ exitCode: number | null; signal: NodeJS.Signals | null; out: string; err: string }>;
}

/** The executable in a process of its own, with an environment of its own. */
export function spawnFn(
  argv: readonly string[],
  options: {
    cwd?: string;
    env?: Record<string, string | undefined>;
    node?: string;
    nodeArgs?: readonly string[];
    bin?: string;
  } = {},
): Spawned {
  const home = options.cwd ?? aFolder();
  const child = spawn(options.node ?? process.execPath, [...(options.nodeArgs ?? []), options.bin ?? bin, ...argv], {
    cwd: home,
    env: { PATH: process.env['PATH'] ?? '', HOME: home, XDG_CACHE_HOME: compiledCode, ...options.env },
    stdio: 'pipe',
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Uint8Array) => out.push(Buffer.from(chunk)));
  child.stderr.on('data', (chunk: Uint8Array) => err.push(Buffer.from(chunk)));
  child.stdin.on('error', () => {});
  const ended = once(child, 'close').then(([exitCode, signal]) => ({
    exitCode: exitCode as number | null,
    signal: signal as NodeJS.Signals | null,
    out: Buffer.concat(out).toString(),
    err: Buffer.concat(err).toString(),
  }));
  return { child, ended };
}

/** Runs to the end, with nothing on standard input. */
export async function runProcess(argv: readonly string[], options: Parameters<typeof spawnFn>[1] = {}) {
  const { child, ended } = spawnFn(argv, options);
  child.stdin.end();
  return await ended;
}

/** Waits until it reads standard input: more than a pipe holds has been taken. By then it handles signals itself. */
export async function readsInput({ child }: Spawned): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    child.stdin.write(Buffer.alloc(256 * 1024, ' '), (error) => (error ? reject(error) : resolve())),
  );
}
