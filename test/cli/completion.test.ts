import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { runFn } from './context.ts';
import { aFolder, bin } from './fn-process.ts';

const run = promisify(execFile);

/** A folder with `fn` in it, to be put on the PATH. */
function aPath(): string {
  const folder = aFolder();
  for (const name of ['fn', 'send-template']) {
    writeFileSync(join(folder, name), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

async function inBash(words: readonly string[], cwd = aFolder()): Promise<string[]> {
  const script = `
    eval "$(fn completion bash)"
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    _fn_complete 2>/dev/null
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-c', script], {
    cwd,
    env: { PATH: `${aPath()}:${process.env['PATH']}`, HOME: cwd },
  });
  return stdout.split('\n').filter(Boolean);
}

test('bash completes the words of a command', async () => {
  assert.deepEqual(await inBash(['fn', 'template', 's']), ['send', 'show']);
});

test('bash completes nothing that is not there', async () => {
  assert.deepEqual(await inBash(['fn', 'template', 'xyz']), []);
});

test('bash completes the flags of send-template as those of fn template send', async () => {
  const flags = await inBash(['send-template', '--']);
  assert.ok(flags.includes('--to'));
  assert.ok(flags.includes('--json'));
});

/** What a shell prints with our completion in it; undefined where it is not installed. */
async function inShell(shell: string, script: string): Promise<string | undefined> {
  const cwd = aFolder();
  writeFileSync(join(cwd, 'people.csv'), '');
  const env = { PATH: `${aPath()}:${process.env['PATH']}`, HOME: cwd };
  const ran = run(shell, ['-c', script], { cwd, env }).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return (await ran)?.stdout;
}

test('fish completes commands, and files where we have nothing to say', async (t) => {
  const said = await inShell(
    'fish',
    'fn completion fish | source; complete -C "fn template se"; complete -C "send-template --from-csv peo"',
  );
  if (said === undefined) return t.skip('there is no fish');
  assert.match(said, /^send\t.*\npeople\.csv/);
});

test('zsh completes also where nothing else has begun to', async (t) => {
  const said = await inShell('zsh', 'eval "$(fn completion zsh)"; print $_comps[fn] $_comps[send-template]');
  if (said === undefined) return t.skip('there is no zsh');
  assert.equal(said, '_fn_complete _fn_complete\n');
});

test('names of functions are completed from the folder, without opening anything', async () => {
  const cwd = aFolder();
  mkdirSync(join(cwd, 'functions/tools'), { recursive: true });
  writeFileSync(join(cwd, 'fn.config.json'), '{"version": 1, "app": "shop"}');
  writeFileSync(join(cwd, 'functions/tools/refund.js'), 'export default 1;');
  writeFileSync(join(cwd, 'functions/setup.js'), 'export default 1;');
  const { out } = await runFn(['__complete', 'invoke', 'tools/'], { cwd });
  assert.equal(out, 'tools/refund\n');
});

test('where the app is broken nothing is completed, and nothing is said', async () => {
  const cwd = aFolder();
  writeFileSync(join(cwd, 'fn.config.json'), '{');
  assert.deepEqual(await runFn(['__complete', 'invoke', ''], { cwd }), { exitCode: 1, out: '', err: '' });
});

test('a file name that holds an escape sequence cannot reach the terminal by completion', async () => {
  const cwd = aFolder();
  mkdirSync(join(cwd, 'functions'));
  writeFileSync(join(cwd, 'fn.config.json'), '{"version": 1, "app": "shop"}');
  writeFileSync(join(cwd, 'functions/a\u001b[2J.js'), 'export default 1;');
  const { out } = await runFn(['__complete', 'invoke', ''], { cwd });
  assert.ok(!out.includes('\u001b'));
});
