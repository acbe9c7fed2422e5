import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { packageFile } from '../../src/std/index.ts';
import { compiledCode } from '../compiled-code.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const bin = packageFile('bin/fn.js');

export interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another user, for tests of permissions (root only). */
  readonly uid?: number;
}

/** A folder with an app in it, gone at the end of the process. */
export class App {
  readonly root: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.root = temporaryFolder('fn-flow');
    this.write('fn.config.json', '{"version": 1, "app": "flow"}\n');
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(...parts: string[]): string {
    return join(this.root, ...parts);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** Runs a command in the app to its end, as a person without a terminal would. */
  async fn(argv: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const child = this.spawn(argv, options);
    const texts = [child.stdout, child.stderr].map(async (stream) =>
      (await stream.setEncoding('utf8').toArray()).join(''),
    );
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    const [[exitCode], out = '', err = ''] = await Promise.all([once(child, 'close'), ...texts]);
    return { exitCode, out, err };
  }

  spawn(argv: readonly string[], { env, uid }: RunOptions = {}): ChildProcessByStdio<Writable, Readable, Readable> {
    return spawn(process.execPath, [bin, ...argv], {
      cwd: this.root,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.root, XDG_CACHE_HOME: compiledCode, ...env },
      stdio: 'pipe',
      ...(uid !== undefined && { uid, gid: uid }),
    });
  }

  async dev(...flags: string[]): Promise<Dev> {
    const dev = new Dev(this.spawn(['dev', '--json', ...(flags.includes('--port') ? [] : ['--port', '0']), ...flags]));
    await dev.event(({ type }) => type === 'ready');
    return dev;
  }
}

export interface DevLine {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A running `fn dev --json`: what it says, line by line. */
export class Dev {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly lines: DevLine[] = [];
  readonly ended: Promise<number | null>;
  err = '';
  readonly #waiting = new Set<() => void>();

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.child = child;
    const look = () => {
      for (const one of this.#waiting) one();
    };
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.lines.push(JSON.parse(line));
      look();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.err += text;
    });
    this.ended = once(child, 'close').then(([code]) => {
      look();
      return code;
    });
    const kill = () => child.kill('SIGKILL');
    // Ahead of what removes its folder.
    process.prependListener('exit', kill);
    child.once('close', () => process.off('exit', kill));
  }

  get ready() {
    const line = this.lines.find(({ type }) => type === 'ready');
    if (!line) throw new Error('fn dev is not ready');
    return line as DevLine & {
      url: string;
      openUrl: string;
      token: string;
      functions: { name: string; type?: string; url?: string; problem?: { message: string } }[];
    };
  }

  /** The first line from `since` on that fits; waits for it, as long as `fn dev` lives. */
  async event(fits: (line: DevLine) => boolean, since = 0): Promise<DevLine> {
    for (;;) {
      const found = this.lines.slice(since).find(fits);
      if (found) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`fn dev ended with ${this.child.exitCode}: ${this.err}`);
      await new Promise<void>((resolve) => {
        const one = () => {
          this.#waiting.delete(one);
          resolve();
        };
        this.#waiting.add(one);
      });
    }
  }

  /** Asks a method of the app. */
  async get(path: string): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.ready.url}/api/dev/custom-functions/flow/${path}.js`);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }

  async stop(): Promise<number | null> {
    this.child.kill('SIGINT');
    return await this.ended;
  }
}

/** A public method that answers GET with what the expression gives. */
export function aMethod(expression: string, before = ''): string {
  return `${before}
export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'public' } };
export default async (sdk) => (${expression});
`;
}

/** Whether a process is there. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
