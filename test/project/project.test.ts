import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { environmentOf, findProject, requireProject } from '../../src/project/index.ts';
import { aFolder, refusalOf, write } from './an-app.ts';

const config = (text: string) => ({ 'fn.config.json': text });

test('the app around a folder is the nearest one upwards', async () => {
  const folder = aFolder();
  await write(folder, {
    'fn.config.json': { version: 1, app: 'outer' },
    'inner/fn.config.json': { version: 1, app: 'inner' },
    'inner/functions/api/x.js': '',
  });
  const project = await findProject(join(folder, 'inner/functions/api'));
  assert.equal(project?.app, 'inner');
  assert.equal(project.root, join(folder, 'inner'));
  assert.equal(project.stateDir, join(folder, 'inner/.fn'));
  assert.equal((await findProject(folder))?.app, 'outer');
});

test('outside of an app there is none, and a command that needs one says how to make it', async () => {
  const folder = aFolder();
  assert.equal(await findProject(folder), undefined);
  const error = await refusalOf(requireProject(folder));
  assert.equal(error.code, 'project_missing');
  assert.equal(error.exitCode, 2);
  assert.match(error.hint ?? '', /fn init/);
});

test('outside of an app, those below are named as arguments of -C, nearest first', async () => {
  const folder = aFolder();
  await write(folder, {
    'packages/node_modules/linked/fn.config.json': '{}',
    '.cache/old/fn.config.json': '{}',
    'packages/app/fn.config.json': '{}',
    'packages/app/examples/inner/fn.config.json': '{}',
  });
  assert.equal((await refusalOf(requireProject(folder))).hint, 'There is one below: fn -C packages/app …');
  const fromOutside = await refusalOf(requireProject(join(folder, 'packages'), folder));
  assert.equal(fromOutside.hint, 'There is one below: fn -C packages/app …');

  const aside = await refusalOf(requireProject(folder, join(folder, 'docs')));
  assert.equal(aside.hint, `There is one below: fn -C ${join(folder, 'packages/app')} …`);

  await write(folder, { 'second app/fn.config.json': '{}' });
  assert.equal(
    (await refusalOf(requireProject(folder))).hint,
    'There are some below; name one: fn -C "second app" …, fn -C packages/app …',
  );
});

const broken: [title: string, text: string, code: string, line: number, message: RegExp, hint?: RegExp][] = [
  [
    'a comma after the last field',
    '{\n  "version": 1,\n  "app": "a",\n}',
    'json_broken',
    3,
    /comma after the last value/,
  ],
  ['a comment', '{\n  // the app\n  "app": "a"\n}', 'json_broken', 2, /a comment/, /JSON has no comments/],
  ['single quotes', "{\n  'app': 'a'\n}", 'json_broken', 2, /single quote/, /double quotes/],
  ['an end in the middle', '{"version": 1, "app":', 'json_broken', 1, /file ends where a value should be/],
  ['a merge conflict', '{\n"version": 1,\n<<<<<<< HEAD\n"app": "a"}', 'json_broken', 3, /merge conflict/],
  ['a text that does not end', '{"app": "a\n}', 'json_broken', 1, /without a closing quotation mark/],
  ['a field given twice', '{"version":1,\n"app":"a",\n"app":"b"}', 'json_broken', 3, /"app" appears twice/],
  ['nothing in it', ' \n', 'json_broken', 2, /file is empty/],
  ['a list', '[]', 'config_app_missing', 1, /./],
  [
    'a later version',
    '{\n"version": 2, "app": "a", "news": 1}',
    'config_version_unknown',
    2,
    /version 2 is newer/,
    /Update/,
  ],
  ['no version', '{"app": "a"}', 'config_invalid', 1, /version is missing/, /"version": 1 and/],
  ['no app', '{\n"version": 1}', 'config_app_missing', 1, /no name/],
  [
    'an unknown field',
    '{"version": 1, "app": "a",\n "timezon": "UTC"}',
    'config_field_unknown',
    2,
    /timezon is not known/,
    /"timezone"/,
  ],
  [
    'an unknown field deeper down',
    '{"version": 1, "app": "a", "limits": {\n "wallMS": 1}}',
    'config_field_unknown',
    2,
    /limits\.wallMS/,
    /"wallMs"/,
  ],
  [
    'an address of a workspace',
    '{"version": 1, "app": "a",\n "baseUrl": "https://x"}',
    'config_field_unknown',
    2,
    /baseUrl/,
  ],
  [
    'a field named __proto__',
    '{"version": 1, "app": "a",\n "__proto__": {"app": "b"}}',
    'config_field_unknown',
    2,
    /__proto__/,
  ],
  ['an app with a space', '{"version": 1, "app": "my app"}', 'config_invalid', 1, /my app/, /lower-case/i],
  ['an app that leaves its path', '{"version": 1, "app": "../a"}', 'config_invalid', 1, /\.\.\/a/],
  [
    'the name of an app of every workspace',
    '{"version": 1, "app": "template-app"}',
    'config_invalid',
    1,
    /every workspace/,
  ],
  ['the name of a device', '{"version": 1, "app": "con"}', 'config_invalid', 1, /device/],
  [
    'a limit above the workspace’s',
    '{"version": 1, "app": "a", "limits": {"memoryMb": 4096}}',
    'config_invalid',
    1,
    /at most 128/,
  ],
  [
    'a time zone that does not exist',
    '{"version": 1, "app": "a", "timezone": "Mars/Base"}',
    'config_invalid',
    1,
    /not a time zone/,
  ],
  [
    'a secret’s value where names stand',
    '{"version": 1, "app": "a", "secrets": ["sk-1 2"]}',
    'config_invalid',
    1,
    /secrets\[0\]/,
  ],
];
for (const [title, text, code, line, message, hint] of broken) {
  test(`a config with ${title} is refused as ${code}, with its line`, async () => {
    const folder = aFolder();
    await write(folder, config(text));
    const error = await refusalOf(findProject(folder));
    assert.equal(error.code, text === '[]' ? 'config_invalid' : code);
    assert.match(error.message, message);
    if (hint) assert.match(error.hint ?? '', hint);
    assert.ok(error.hint);
    assert.equal(error.location?.file, 'fn.config.json');
    // A field that is missing has no line of its own.
    if (/missing|no name/.test(error.message)) return;
    assert.equal(error.location.line, line);
    assert.equal(error.location.text, text.split('\n')[line - 1]);
  });
}

test('a config that is huge, a folder or no text is refused without reading it', async () => {
  const folder = aFolder();
  await write(folder, { 'huge/fn.config.json': ' '.repeat(2_000_000) });
  await mkdir(join(folder, 'folder/fn.config.json'), { recursive: true });
  await mkdir(join(folder, 'bytes'));
  await writeFile(join(folder, 'bytes/fn.config.json'), Buffer.from([0x7b, 0xff, 0xfe]));
  assert.equal((await refusalOf(findProject(join(folder, 'huge')))).code, 'file_too_large');
  assert.equal((await refusalOf(findProject(join(folder, 'folder')))).code, 'file_unreadable');
  assert.equal((await refusalOf(findProject(join(folder, 'bytes')))).code, 'file_not_text');
});

test('a broken config of a folder above is named in full', async () => {
  const folder = aFolder();
  await write(folder, { 'fn.config.json': '{', 'functions/x.js': '' });
  const error = await refusalOf(findProject(join(folder, 'functions')));
  assert.equal(error.location?.file, join(folder, 'fn.config.json'));
});

test('a byte order mark at the beginning does no harm', async () => {
  const folder = aFolder();
  await write(folder, config('\ufeff{"version": 1, "app": "a"}'));
  assert.equal((await findProject(folder))?.app, 'a');
});

test('the environment of a profile lies above the one of the app', async () => {
  const folder = aFolder();
  const env = { SHOP: 'https://shop.example', MODE: 'test' };
  await write(folder, {
    'fn.config.json': { version: 1, app: 'a', env, environments: { production: { env: { MODE: 'live' } } } },
  });
  const project = await requireProject(folder);
  assert.deepEqual(environmentOf(project.config), env);
  assert.deepEqual(environmentOf(project.config, 'production'), { ...env, MODE: 'live' });
  assert.deepEqual(environmentOf(project.config, 'constructor'), env);
});

test('reading an app loads no schema library', async () => {
  const folder = aFolder();
  await write(folder, { ...config('{"version": 1, "app": "a"}'), 'functions/a.js': '' });
  const { execFile } = await import('node:child_process');
  const { promisify } = await import('node:util');
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    const { requireProject, listFunctionFiles } = await import(${JSON.stringify(new URL('../../src/project/index.ts', import.meta.url).href)});
    await listFunctionFiles(await requireProject(${JSON.stringify(folder)}));
    console.log(JSON.stringify(loaded.filter((url) => url.includes('node_modules'))));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  assert.deepEqual(JSON.parse(stdout), []);
});
