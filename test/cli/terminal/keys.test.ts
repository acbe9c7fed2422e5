import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownsTerminal } from '../../../src/cli/terminal/foreground.ts';
import { keysIn } from '../../../src/cli/terminal/keys.ts';
import { until } from '../../until.ts';
import { aFolder, bin } from '../fn-process.ts';

const keysOf = (chunk: string) => keysIn(chunk, ['r', 'i', 'c', 'q']);

test('a key is a key, also held down, and control keys are what they are elsewhere', () => {
  assert.deepEqual(keysOf('r'), ['r']);
  assert.deepEqual(keysOf('iii'), ['i', 'i', 'i']);
  assert.deepEqual(keysOf('x'), []);
  assert.deepEqual(keysOf('\u0003'), ['interrupt']);
  assert.deepEqual(keysOf('\u0004'), ['end']);
  assert.deepEqual(keysOf('\u001a'), ['suspend']);
});

test('arrows, Alt with a key and what was pasted are no keys, but Ctrl-C among them is one', () => {
  assert.deepEqual(keysOf('\u001b[c'), []);
  assert.deepEqual(keysOf('\u001br'), []);
  assert.deepEqual(keysOf('require("crypto")'), []);
  assert.deepEqual(keysOf('quit\u0003'), ['interrupt']);
});

test('the terminal is owned by the group that the system names, whatever the process is called', () => {
  assert.ok(ownsTerminal('71 (node) S 70 71 60 34816 71 4194304'));
  assert.ok(!ownsTerminal('71 (a) b) R 70 71 60 34816 60 4194304'));
  assert.ok(ownsTerminal('71 (node) S 70 71 71 0 -1 4194304'), 'there is no terminal');
});

test('fn dev goes on behind & on a terminal, where the system stops whoever takes the keys', async (t) => {
  if (process.platform !== 'linux' || spawnSync('script', ['--version']).status !== 0)
    return t.skip('there is no script(1)');
  const cwd = aFolder();
  mkdirSync(join(cwd, 'functions'));
  writeFileSync(join(cwd, 'fn.config.json'), '{"version": 1, "app": "shop"}');
  const log = join(cwd, 'typescript');
  const line = `set -m; '${process.execPath}' '${bin}' dev --port 0 & echo "pid $!"; wait`;
  const shell = spawn('script', ['-qefc', `bash -c '${line.replaceAll("'", `'"'"'`)}'`, log], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'xterm' },
    // What it reads must not end: the terminal would be hung up.
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const shown = () => {
    try {
      return readFileSync(log, 'utf8');
    } catch {
      return '';
    }
  };
  t.after(() => {
    shell.kill('SIGKILL');
    const pid = Number(/pid (\d+)/.exec(shown())?.[1]);
    if (pid > 0) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {}
    }
  });
  await until('fn dev is ready', () => shown().includes('ready'));
});
