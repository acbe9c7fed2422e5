import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import type { BuildResult } from 'esbuild';
import { codeOf, type MachineError } from '../../std/index.ts';
import { compilerStopped, compilerUnavailable } from './start-failure.ts';

type Esbuild = typeof import('esbuild');

/** The compiler's result for our options. */
export type Result = BuildResult<{ metafile: true; write: false }>;

let loaded: Esbuild | undefined;

/** Loads esbuild by `require`: an `import` of CommonJS first scans its text for names, which takes longer than running it. */
function esbuildApi(): Esbuild {
  if (loaded) return loaded;
  // Only its synchronous functions use threads, and we do not call those; loading threads would take a millisecond.
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
 * The compiler's process. esbuild keeps the event loop of this process alive while a context is open. We let it do so only while it works,
 * so that this process can end when it has nothing else to do. The compiler ends with its standard input.
 */
let child: ChildProcess | undefined;
/** What it has said before it crashed: never printed, because it could come after our own message, even after our end. */
let lastWords = '';
let working = 0;
/** Number of processes started, so that a dead one is replaced only once, even if several callers notice. */
let generation = 0;

/**
 * Runs `work` with the compiler, and starts it if necessary.
 * @param work must call esbuild before its first `await`
 * @throws MachineError bundler_unavailable if its program does not run, bundler_stopped if it crashed; and whatever `work` throws
 */
export async function withCompiler<T>(work: (esbuild: Esbuild) => Promise<T>): Promise<T> {
  working += 1;
  hold();
  try {
    return await capturingStart(() => work(esbuildApi()));
  } catch (error) {
    if (neverRan(error)) throw compilerUnavailable(error);
    throw (await crashOf(error)) ?? error;
  } finally {
    working -= 1;
    if (working === 0) letGo();
  }
}

/** Work for `withCompiler` that only starts the compiler's process. */
export async function start({ initialize }: Esbuild): Promise<void> {
  if (!child) await initialize({});
}

/** Number of the current compiler process. */
export function compilerGeneration(): number {
  return generation;
}

/** Kills a compiler process that reads an endless file. All of its builds fail, as if it had been killed from outside. */
export function killCompiler(hung: number): void {
  if (hung === generation) child?.kill('SIGKILL');
}

/** Drops a compiler process that has died, so that the next work starts another. */
export async function replaceCompiler(dead: number): Promise<void> {
  if (dead !== generation) return;
  generation += 1;
  child = undefined;
  await esbuildApi().stop();
}

/** Captures esbuild's child process, which it starts in its first call and does not expose. */
function capturingStart<T>(start: () => T): T {
  if (child) return start();
  const childProcess = process.getBuiltinModule('node:child_process');
  const { spawn } = childProcess;
  childProcess.spawn = ((...args: Parameters<typeof spawn>) => {
    const [program, words, options] = args;
    const started = spawn(program, words, { ...options, stdio: 'pipe' });
    // Node omits the streams only if too many files are open. esbuild would fail on that, and the reason arrives one turn later.
    if (!started.stdin) {
      started.once('error', () => {});
      const path = program;
      throw Object.assign(new Error(`spawn ${path} EMFILE`), { code: 'EMFILE', syscall: `spawn ${path}`, path });
    }
    child = started;
    listenTo(child);
    // From here on only this file controls whether it keeps this process alive.
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

/** Keeps what the compiler says, without waiting for it; and ends it with this process, before it can crash over that. */
function listenTo(started: ChildProcess): void {
  lastWords = '';
  const stderr = started.stderr as Socket | null;
  stderr?.unref();
  stderr
    ?.on('error', () => {})
    .on('data', (part: Buffer) => {
      if (started === child) lastWords = (lastWords + part.toString()).slice(0, 2_000);
    });
  if (generation === 0) process.once('exit', () => child?.kill('SIGKILL'));
}

/** How long a crashed compiler may take to say why. */
const lastWordsMs = 1_000;

/** The crash of the compiler behind an error, if it said why. */
async function crashOf(error: unknown): Promise<MachineError | undefined> {
  const crashed = child;
  if (
    crashed === undefined ||
    !(error instanceof Error) ||
    !/^The service (?:was stopped|is no longer)/.test(error.message)
  )
    return undefined;
  if (crashed.stderr?.closed === false) {
    const late = setTimeout(() => {
      crashed.kill('SIGKILL');
      crashed.stderr?.destroy();
    }, lastWordsMs);
    await once(crashed, 'close');
    clearTimeout(late);
  }
  return lastWords.trim() === '' ? undefined : compilerStopped(lastWords, error);
}

/** Whether the compiler's program was not found, did not start, or has the wrong version. */
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
