import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const home = aFolder();
const cwd = join(home, 'shop');
const env = { HOME: home };
const fn = (line: string) => runFn(line.split(' '), { cwd, env });

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  }
}

before(() => {
  write({
    'fn.config.json': '{"version": 1, "app": "shop"}',
    'functions/nightly.js': `export const config = { type: 'cron-job', schedule: '99 * * * *' }; export default () => {};`,
    'functions/refund.js': `export const config = { type: 'ai-tool', name: 'refund', description: 'Refunds', input: { type: 'object' } }; export default () => {};`,
    'functions/find.js': `export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'token', input: { type: 'object', required: ['phone'] } } }; export default () => {};`,
    'functions/tags.js': `export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'token', input: { type: 'object', properties: { tag: { type: 'array', items: { type: 'string' } } } } } }; export default ({ request }) => [new URL(request.url).search, request.headers.get('x-kind')];`,
    'functions/step.js': `export const config = { type: 'custom-flow-node', title: 'Step', outcomes: ['on'] }; export default ({ flow }) => ({ outcome: 'on', output: flow.variables });`,
  });
});

test('a cron job whose config is wrong is told as such, not as missing', async () => {
  const { exitCode, err } = await fn('cron next nightly');
  assert.equal(exitCode, 2);
  assert.match(err, /functions\/nightly\.js: config\.schedule is not a cron expression/);
});

test('a list of cron jobs names what is left out because it is broken', async () => {
  const { exitCode, err } = await fn('cron list');
  assert.equal(exitCode, 0);
  assert.match(err, /nightly does not build or has a wrong config.*fn build nightly/);
});

test('a function of another type is no cron job', async () => {
  assert.match((await fn('cron run refund')).err, /refund is of type ai-tool, not a cron job\n→ .*fn invoke refund/);
});

test('a method without a body that got no input is to be given a query', async () => {
  assert.match((await fn('invoke find')).err, /without input: pass some with -q name=value/);
  assert.doesNotMatch((await fn('invoke find -q email=ann')).err, /without input/);
});

test('a query parameter and a header that are given twice reach the method twice', async () => {
  const { out, err } = await fn('invoke tags -q tag=a -q tag=b&c -q page=1 -H x-kind:one -H X-Kind:two --json');
  assert.equal(err, '');
  assert.deepEqual(JSON.parse(out).result, ['?tag=a&tag=b%26c&page=1', 'one, two']);
});

test('a list in the input of a method without a body is its parameter once for each', async () => {
  const { out } = await fn('invoke tags --json -d {"tag":["a","b"],"page":1}');
  assert.deepEqual(JSON.parse(out).result, ['?tag=a&tag=b&page=1', null]);
});

test('a flow node is run with the variables of nodes before it', async () => {
  const { out } = await fn('invoke step --json --variables {"open":true}');
  assert.deepEqual(JSON.parse(out).result, { outcome: 'on', output: { open: true } });
  const { exitCode, err } = await fn('invoke step --variables ["open"]');
  assert.equal(exitCode, 2);
  assert.match(err, /--variables is not a JSON object\n→ For example: --variables '\{"open":true\}'/);
});

test('an input that an editor on Windows saved is read, one that is no UTF-8 is named as that', async () => {
  write({ 'marked.json': '\ufeff{"open":true}\r\n' });
  writeFileSync(join(cwd, 'utf16.json'), '\ufeff{"open":true}', 'utf16le');
  const { out } = await fn('invoke step --json --variables @marked.json');
  assert.deepEqual(JSON.parse(out).result.output, { open: true });
  const piped = await runFn(['invoke', 'step', '--json', '--variables', '@-'], {
    cwd,
    env,
    input: '\ufeff{"open":true}',
  });
  assert.deepEqual(JSON.parse(piped.out).result.output, { open: true });
  const { exitCode, err } = await fn('invoke step --variables @utf16.json');
  assert.equal(exitCode, 2);
  assert.match(err, /utf16\.json is not UTF-8 text\n→ Save it as UTF-8/);
});

test('an app that is not installed cannot be uninstalled, and nobody is told to install it', async () => {
  assert.equal((await fn('app uninstall template-app')).exitCode, 0);
  const { err } = await fn('app uninstall template-app');
  assert.match(err, /not installed/);
  assert.doesNotMatch(err, /fn app install/);
});

test('fn doctor says once what is wrong with the config', async () => {
  write({ 'fn.config.json': '{"version": 1, "app": "shop", "colour": 1}' });
  const { exitCode, out } = await fn('doctor');
  assert.equal(exitCode, 3);
  assert.equal(out.split('colour is not known').length, 2, out);
});

test('the files of an app lead to their pages', async () => {
  for (const [topic, title] of Object.entries({
    config: 'fn.config.json',
    'fn.config.json': 'fn.config.json',
    'seed.json': 'seed.json',
  }))
    assert.equal(JSON.parse((await fn(`docs ${topic} --json`)).out).title, title);
});

test('a word that no page is called by leads to the pages that speak of it', async () => {
  for (const [asked, page] of Object.entries({
    proxy: 'login',
    'time zone': 'app-config',
    breakpoints: 'debugging',
  })) {
    const { exitCode, err } = await fn(`docs ${asked}`);
    assert.equal(exitCode, 2);
    assert.match(err, new RegExp(`These pages mention it: .*fn docs ${page}\\b`), asked);
  }
  assert.match((await fn('docs depoly')).err, /Did you mean: fn docs deploy$/m);
  assert.match((await fn('docs xyzzy')).err, /See: fn docs$/m);
});

test('a part of a page is read by its heading, however many words it has', async () => {
  assert.match((await fn('docs cron and the clock')).out, /^## Cron and the clock/);
});

test('what a page says to its test alone is not shown', async () => {
  assert.doesNotMatch((await fn('docs secrets')).out, /<!--/);
});

test('the help of send-template is that of fn template send', async () => {
  const [asked, named] = [await fn('help send-template'), await fn('help template send')];
  assert.deepEqual([asked.exitCode, asked.out], [0, named.out]);
});
