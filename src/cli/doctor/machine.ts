import { access, constants, readFile, stat } from 'node:fs/promises';
import { availableParallelism, freemem, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { configFolder } from '../../project/index.ts';
import { FnError, messageOf, monotonicMs } from '../../std/index.ts';
import type { Context } from '../context.ts';
import type { Found } from './findings.ts';

const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

export async function node(): Promise<Found> {
  return {
    state: freemem() < 300 * 1024 * 1024 ? 'warning' : 'ok',
    message: `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores, ${mib(freemem())} of ${mib(totalmem())} free`,
    hint: 'The sandbox needs about 150 MiB, and more for functions that use a lot of memory.',
  };
}

/** The limit of open files, reported only if it is too low. Linux only. */
export async function openFiles(): Promise<Found | undefined> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const most = Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? leastOpenFiles);
  if (most >= leastOpenFiles) return undefined;
  return {
    state: 'warning',
    message: `only ${most} files may be open at once`,
    hint: `The compiler, the sandbox and the watcher need more: ulimit -n ${leastOpenFiles}`,
  };
}

const leastOpenFiles = 256;

/** Whether logins can be stored, reported only if not. */
export async function userFolder({ env }: Context): Promise<Found | undefined> {
  const folder = configFolder(env);
  try {
    // The dot makes sure that it is a folder.
    await access(`${await nearestThere(folder)}/.`, constants.W_OK);
    return undefined;
  } catch {
    return {
      state: 'warning',
      message: `${folder} cannot be written`,
      hint: 'Logins and profiles are stored there: check its permissions, or set XDG_CONFIG_HOME to another folder.',
    };
  }
}

async function nearestThere(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || folder === dirname(folder) ? folder : await nearestThere(dirname(folder));
}

/** Starts a real sandbox: the child process, its native module, the web layer. */
export async function sandbox(): Promise<Found> {
  const [{ openSandbox }, { preludeSource }] = await Promise.all([
    import('../../sandbox/index.ts'),
    import('../../sdk/index.ts'),
  ]);
  const started = monotonicMs();
  const opened = openSandbox({ prelude: await preludeSource(), processes: 1 });
  try {
    await opened.ready;
    return {
      state: 'ok',
      message: `isolated-vm works; a sandbox started in ${Math.round(monotonicMs() - started)} ms`,
    };
  } catch (error) {
    return {
      state: 'wrong',
      message: messageOf(error),
      hint:
        (error instanceof FnError ? error.hint : undefined) ??
        'Install convo-fn again under this Node, without --omit=optional. Commands that run no function work without it.',
    };
  } finally {
    await opened.close();
  }
}

export async function bundler(): Promise<Found> {
  const { bundlerVersion } = await import('../../bundle/index.ts');
  try {
    return { state: 'ok', message: `esbuild ${await bundlerVersion()} works` };
  } catch (error) {
    return {
      state: 'wrong',
      message: messageOf(error),
      hint:
        (error instanceof FnError ? error.hint : undefined) ??
        'Install convo-fn again; its binary for this machine is an optional dependency of esbuild.',
    };
  }
}
