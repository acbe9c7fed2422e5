import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** @param line as it stands in the shell, which breaks words also at `=`, `:` and `@`; default: the words with spaces */
async function inBash(words: readonly string[], cwd = aFolder(), line = words.join(' ')): Promise<string[]> {
  const script = `
    eval "$(fn completion bash)"
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
    COMP_WORDBREAKS=$' \\t\\n"><=;|&(:@'; COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}
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

/** An app with functions, a fixture, a seed and a file with a space in its name. */
function anApp(): string {
  const cwd = aFolder();
  for (const folder of ['functions/tools', 'functions/api', 'fixtures/tools/refund', 'data'])
    mkdirSync(join(cwd, folder), { recursive: true });
  const seed = {
    channels: [{ kind: 'web-chat', name: 'Website chat' }],
    agents: [{ email: 'ann@shop.example', name: 'Ann' }],
    templates: [
      { name: 'hello', language: 'en', body: 'Hello' },
      { name: 'hello', language: 'de', body: 'Hallo' },
      { name: 'bye', language: 'fr', body: 'Au revoir' },
      { name: 'later', language: 'en', body: 'Later', status: 'pending' },
    ],
  };
  const files = {
    'fn.config.json': '{"version": 1, "app": "shop"}',
    'seed.json': JSON.stringify(seed),
    'functions/tools/refund.js': 'export default 1;',
    'functions/tools/same.js': 'export default 1;',
    'functions/api/same.js': 'export default 1;',
    'fixtures/tools/refund/default.json': '{}',
    'fixtures/tools/refund/late.json': '{}',
    'data/two orders.json': '{}',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

/** What is offered, without what is said about it. */
async function offered(words: readonly string[], cwd = anApp()): Promise<string[]> {
  const { out, err } = await runFn(['__complete', ...words], { cwd, env: { HOME: cwd } });
  assert.equal(err, '');
  return out
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split('\t', 1)[0] ?? '');
}

test('a function is completed by its last part too, where that is unique', async () => {
  assert.deepEqual(await offered(['invoke', '']), ['api/same', 'tools/refund', 'tools/same']);
  assert.deepEqual(await offered(['invoke', 'ref']), ['refund']);
  assert.deepEqual(await offered(['invoke', 'sam']), []);
});

test('a function that was named is not offered again', async () => {
  assert.deepEqual(await offered(['deploy', 'tools/same', 't']), ['tools/refund']);
});

test('fixtures are those of the function that was named', async () => {
  assert.deepEqual(await offered(['invoke', 'refund', '--fixture', '']), ['default', 'late']);
  assert.deepEqual(await offered(['invoke', 'api/same', '--fixture', '']), []);
});

test('a value that is written together with its flag is completed', async () => {
  assert.deepEqual(await offered(['init', '--type=ai']), ['--type=ai-tool']);
  assert.deepEqual(await offered(['invoke', 'refund', '--fixture=l']), ['--fixture=late']);
  assert.deepEqual(await offered(['api', 'x', '--input=seed']), ['--input=seed.json']);
  assert.deepEqual(await offered(['list', '--json=']), []);
});

test('a file behind @ is completed wherever one may stand', async () => {
  assert.deepEqual(await offered(['invoke', 'refund', '-d', '@da']), ['@data/']);
  assert.deepEqual(await offered(['invoke', 'refund', '-d', '@data/']), ['@data/two orders.json']);
  assert.deepEqual(await offered(['api', 'x', '-F', 'body=@se']), ['body=@seed.json']);
});

test('templates, languages, agents and channels come from the seed of the app', async () => {
  assert.deepEqual(await offered(['template', 'send', '']), ['hello', 'bye']);
  assert.deepEqual(await offered(['template', 'show', 'hello', '--lang', '']), ['en', 'de']);
  assert.deepEqual(await offered(['link', '--assign', '']), ['ann@shop.example']);
  assert.deepEqual(await offered(['channel', 'disconnect', 'W']), ['Website chat']);
});

test('profiles are completed before a command and after it', async () => {
  assert.deepEqual(await offered(['--profile', '']), ['local']);
  assert.deepEqual(await offered(['list', '--profile=l']), ['--profile=local']);
});

test('flags are completed once, those that may be repeated again', async () => {
  assert.deepEqual(await offered(['dev', '--json', '--js']), []);
  assert.deepEqual(await offered(['dev', '--allow', 'templates.send', '--all']), [
    '--allow-host',
    '--allow-origin',
    '--allow',
  ]);
});

test('the words of a command are completed behind help, and around flags', async () => {
  assert.deepEqual(await offered(['help', 'template', 's']), ['send', 'show']);
  assert.deepEqual(await offered(['--json', 'template', '--debug', 's']), ['send', 'show']);
});

test('the app of -C is the one that is looked at, also below the home folder', async () => {
  const cwd = anApp();
  const { out } = await runFn(['__complete', '-C', '~', 'invoke', 'ref'], { env: { HOME: cwd } });
  assert.equal(out, 'refund\ttools/refund\n');
});

test('the shell is asked for files where any file may stand, and only there', async () => {
  const codes = async (...words: string[]) => (await runFn(['__complete', ...words], { cwd: anApp() })).exitCode;
  assert.equal(await codes('template', 'upload', ''), 1);
  assert.equal(await codes('dev', '--seed', ''), 1);
  assert.equal(await codes('invoke', './'), 1);
  assert.equal(await codes('test', '--', ''), 1);
  assert.equal(await codes('list', ''), 0);
  assert.equal(await codes('logs', '--since', ''), 0);
});

test('bash joins what it broke at = and @, and completes what stands behind', async () => {
  const cwd = anApp();
  assert.deepEqual(await inBash(['fn', 'init', '--type', '=', 'ai'], cwd, 'fn init --type=ai'), ['ai-tool']);
  assert.deepEqual(await inBash(['fn', 'init', '--type', '='], cwd, 'fn init --type=cus'), [
    'custom-flow-node',
    'custom-view',
    'custom-app-setup',
  ]);
  assert.deepEqual(await inBash(['fn', 'invoke', 'refund', '-d', '@', 'se'], cwd, 'fn invoke refund -d @se'), [
    '@seed.json',
  ]);
});

test('bash protects a space in what it completes', async () => {
  const cwd = anApp();
  assert.deepEqual(await inBash(['fn', 'channel', 'disconnect', 'Web'], cwd), ['Website\\ chat']);
  assert.deepEqual(await inBash(['fn', 'channel', 'disconnect', '"Web'], cwd), ['Website chat']);
});

test('a name that is completed in bash is that name to the shell, within quotes as well, and never a command', async () => {
  const cwd = anApp();
  const names = [
    '$(touch taken)',
    '`touch taken`',
    '"; touch taken; "',
    "'; touch taken; '",
    "ä'; touch taken; '",
    '\\',
    '* {1,2} ~ [a] !',
  ];
  for (const rest of names) {
    const name = `x_${rest}`;
    writeFileSync(join(cwd, 'seed.json'), JSON.stringify({ channels: [{ kind: 'web-chat', name }] }));
    for (const quote of ['', '"', "'"]) {
      const typed = `${quote}x_`;
      const script = `
        eval "$(fn completion bash)"
        COMP_WORDS=(fn channel disconnect "$TYPED"); COMP_CWORD=3; COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:@'
        COMP_LINE="fn channel disconnect $TYPED"; COMP_POINT=\${#COMP_LINE}
        _fn_complete 2>/dev/null
        [[ \${#COMPREPLY[@]} == 0 ]] && exit 3
        eval "set -- $QUOTE\${COMPREPLY[0]}$QUOTE" && printf '%s\\n' "$#" "$1"`;
      const env = { PATH: `${aPath()}:${process.env['PATH']}`, HOME: cwd, TYPED: typed, QUOTE: quote, LC_ALL: 'C' };
      const ran = await run('bash', ['-c', script], { cwd, env }).catch((error) => error);
      // A shell that people type in would take a ! within double quotes for its history, and there is no way to write one.
      if (quote === '"' && name.includes('!')) assert.equal(ran.code, 3);
      else assert.equal(ran.stdout, `1\n${name}\n`, `after ${quote}`);
      assert.ok(!existsSync(join(cwd, 'taken')));
    }
  }
});

test('bash takes a candidate for itself, not for a pattern of file names', async () => {
  const cwd = anApp();
  writeFileSync(join(cwd, 'seed.json'), JSON.stringify({ channels: [{ kind: 'web-chat', name: '*' }] }));
  assert.deepEqual(await inBash(['fn', 'channel', 'disconnect', ''], cwd), ['\\*']);
});

test('a seed that is no file, or a link out of the app, completes nothing, and keeps nobody waiting', async (t) => {
  if (process.platform === 'win32') return t.skip('there are no pipes with a name');
  const cwd = anApp();
  const elsewhere = join(anApp(), 'seed.json');
  rmSync(join(cwd, 'seed.json'));
  symlinkSync(elsewhere, join(cwd, 'seed.json'));
  assert.deepEqual(await offered(['template', 'send', ''], cwd), []);
  rmSync(join(cwd, 'seed.json'));
  await run('mkfifo', [join(cwd, 'seed.json')]);
  // In a process of its own: who waits for a pipe hears nothing else.
  const env = { PATH: `${aPath()}:${process.env['PATH']}`, HOME: cwd };
  const options = { cwd, env, timeout: 120_000, killSignal: 'SIGKILL' } as const;
  const ran = await run('fn', ['__complete', 'template', 'send', ''], options).catch((error) => error);
  assert.equal(ran.signal ?? null, null);
});

test('names that cannot be typed, or would be two, are not offered', async () => {
  const cwd = anApp();
  const names = ['a\nb', 'c\td', 'e\u001b]0;title\u0007', 'f\u202eg', 'h'];
  writeFileSync(
    join(cwd, 'seed.json'),
    JSON.stringify({ channels: names.map((name) => ({ kind: 'web-chat', name })) }),
  );
  assert.deepEqual(await offered(['channel', 'disconnect', ''], cwd), ['h']);
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
