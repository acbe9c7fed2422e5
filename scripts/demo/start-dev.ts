import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What `fn dev --json` says once everything answers, and how to end it. */
export interface RunningDemo {
  readonly url: string;
  readonly token: string;
  readonly slug: string;
  readonly functions: readonly { readonly name: string; readonly type: string; readonly url?: string }[];
  /** A fresh address that signs a browser in. */
  readonly openUrl: string;
  stop(): Promise<void>;
}

/** Starts `fn dev` on an app, on a free port. */
export async function startDev(fn: string, folder: string): Promise<RunningDemo> {
  const dev = spawn(process.execPath, [fn, 'dev', '--json', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Where this process is stopped nothing of it is kept.
  process.prependOnceListener('exit', () => dev.kill('SIGKILL'));
  for await (const line of createInterface({ input: dev.stdout })) {
    const event = JSON.parse(line);
    if (event.type !== 'ready') continue;
    dev.stdout.resume();
    return {
      url: event.url,
      token: event.token,
      slug: event.workspace.slug,
      functions: event.functions,
      openUrl: event.openUrl,
      async stop() {
        if (dev.exitCode !== null) return;
        const gone = once(dev, 'exit');
        dev.kill('SIGTERM');
        await gone;
      },
    };
  }
  throw new Error('fn dev ended before it was ready');
}
