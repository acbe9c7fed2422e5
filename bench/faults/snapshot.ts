import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { packageRoot } from '../../src/std/index.ts';

const isCopy = 'FN_FAULTS_COPY';
const notCopied = ['node_modules', 'dist', '.git', '.fn', 'coverage'];

/**
 * Runs a harness from a copy of this repository, built, that nobody edits: it takes minutes and starts hundreds of processes, and when their code
 * changes between two of them, what is live is right to be neither the one nor the other.
 * @param file the harness, which is run again in the copy
 * @param run  what it does there; its value is the exit code
 */
export async function fromStillCopy(file: string, run: () => Promise<number>): Promise<never> {
  if (process.env[isCopy] === '1') process.exit(await run());
  const root = realpathSync(packageRoot());
  const copy = realpathSync(mkdtempSync(join(tmpdir(), 'fn-faults-copy-')));
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
  for (const name of readdirSync(root)) {
    if (!notCopied.includes(name))
      cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(realpathSync(join(root, 'node_modules')), join(copy, 'node_modules'));
  const node = async (script: string, args: readonly string[], stdio: 'inherit' | 'ignore'): Promise<number> => {
    const env = { ...process.env, [isCopy]: '1' };
    const child = spawn(process.execPath, [join(copy, script), ...args], {
      cwd: copy,
      env,
      stdio: ['ignore', stdio, 'inherit'],
    });
    process.on('exit', () => child.kill('SIGKILL'));
    const [code] = await once(child, 'exit');
    return code ?? 1;
  };
  // As it is published: what is killed is the program that people have.
  if ((await node('scripts/build.ts', [], 'ignore')) !== 0) process.exit(1);
  process.exit(await node(relative(root, file), process.argv.slice(2), 'inherit'));
}
