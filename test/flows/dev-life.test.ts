import assert from 'node:assert/strict';
import { existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { until } from '../until.ts';
import { App, aMethod, type Dev, isAlive } from './app.ts';
import { childrenOf } from './processes.ts';

suite('a day with fn dev', () => {
  let app: App;
  let dev: Dev;
  before(async () => {
    app = new App({
      'functions/greet.js': aMethod('{ word, greeting: process.env.GREETING }', "import { word } from './_word.js';"),
      'functions/_word.js': "export const word = 'one';\n",
      'functions/count.js': aMethod("sdk.store.increment('count')"),
      'functions/slow.js': aMethod("(console.log('began'), new Promise((done) => setTimeout(done, 60_000)))"),
      'functions/cron/tidy.js': `
export const config = { type: 'cron-job', schedule: '0 3 * * *', timezone: 'Europe/Berlin' };
export default async (sdk) => { await sdk.store.set('tidied', sdk.cron.scheduledAt); };
`,
      'functions/tidied.js': aMethod("sdk.store.get('tidied')"),
    });
    dev = await app.dev();
  });
  after(() => dev.stop());

  test('ready names every function with its type, and methods with the address at which they answer', () => {
    const { functions, url } = dev.ready;
    assert.deepEqual(
      functions.map(({ name, type }) => [name, type]),
      [
        ['count', 'server-side-method'],
        ['cron/tidy', 'cron-job'],
        ['greet', 'server-side-method'],
        ['slow', 'server-side-method'],
        ['tidied', 'server-side-method'],
      ],
    );
    assert.equal(functions[0]?.url, `${url}/api/dev/custom-functions/flow/count.js`);
  });

  test('a second fn dev on the same app says who holds it', async () => {
    const second = await app.fn(['dev']);
    assert.equal(second.exitCode, 1);
    assert.equal(second.out, '');
    assert.ok(second.err.includes(dev.ready.url), second.err);
    assert.ok(second.err.includes(`process ${dev.child.pid}`), second.err);
  });

  test('every other command of the app speaks to the running one', async () => {
    assert.deepEqual((await dev.get('count')).body, 1);
    const invoked = await app.fn(['invoke', 'count']);
    assert.deepEqual([invoked.exitCode, invoked.out], [0, '2\n'], invoked.err);
  });

  test('a shared module that is saved is in the very next answer', async () => {
    app.write('functions/_word.js', "export const word = 'two';\n");
    assert.deepEqual((await dev.get('greet')).body, { word: 'two' });
  });

  test('fifty saves in a row: the last one answers', async () => {
    for (let i = 0; i <= 50; i++) app.write('functions/_word.js', `export const word = 'save ${i}';\n`);
    assert.deepEqual((await dev.get('greet')).body, { word: 'save 50' });
  });

  test('while a build is broken the last good version answers, the place is told, and mending it is enough', async () => {
    const since = dev.lines.length;
    app.write('functions/_word.js', 'export const word = ;\n');
    const failed = await dev.event(({ type, name }) => type === 'build-failed' && name === 'greet', since);
    assert.equal(failed['serving'], true);
    const { location } = failed['error'] as { location: { file: string; line: number } };
    assert.deepEqual([location.file, location.line], ['functions/_word.js', 1]);
    assert.deepEqual((await dev.get('greet')).body, { word: 'save 50' });
    app.write('functions/_word.js', "export const word = 'mended';\n");
    assert.deepEqual((await dev.get('greet')).body, { word: 'mended' });
  });

  test('functions come, are renamed and go without a restart, each told once', async () => {
    const since = dev.lines.length;
    app.write('functions/new.js', aMethod("'new'"));
    assert.equal((await dev.get('new')).body, 'new');
    renameSync(app.path('functions/new.js'), app.path('functions/renamed.js'));
    assert.equal((await dev.get('renamed')).body, 'new');
    assert.notEqual((await dev.get('new')).status, 200);
    rmSync(app.path('functions/renamed.js'));
    await dev.event(({ type, name }) => type === 'removed' && name === 'renamed', since);
    assert.notEqual((await dev.get('renamed')).status, 200);
    const told = dev.lines.slice(since).filter(({ type }) => type === 'added' || type === 'removed');
    assert.deepEqual(told.map(({ type, name }) => `${type} ${name}`).sort(), [
      'added new',
      'added renamed',
      'removed new',
      'removed renamed',
    ]);
  });

  test('a request for a function that an editor is replacing at this moment waits for it', async () => {
    for (;;) {
      const awayAt = performance.now();
      renameSync(app.path('functions/greet.js'), app.path('functions/greet.js~'));
      const answer = dev.get('greet');
      await new Promise((resolve) => setTimeout(resolve, 50));
      renameSync(app.path('functions/greet.js~'), app.path('functions/greet.js'));
      const awayMs = performance.now() - awayAt;
      const { status } = await answer;
      if (status === 200) break;
      // On a busy machine a moment may become longer than is waited for.
      assert.ok(awayMs > 140, `${status} for a file that was away for ${Math.round(awayMs)} ms`);
    }
  });

  test('a file that can be no function is told, and everything else goes on', async () => {
    for (const name of ['bad name.js', 'greet.ts']) {
      const since = dev.lines.length;
      app.write(`functions/${name}`, aMethod('1'));
      await dev.event(
        ({ type, what, error }) =>
          type === 'reload-failed' && what === 'functions' && (error as { message: string }).message.includes(name),
        since,
      );
      assert.equal((await dev.get('greet')).status, 200);
      rmSync(app.path(`functions/${name}`));
    }
    app.write('functions/later.js', aMethod("'later'"));
    assert.equal((await dev.get('later')).body, 'later');
  });

  test('fn.config.json is followed; a broken one is told and the one before stays in force', async () => {
    let since = dev.lines.length;
    app.write('fn.config.json', '{"version": 1, "app": "flow", "env": {"GREETING": "hallo"}}');
    await dev.event(({ type, what }) => type === 'reloaded' && what === 'config', since);
    assert.deepEqual((await dev.get('greet')).body, { word: 'mended', greeting: 'hallo' });
    for (const text of ['{"version": 1,', '{"version": 2, "app": "flow"}', '{"version": 1, "app": "renamed"}']) {
      since = dev.lines.length;
      app.write('fn.config.json', text);
      await dev.event(({ type, what }) => type === 'reload-failed' && what === 'config', since);
      assert.deepEqual((await dev.get('greet')).body, { word: 'mended', greeting: 'hallo' });
    }
    since = dev.lines.length;
    app.write('fn.config.json', '{"version": 1, "app": "flow"}');
    await dev.event(({ type, what }) => type === 'reloaded' && what === 'config', since);
  });

  test('what fn.config.json says is in the next answer, which does not wait until the watcher has seen it', async () => {
    for (const greeting of ['servus', 'moin', 'hi']) {
      app.write('fn.config.json', JSON.stringify({ version: 1, app: 'flow', env: { GREETING: greeting } }));
      assert.deepEqual((await dev.get('greet')).body, { word: 'mended', greeting });
    }
    app.write('fn.config.json', '{"version": 1, "app": "flow"}');
    await dev.get('greet');
  });

  test('seed.json is planted when it is saved; a broken one changes nothing', async () => {
    let since = dev.lines.length;
    app.write('seed.json', '{"customers": [{"name": "Ann", "phone": "+49 30 901820"}]}');
    await dev.event(({ type, what }) => type === 'reloaded' && what === 'seed', since);
    const found = await app.fn(['api', 'customers.find', '-f', 'phone=+4930901820', '--json']);
    assert.match(found.out, /"Ann"/, found.err);
    since = dev.lines.length;
    app.write('seed.json', '{"customers": [{"phone": 7}]}');
    const failed = await dev.event(({ type, what }) => type === 'reload-failed' && what === 'seed', since);
    assert.match((failed['error'] as { message: string }).message, /seed\.json/);
  });

  test('AI agents that load packages of the app are told, until the folder is trusted', async () => {
    const model = ['--model', 'gpt-5-mini', '--base-url', 'http://127.0.0.1:9/v1'];
    const added = await app.fn(['harness', 'add', 'hosted', '--kind', 'openai-agents-api', ...model]);
    assert.equal(added.exitCode, 0, added.err);
    let since = dev.lines.length;
    const agent = JSON.stringify({ instructions: 'Help.', harness: 'hosted' });
    app.write('agents/nora.json', agent);
    const told = await dev.event(({ type }) => type === 'trust-missing', since);
    assert.deepEqual([told['agents'], told['folder']], [['nora'], app.root]);
    assert.equal((await app.fn(['trust'])).exitCode, 0);
    since = dev.lines.length;
    app.write('agents/ada.json', agent);
    app.write('seed.json', '{"customers": []}');
    await dev.event(({ type, what }) => type === 'reloaded' && what === 'seed', since);
    assert.ok(!dev.lines.slice(since).some(({ type }) => type === 'trust-missing'));
    await app.fn(['trust', '--remove']);
    app.write('agents/eva.json', agent);
    await dev.event(({ type, agents }) => type === 'trust-missing' && String(agents) === 'ada,eva,nora', since);
  });

  test('secrets of the config that have no value here are told, once', async () => {
    const since = dev.lines.length;
    const config = JSON.parse(app.read('fn.config.json'));
    await app.fn(['secret', 'set', 'SHOP_KEY', '--stdin'], { input: 'sk_1' });
    app.write('fn.config.json', JSON.stringify({ ...config, secrets: ['SHOP_KEY', 'HOOK_KEY'] }));
    assert.deepEqual((await dev.event(({ type }) => type === 'secrets-missing', since))['names'], ['HOOK_KEY']);
    const { out } = await app.fn(['secret', 'list', '--json']);
    assert.deepEqual(JSON.parse(out).missing, ['HOOK_KEY']);
    const { err } = await app.fn(['secret', 'list'], { env: { FN_SECRET_HOOK_KEY: 'k' } });
    assert.doesNotMatch(err, /HOOK_KEY/);
    app.write('fn.config.json', JSON.stringify(config));
    await dev.event(({ type }) => type === 'reloaded', since);
  });

  test('what cannot be watched is told with its hint', async () => {
    const since = dev.lines.length;
    symlinkSync('loop', app.path('loop'));
    const { error } = await dev.event(({ type }) => type === 'watch-failed', since);
    assert.equal((error as { code: string }).code, 'watch_failed');
    assert.match((error as { hint: string }).hint, /next request/);
    rmSync(app.path('loop'));
    assert.equal((await dev.get('greet')).status, 200);
  });

  test('a cron job fires once when the clock is turned past its time, at that time in its zone', async () => {
    const since = dev.lines.length;
    const { now } = JSON.parse((await app.fn(['clock', 'show', '--json'])).out);
    const turned = await app.fn(['clock', 'advance', '2d', '--json']);
    assert.equal(turned.exitCode, 0, turned.err);
    const fired = await dev.event(({ type, trigger }) => type === 'invoked' && trigger === 'cron', since);
    assert.deepEqual([fired['function'], fired['status']], ['cron/tidy', 'ok']);
    const { body } = await dev.get('tidied');
    const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: 'Europe/Berlin' });
    assert.equal(hour.format(new Date(body as string)), '03');
    assert.ok(Date.parse(body as string) > Date.parse(now));
    assert.equal(dev.lines.slice(since).filter(({ trigger }) => trigger === 'cron').length, 1);
  });

  test('a sandbox process that dies in the middle of a request costs that request and nothing else', {
    skip: process.platform !== 'linux',
  }, async () => {
    const since = dev.lines.length;
    const slow = dev.get('slow');
    const processes = () => childrenOf(dev.child.pid ?? 0).filter(({ command }) => command.includes('--permission'));
    await dev.event(({ type, text }) => type === 'log' && text === 'began', since);
    for (const { pid } of processes()) process.kill(pid, 'SIGKILL');
    const { status, body } = await slow;
    assert.deepEqual([status, (body as { code: string }).code], [502, 'function_crashed']);
    assert.equal((await dev.get('greet')).status, 200);
    await dev.event(({ type, function: name }) => type === 'invoked' && name === 'slow', since);
  });

  test('each line of fn logs begins with its moment in UTC, as --since takes it', async () => {
    const { out } = await app.fn(['logs', '-l', '1']);
    const [line = ''] = out.split('\n');
    assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z error /);
    const since = await app.fn(['logs', '--since', line.split(' ')[0] ?? '']);
    assert.ok(since.out.includes(line), since.err);
  });

  test('killed outright it leaves no process behind, and the next start finds everything as it was', {
    skip: process.platform !== 'linux',
  }, async () => {
    const { body: counted } = await dev.get('count');
    const children = childrenOf(dev.child.pid ?? 0).map(({ pid }) => pid);
    assert.ok(children.length > 0);
    dev.child.kill('SIGKILL');
    await dev.ended;
    await until('its children are gone', () => !children.some(isAlive));
    assert.ok(existsSync(app.path('.fn/dev.json')), 'it had no time to clean up');
    const alone = await app.fn(['invoke', 'count']);
    assert.deepEqual([alone.exitCode, alone.out], [0, `${Number(counted) + 1}\n`], alone.err);
    dev = await app.dev();
    assert.equal((await dev.get('count')).body, Number(counted) + 2);
  });

  test('Ctrl-C ends it with 130: the last line says stopped, and nothing is left', async () => {
    const children = process.platform === 'linux' ? childrenOf(dev.child.pid ?? 0) : [];
    assert.equal(await dev.stop(), 130);
    assert.equal(dev.lines.at(-1)?.type, 'stopped');
    assert.equal(existsSync(app.path('.fn/dev.json')), false);
    await until('its children are gone', () => !children.some(({ pid }) => isAlive(pid)));
    assert.equal(dev.err, '');
  });
});

suite('an app whose packages are installed after the start', () => {
  test('builds without being asked, and its setup, which could not be told from the others before, runs then', async () => {
    const app = new App({
      'functions/greet.js': aMethod('word', "import { word } from 'kit';"),
      'functions/setup.js': `
import { word } from 'kit';
export const config = { type: 'custom-app-setup' };
export default async (sdk) => { await sdk.vars.set('word', word); };
`,
    });
    const dev = await app.dev();
    const installed = async () => JSON.parse((await app.fn(['app', 'list', '--json'])).out).items[0].installed;
    assert.equal(await installed(), false);
    const refused = await app.fn(['app', 'install', 'flow']);
    assert.equal(refused.exitCode, 1, 'installed without its setup it would stay without');
    assert.match(refused.err, /kit/);
    const since = dev.lines.length;
    app.write('node_modules/kit/package.json', '{"name": "kit", "type": "module", "exports": "./kit.js"}');
    app.write('node_modules/kit/kit.js', "export const word = 'hello';");
    app.write('node_modules/.package-lock.json', '{}');
    for (const name of ['greet', 'setup']) {
      const built = await dev.event((line) => line.type === 'built' && line['name'] === name, since);
      assert.equal(built['mended'], true);
    }
    const ran = await dev.event(({ type, trigger }) => type === 'invoked' && trigger === 'setup', since);
    assert.equal(ran['status'], 'ok');
    await until('it is installed', installed);
    await dev.stop();
  });

  test('a package of the same repository that is saved is built in without being asked', async () => {
    const repository = new App({
      'repo/package-lock.json': '{}',
      'repo/kit/package.json': '{"name": "kit", "type": "module", "exports": "./kit.js"}',
      'repo/kit/kit.js': "export const word = 'one';",
      'repo/node_modules/x': '',
      'repo/desk/fn.config.json': '{"version": 1, "app": "flow"}',
      'repo/desk/functions/greet.js': aMethod('word', "import { word } from 'kit';"),
    });
    symlinkSync('../kit', repository.path('repo/node_modules/kit'));
    const dev = await repository.dev('-C', 'repo/desk');
    const since = dev.lines.length;
    let saves = 0;
    await until('a save is built in', () => {
      repository.write('repo/kit/kit.js', `export const word = 'save ${saves++}';`);
      return dev.lines.slice(since).some(({ type, name, again }) => type === 'built' && name === 'greet' && again);
    });
    await dev.stop();
  });

  test('a setup that fails at the first start runs again when it was changed, and not before', async () => {
    const setup = (body: string) => `
export const config = { type: 'custom-app-setup' };
export default async (sdk) => { ${body} };
`;
    const app = new App({ 'functions/one.js': aMethod('1'), 'functions/setup.js': setup("throw new Error('no ERP')") });
    const dev = await app.dev();
    const setups = () => dev.lines.filter(({ trigger }) => trigger === 'setup').map(({ status }) => status);
    await dev.event(({ type }) => type === 'setup-failed');
    app.write('functions/one.js', aMethod('2'));
    await dev.event(({ type, name, again }) => type === 'built' && name === 'one' && again === true);
    app.write('functions/setup.js', setup(''));
    await dev.event(({ trigger, status }) => trigger === 'setup' && status === 'ok');
    assert.deepEqual(setups(), ['error', 'ok']);
    await dev.stop();
  });
});

// By requests, not by events: when the folder itself goes, no machine promises that a watcher hears of it.
suite('an app whose folder goes away', () => {
  test('is served again when it is back', async () => {
    const app = new App({ 'functions/one.js': aMethod('1') });
    const dev = await app.dev();
    const elsewhere = `${app.root}-elsewhere`;
    renameSync(app.root, elsewhere);
    await dev.get('one');
    renameSync(elsewhere, app.root);
    await until('the function answers again', async () => (await dev.get('one')).body === 1);
    await dev.stop();
    assert.doesNotMatch(dev.err, /bug/);
  });

  test('when it is deleted, fn dev stops as usual', async () => {
    const app = new App({ 'functions/one.js': aMethod('1') });
    const dev = await app.dev();
    // Something may still be written there.
    rmSync(app.root, { recursive: true, maxRetries: 5 });
    await dev.get('one');
    assert.equal(await dev.stop(), 130);
    assert.doesNotMatch(dev.err, /bug/);
  });
});

suite('an app whose state is deleted, as by git clean -dfx', () => {
  test('is told so at the next save', async () => {
    const app = new App({ 'functions/one.js': aMethod('1') });
    const dev = await app.dev();
    // Something may still be written there.
    rmSync(app.path('.fn'), { recursive: true, maxRetries: 5 });
    const since = dev.lines.length;
    app.write('functions/one.js', aMethod('2'));
    const { code, message } = await dev.event(({ type }) => type === 'problem', since);
    assert.equal(code, 'workspace_gone');
    assert.match(String(message), /\.fn was deleted: .*lost when fn dev stops.*Restart fn dev/);
    await dev.stop();
  });
});

suite('the port of fn dev', () => {
  test('one that is given by hand and busy is refused, with who could help', async () => {
    const app = new App({ 'functions/one.js': aMethod('1') });
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const { exitCode, out, err } = await app.fn(['dev', '--port', String(port)]);
      assert.equal(exitCode, 1);
      assert.equal(out, '');
      assert.match(err, new RegExp(`${port}`));
      assert.match(err, /^→ /m);
    } finally {
      other.close();
    }
  });
});

suite('fn dev --once', () => {
  test('loads everything, prints it and ends with 0', async () => {
    const app = new App({ 'functions/one.js': aMethod('1') });
    const { exitCode, out } = await app.fn(['dev', '--once', '--json', '--port', '0']);
    assert.equal(exitCode, 0);
    assert.deepEqual(
      out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).type),
      ['ready', 'built', 'stopped'],
    );
  });

  test('ends with 2 when something does not build, and shows where', async () => {
    const app = new App({ 'functions/one.js': aMethod('1'), 'functions/two.js': 'export default (' });
    const { exitCode, err } = await app.fn(['dev', '--once', '--port', '0']);
    assert.equal(exitCode, 2);
    assert.match(err, /functions\/two\.js:1:\d+/);
  });
});

test('an app that one broken function kept from being installed is installed when that is mended', async () => {
  const app = new App({
    'functions/setup.js':
      "export const config = { type: 'custom-app-setup' };\nexport default async () => ({ status: 'ok' });\n",
    'functions/greet.js': aMethod("'hello'").replace(
      "type: 'server-side-method'",
      "type: 'server-side-method', speed: 1",
    ),
  });
  const dev = await app.dev();
  try {
    const installed = async () => JSON.parse((await app.fn(['app', 'list', '--json'])).out).items[0].installed;
    assert.equal(await installed(), false);
    app.write('functions/greet.js', aMethod("'hello'"));
    await until('it is installed', installed);
  } finally {
    await dev.stop();
  }
});
