import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import type { BuildResult } from 'esbuild';
import { codeOf } from '../../std/index.ts';
import { compilerUnavailable } from './start-failure.ts';

type Esbuild = typeof import('esbuild');

/** What the compiler tells of a build of ours. */
export type Result = BuildResult<{ metafile: true; write: false }>;

let loaded: Esbuild | undefined;

/** Loaded by `require`: an `import` of CommonJS first scans its whole text for export names, which takes longer than running it. */
function esbuildApi(): Esbuild {
  if (loaded) return loaded;
  // esbuild's synchronous functions use worker threads, which take a millisecond to load; we never call them.
  const given = process.env['ESBUILD_WORKER_THREADS'];
  process.env['ESBUILD_WORKER_THREADS'] = '0';
  try {
    loaded = createRequire(import.meta.filename)('esbuild') as Esbuild;
  } finally {
    if (given === undefined) delete process.env['ESBUILD_WORKER_THREADS'];
    else process.env['ESBUILD_WORKER_THREADS'] = given;
  }
  return loaded;
}

/**
 * The compiler's process. esbuild keeps the parent's event loop alive as long as one context is open; here it does so only while it
 * works, so that a process with built functions ends when it has nothing else to do. The compiler ends with its standard input.
 */
let child: ChildProcess | undefined;
let working = 0;
/** Counts the processes that were started, so that one that died is replaced once, not by everyone who finds it dead. */
let generation = 0;

/**
 * Runs work with the compiler, starting it if necessary.
 * @param work must call esbuild before it first waits
 * @throws MachineError bundler_unavailable if its program does not run; and what `work` throws
 */
export async function withCompiler<T>(work: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  working += 1;
  hold();
  try {
    return await capturingStart(() => work(esbuildApi()));
  } catch (error) {
    throw neverRan(error) ? compilerUnavailable(error) : error;
  } finally {
    working -= 1;
    if (working === 0) letGo();
  }
}

/** Work for `withCompiler` that only starts the compiler's process. */
export async function start({ initialize }: Esbuild): Promise<void> {
  if (!child) await initialize({});
}

/** The number of the current compiler process. */
export function compilerGeneration(): number {
  return generation;
}

/** Ends a compiler process that reads without end: all its work fails, as if it had been killed from outside. */
export function killCompiler(hung: number): void {
  if (hung === generation) child?.kill('SIGKILL');
}

/** Forgets a compiler process that is gone, killed from outside: the next work starts another. */
export async function replaceCompiler(dead: number): Promise<void> {
  if (dead !== generation) return;
  generation += 1;
  child = undefined;
  await esbuildApi().stop();
}

/** esbuild starts its process within the first call, and has no way to ask for it. */
function capturingStart<T>(start: () => T): T {
  if (child) return start();
  const childProcess = process.getBuiltinModule('node:child_process');
  const { spawn } = childProcess;
  childProcess.spawn = ((...args: Parameters<typeof spawn>) => {
    const started = spawn(...args);
    // Only where too many files are open Node gives it no streams; esbuild would trip over them, and why comes a turn later.
    if (!started.stdin) {
      started.once('error', () => {});
      const path = args[0];
      throw Object.assign(new Error(`spawn ${path} EMFILE`), { code: 'EMFILE', syscall: `spawn ${path}`, path });
    }
    child = started;
    // From here on, only this file refs and unrefs the process.
    child.ref = child.unref = () => {};
    hold();
    return child;
  }) as typeof spawn;
  try {
    return start();
  } finally {
    childProcess.spawn = spawn;
  }
}

/** Whether it failed because the compiler's program was not found, not run, or not the one that belongs to its package. */
function neverRan(error: unknown): boolean {
  if (!(error instanceof Error) || 'errors' in error || codeOf(error) === 'EMFILE') return false;
  return child?.pid === undefined || error.message.startsWith('Cannot start service: Host version');
}

function hold(): void {
  if (child && working > 0) prototypeOf(child).ref.call(child);
}

function letGo(): void {
  if (child) prototypeOf(child).unref.call(child);
}

function prototypeOf(process: ChildProcess): Pick<ChildProcess, 'ref' | 'unref'> {
  return Object.getPrototypeOf(process) as ChildProcess;
}
