import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HarnessConfig } from '../../src/agent/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** What the system saw of a process that ran one agent, and of those that it started: lines of `strace`. */
export interface Watched {
  /** What the run ended with. */
  readonly status: string;
  readonly programs: readonly string[];
  /** Beyond this machine's own sockets. */
  readonly connections: readonly string[];
  /** Files in the home of the user. */
  readonly opened: readonly string[];
}

export const hasStrace = (): boolean => {
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const ofUser = 'of-the-user';

/** A user with settings, keys and a proxy of his own: none of it is an agent's business. */
export const userVariables: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['OPENAI', 'ANTHROPIC'].flatMap((vendor) =>
      ['API_KEY', 'AUTH_TOKEN', 'ORG_ID', 'PROJECT_ID'].map((name) => [`${vendor}_${name}`, ofUser]),
    ),
  ),
  MY_SECRET: ofUser,
  HTTPS_PROXY: 'http://127.0.0.1:9',
};

/** Runs an agent in a process of its own, whose user has files and variables with `of-the-user` in them. */
export async function watchRun(harness: HarnessConfig, say: string): Promise<Watched> {
  const home = temporaryFolder('fn-vendor');
  mkdirSync(join(home, '.claude'));
  writeFileSync(join(home, '.claude', 'settings.json'), `{"model":"${ofUser}"}`);
  writeFileSync(join(home, '.claude', 'CLAUDE.md'), `Words ${ofUser}.`);
  writeFileSync(join(home, '.claude.json'), `{"primaryApiKey":"sk-${ofUser}"}`);
  const trace = join(temporaryFolder('fn-vendor'), 'trace.txt');
  const watching = ['-f', '-v', '-s', '8000', '-o', trace, '-e', 'trace=execve,connect,open,openat'];
  const program = [process.execPath, join(import.meta.dirname, 'run-once.ts'), JSON.stringify(harness)];
  const { stdout } = await promisify(execFile)('strace', [...watching, ...program, say], {
    env: { ...process.env, ...userVariables, HOME: home },
  });
  const calls = readFileSync(trace, 'utf8').split('\n');
  return {
    status: stdout.trim(),
    // A call that another thread interrupts has its end on a line of its own.
    programs: calls.filter((line) => /execve\("/.test(line) && !/= -1 /.test(line)),
    connections: calls.filter((line) => /connect\(.*sa_family=AF_INET/.test(line)),
    opened: calls.filter((line) => / (?:open|openat)\(/.test(line) && line.includes(home)),
  };
}
