import { availableParallelism, freemem, totalmem } from 'node:os';
import { FnError, messageOf, monotonicMs } from '../../std/index.ts';
import type { Found } from './findings.ts';

const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;

export async function node(): Promise<Found> {
  return {
    state: freemem() < 300 * 1024 * 1024 ? 'warning' : 'ok',
    message: `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores, ${mib(freemem())} of ${mib(totalmem())} free`,
    hint: 'The sandbox needs some 150 MiB, more for functions that do.',
  };
}

/** Whether a sandbox really starts: the child process, its native module, the web layer. */
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
      hint: 'Install convo-fn again; its binary for this machine is an optional dependency of esbuild.',
    };
  }
}
