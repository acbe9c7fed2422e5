import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Bundler } from '../../../../src/bundle/index.ts';
import { type AppEvent, AppFunctions } from '../../../../src/emulator/sources/local/app-functions.ts';
import { DescribeCache } from '../../../../src/emulator/sources/local/describe-cache.ts';
import { requireProject } from '../../../../src/project/index.ts';
import { openSandbox, type Sandbox } from '../../../../src/sandbox/index.ts';
import { preludeSource } from '../../../../src/sdk/index.ts';
import { FunctionError, type ProjectError } from '../../../../src/std/index.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { until } from '../../../until.ts';

let sandbox: Sandbox;

before(async () => {
  sandbox = openSandbox({ prelude: await preludeSource(), processes: 1 });
});
after(async () => {
  await sandbox.close();
});

const method = (value: string) =>
  `export const config = { type: 'server-side-method' };\nexport default async () => '${value}';\n`;

async function anApp(files: Record<string, string>, descriptions = new DescribeCache(), inSandbox = sandbox) {
  const root = temporaryFolder('fn-app');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('fn.config.json', '{"version":1,"app":"shop"}');
  write('package-lock.json', '{}');
  for (const [path, text] of Object.entries(files)) write(path, text);
  const events: AppEvent[] = [];
  const functions = new AppFunctions({
    project: await requireProject(root),
    bundler: new Bundler({}),
    sandbox: inSandbox,
    descriptions,
    onEvent: (event) => events.push(event),
  });
  return { root, write, functions, events };
}

describe('the functions of an app’s folder', () => {
  test('a function is built at its first use, with its config and limits', async () => {
    const { functions } = await anApp({ 'functions/api/greet.js': method('hello') });
    const loaded = await functions.load('api/greet');
    assert.equal(loaded.type, 'server-side-method');
    assert.equal(loaded.path, 'api/greet.js');
    assert.equal(loaded.limits.wallMs, 30_000);
    assert.ok(loaded.program?.code.includes('hello'));
    await functions.close();
  });

  test('a large function that was only listed is whole when it is loaded, from the cache on disk as well', async () => {
    const large = `${method('hello')}export const data = ${JSON.stringify('größe'.repeat(50_000))};\n`;
    const { root, functions } = await anApp({ 'functions/large.js': large });
    const bundler = () => new Bundler({ cacheDir: join(root, '.fn/bundles') });
    const open = async () =>
      new AppFunctions({
        project: await requireProject(root),
        bundler: bundler(),
        sandbox,
        descriptions: new DescribeCache(),
      });
    const alone = await functions.load('large');
    for (const _ of ['built', 'cached']) {
      const listed = await open();
      assert.deepEqual(
        (await listed.list()).map(({ name }) => name),
        ['large'],
      );
      const { program } = await listed.load('large');
      assert.deepEqual({ ...program }, { ...alone.program });
      await listed.close();
    }
    await functions.close();
  });

  test('a function whose process ended while it was loaded is loaded again at its next use, without a save', async () => {
    let died = false;
    const describe: Sandbox['describe'] = (program, purpose) => {
      if (died) return sandbox.describe(program, purpose);
      died = true;
      return Promise.reject(new FunctionError('function_crashed', 'The process ended'));
    };
    const dying = new Proxy(sandbox, {
      get(target, name) {
        if (name === 'describe') return describe;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    });
    const { functions } = await anApp({ 'functions/api/get.js': method('x') }, new DescribeCache(), dying);
    await assert.rejects(functions.load('api/get'), { code: 'function_crashed' });
    assert.equal((await functions.load('api/get')).type, 'server-side-method');
    await functions.close();
  });

  const mailer = {
    'node_modules/nodemailer/package.json': '{"name":"nodemailer"}',
    'node_modules/nodemailer/index.js': "const { TLSSocket } = require('tls');\nexports.open = () => new TLSSocket();",
    'node_modules/user/package.json': '{"name":"user"}',
    'node_modules/user/index.js': "module.exports = require('nodemailer').open();",
  };

  test('a package that fails while it is loaded says what it wants, and what to use instead', async () => {
    const { functions } = await anApp({ ...mailer, 'functions/api/get.js': `import 'user';\n${method('x')}` });
    await assert.rejects(functions.load('api/get'), (error: FunctionError) => {
      assert.equal(error.code, 'function_load_failed');
      assert.match(
        String(error.hint),
        /^nodemailer \(functions\/api\/get\.js:1:8\) imports node:tls, .* Use the HTTP interface of a mail service/,
      );
      return true;
    });
    await functions.close();
  });

  test('a package that sets a variable without declaring it is told apart from one that wants what is missing', async () => {
    const { functions } = await anApp({
      'node_modules/old/package.json': '{"name":"old"}',
      'node_modules/old/index.js':
        "const fs = require('fs');\ntable = {};\nexports.read = () => fs.readFileSync(table);",
      'functions/api/get.js': `import 'old';\n${method('x')}`,
    });
    await assert.rejects(functions.load('api/get'), ({ message, hint }: FunctionError) => {
      assert.equal(message, 'The module failed while it was loaded: ReferenceError: table is not defined');
      assert.match(String(hint), /^"table" is set without being declared, /);
      return true;
    });
    await functions.close();
  });

  test('a decorator that is not a standard one names the setting that it needs', async () => {
    const { functions } = await anApp({
      'node_modules/checks/package.json': '{"name":"checks"}',
      'node_modules/checks/index.js': 'exports.IsEmail = () => (target, key) => { target.constructor.checked = key; };',
      'functions/api/get.ts': `import { IsEmail } from 'checks';\nclass Customer { @IsEmail() email = ''; }\n${method('new Customer().email')}`,
    });
    await assert.rejects(functions.load('api/get'), ({ hint }: FunctionError) => {
      assert.match(String(hint), /^Decorators are those of the JavaScript standard\. .*"experimentalDecorators": true/);
      return true;
    });
    await functions.close();
  });

  test('a package that looks for files of its own is told apart, too', async () => {
    const { functions } = await anApp({
      'node_modules/views/package.json': '{"name":"views"}',
      'node_modules/views/index.js':
        "const fs = require('fs');\nconst own = require.resolve('./' + 'index.js');\nexports.read = () => fs.readFileSync(own);",
      'functions/api/get.js': `import 'views';\n${method('x')}`,
    });
    await assert.rejects(functions.load('api/get'), ({ hint }: FunctionError) => {
      assert.match(String(hint), /^It looks for files of its own, which a function does not have/);
      return true;
    });
    await functions.close();
  });

  test('what the function itself throws while it is loaded is not blamed on a package', async () => {
    const { functions } = await anApp({
      ...mailer,
      'functions/api/get.js': `import { open } from 'nodemailer';\nif (open) throw new Error('no key');\n${method('x')}`,
    });
    await assert.rejects(functions.load('api/get'), (error: FunctionError) => {
      assert.deepEqual([error.code, error.hint], ['function_load_failed', undefined]);
      return true;
    });
    await functions.close();
  });

  test('a function that is asked for goes before those that are only listed', async () => {
    const names = Array.from({ length: 60 }, (_, i) => `f${String(i).padStart(2, '0')}`);
    const { functions, events } = await anApp(
      Object.fromEntries(names.map((name) => [`functions/${name}.js`, method(name)])),
    );
    const listed = functions.list();
    await until('the first is built', () => events.length > 0);
    await functions.load('f59');
    const built = events.map((event) => event.type === 'built' && event.name);
    // Those that were under way already may come before it.
    assert.ok(built.indexOf('f59') < 20, built.join());
    assert.equal((await listed).length, 60);
    assert.equal(events.length, 60);
    await functions.close();
  });

  test('what an app can have once only is told when a second one comes, and no more until it comes again', async () => {
    const setup = "export const config = { type: 'custom-app-setup' };\nexport default async () => {};\n";
    const { functions, write, events, root } = await anApp({ 'functions/setup.js': setup });
    const told = () =>
      events.flatMap((event) => (event.type === 'build-failed' ? [(event.error as ProjectError).code] : []));
    await functions.list();
    assert.deepEqual(told(), []);

    write('functions/setup-again.js', setup);
    await functions.refresh();
    await functions.list();
    await functions.list();
    assert.deepEqual(told(), ['setup_twice']);

    rmSync(join(root, 'functions/setup-again.js'));
    await functions.refresh();
    await functions.list();
    write('functions/setup-again.js', setup);
    await functions.refresh();
    await functions.list();
    assert.deepEqual(told(), ['setup_twice', 'setup_twice']);
    await functions.close();
  });

  test('an edit is seen by the next use, without any watching', async () => {
    const { functions, write } = await anApp({ 'functions/greet.js': method('one') });
    await functions.load('greet');
    write('functions/greet.js', method('two!'));
    assert.equal(functions.loaded('greet'), undefined);
    assert.ok((await functions.load('greet')).program?.code.includes('two!'));
    await functions.close();
  });

  test('an edit made while a build is under way is in the answer to whoever asks after it', async () => {
    const { functions, write } = await anApp({ 'functions/greet.js': method('one') });
    for (let i = 0; i < 10; i++) {
      write('functions/greet.js', method(`before ${i}`));
      const earlier = functions.load('greet');
      await new Promise((resolve) => setTimeout(resolve, i)); // at another moment of the build each time
      write('functions/greet.js', method(`after ${i}`));
      assert.ok((await functions.load('greet')).program?.code.includes(`after ${i}`));
      await earlier;
    }
    await functions.close();
  });

  test('an edit saved by renaming a copy is seen as well', async () => {
    const { functions, write, root } = await anApp({ 'functions/greet.js': method('one') });
    await functions.load('greet');
    write('copy.js', method('two'));
    renameSync(join(root, 'copy.js'), join(root, 'functions/greet.js'));
    assert.ok((await functions.load('greet')).program?.code.includes('two'));
    await functions.close();
  });

  test('a shared module that changes makes the functions that import it new', async () => {
    const { functions, write } = await anApp({
      'functions/_shared.js': "export const word = 'one';\n",
      'functions/greet.js':
        "import { word } from './_shared.js';\nexport const config = { type: 'server-side-method' };\nexport default () => word;\n",
    });
    await functions.load('greet');
    write('functions/_shared.js', "export const word = 'two';\n");
    assert.ok((await functions.load('greet')).program?.code.includes('two'));
    await functions.close();
  });

  test('of all saves the sandbox keeps the program that serves and the one loaded last, no other', async (t) => {
    const describe = t.mock.method(sandbox, 'describe');
    const retire = t.mock.method(sandbox, 'retire');
    const view = (value: string) =>
      `export const config = { type: 'custom-view', title: 'Panel', placement: 'page' };\nexport default () => '${value}';\n`;
    const { functions, write } = await anApp({
      'functions/greet.js': method('one'),
      'functions/views/panel.js': view('0'),
    });
    await functions.list();
    for (let i = 1; i <= 5; i++) {
      write('functions/greet.js', method(`fine ${i}`));
      write('functions/views/panel.js', `export const n = ${i};\n${view(`${i}`)}`);
      await functions.list();
      write('functions/greet.js', `throw new Error('save ${i}');\n${method('never')}`);
      assert.equal((await functions.list()).filter(({ problem }) => problem).length, 1);
    }
    const described = new Set(describe.mock.calls.map((call) => call.arguments[0].id));
    const kept = described.difference(new Set(retire.mock.calls.map((call) => call.arguments[0])));
    assert.ok(described.size >= 15);
    assert.equal(kept.size, 3, `${kept.size} of ${described.size} programs are kept`);
    await functions.close();
  });

  test('while a build is broken the last good version serves, and the problem is told once', async () => {
    const { functions, write, events } = await anApp({ 'functions/greet.js': method('good') });
    await functions.load('greet');
    write('functions/greet.js', 'export default async (sdk) => {{{\n');
    assert.ok((await functions.load('greet')).program?.code.includes('good'));
    assert.ok((await functions.load('greet')).program?.code.includes('good'));
    const failures = events.filter(({ type }) => type === 'build-failed');
    assert.equal(failures.length, 1);
    const [info] = await functions.list();
    assert.equal(info?.problem?.location?.file, 'functions/greet.js');
    write('functions/greet.js', method('mended'));
    assert.ok((await functions.load('greet')).program?.code.includes('mended'));
    await functions.close();
  });

  test('a function that never built says why, with file and line', async () => {
    const { functions } = await anApp({ 'functions/greet.js': 'const a = 1;\nexport default = 3;\n' });
    await assert.rejects(functions.load('greet'), (error: ProjectError) => {
      assert.equal(error.location?.file, 'functions/greet.js');
      assert.equal(error.location?.line, 2);
      return true;
    });
    await functions.close();
  });

  test('a function written later is found, one that was removed is gone', async () => {
    const { functions, write, root, events } = await anApp({ 'functions/one.js': method('1') });
    await functions.load('one');
    write('functions/two.js', method('2'));
    assert.equal((await functions.load('two')).name, 'two');
    rmSync(join(root, 'functions/one.js'));
    await functions.refresh();
    await assert.rejects(functions.load('one'), { code: 'function_unknown' });
    assert.ok(events.some((event) => event.type === 'removed' && event.name === 'one'));
    await functions.close();
  });

  test('a removed function is gone at once, before anybody noticed', async () => {
    const { functions, root } = await anApp({ 'functions/one.js': method('1') });
    await functions.load('one');
    rmSync(join(root, 'functions/one.js'));
    await assert.rejects(functions.load('one'), { code: 'function_unknown' });
    await functions.close();
  });

  test('a view is told by its config, wherever it lies', async () => {
    const view =
      "document.title = 'x';\nexport const config = { type: 'custom-view', title: 'Orders', placement: 'customer' };\nexport default ({ view }) => { view.container.textContent = 'hi'; };\n";
    const { functions } = await anApp({ 'functions/views/orders.jsx': view, 'functions/panel.js': view });
    for (const name of ['views/orders', 'panel']) {
      const loaded = await functions.load(name);
      assert.equal(loaded.type, 'custom-view');
      assert.ok(loaded.view?.script.includes('hi'));
      assert.equal(loaded.program, undefined);
    }
    await functions.close();
  });

  test('a function among the views that is none still runs on the server', async () => {
    const { functions } = await anApp({ 'functions/views/data.js': method('rows') });
    assert.ok((await functions.load('views/data')).program);
    await functions.close();
  });

  test('an unknown field of config is refused with its name', async () => {
    const { functions } = await anApp({
      'functions/greet.js':
        "export const config = { type: 'server-side-method', expse: true };\nexport default () => 1;\n",
    });
    await assert.rejects(functions.load('greet'), { code: 'config_unknown_field' });
    await functions.close();
  });

  test('a schema that cannot be used is a problem of the build, before anybody calls the function', async () => {
    const tool = (input: string) =>
      `export const config = { type: 'ai-tool', name: 't', description: 'x', input: ${input} };\nexport default () => 1;\n`;
    const { functions, write } = await anApp({
      'functions/tools/t.js': tool("{ type: 'object', properties: { a: { type: 'strin' } } }"),
    });
    const problem = await functions.load('tools/t').catch((error: ProjectError) => error);
    assert.ok(problem instanceof Error && 'code' in problem);
    assert.equal(problem.code, 'schema_invalid');
    assert.match(
      problem.message,
      /^functions\/tools\/t\.js: config\.input is not a usable JSON Schema: properties\.a\.type must be/,
    );
    assert.deepEqual(problem.location, { file: 'functions/tools/t.js' });
    write('functions/tools/t.js', tool("{ type: 'object' }"));
    assert.equal((await functions.load('tools/t')).type, 'ai-tool');
    await functions.close();
  });

  test('limits of the app’s config are in force, and follow when it changes', async () => {
    const { functions, write, root } = await anApp({ 'functions/greet.js': method('hello') });
    write('fn.config.json', '{"version":1,"app":"shop","limits":{"wallMs":500},"isolation":"warm"}');
    await functions.reconfigure(await requireProject(root));
    const { limits, isolation } = await functions.load('greet');
    assert.equal(limits.wallMs, 500);
    assert.equal(isolation, 'warm');
    await functions.close();
  });

  test('a config of the app that is saved while a function loads is in force for whoever asks next', async () => {
    let meanwhile = async () => {};
    const descriptions = new (class extends DescribeCache {
      override async of(...args: Parameters<DescribeCache['of']>) {
        await meanwhile();
        return await super.of(...args);
      }
    })();
    const { functions, write, root } = await anApp({ 'functions/greet.js': method('hello') }, descriptions);
    write('fn.config.json', '{"version":1,"app":"shop","limits":{"wallMs":500}}');
    const changed = await requireProject(root);
    // A file that was saved just now would be built once more in any case.
    utimesSync(join(root, 'functions/greet.js'), 1, 1);
    utimesSync(join(root, 'package-lock.json'), 1, 1);
    meanwhile = () => functions.reconfigure(changed);
    await functions.load('greet');
    meanwhile = async () => {};
    assert.equal((await functions.load('greet')).limits.wallMs, 500);
    await functions.close();
  });
});
