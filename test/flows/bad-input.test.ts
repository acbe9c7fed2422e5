import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { App, type Dev, type Ended } from './app.ts';

const config = "export const config = { type: 'server-side-method' };";

interface Case {
  readonly title: string;
  /** What stands in `functions/<name>.js`. */
  readonly name: string;
  readonly source: string;
  readonly exitCode: number;
  /** What the message must say: what, where, what to do. */
  readonly says: readonly RegExp[];
}

/** Sources that cannot become a function. */
const broken: readonly Case[] = [
  {
    title: 'a syntax error shows its place and its line',
    name: 'syntax',
    source: `${config}\nexport default () => { return {{ a: 1 }; };`,
    exitCode: 2,
    says: [/functions\/syntax\.js:2:\d+: Expected identifier/, /^ {2}2 \| export default/m, /^ +\| +\^$/m],
  },
  {
    title: 'a missing default export is named, with the line to add',
    name: 'no-default',
    source: `${config}\nexport function handler() {}`,
    exitCode: 2,
    says: [/functions\/no-default\.js/, /exports no default function/, /→ Add "export default async \(sdk\)/],
  },
  {
    title: 'a type that JSON Schema does not have is named, with those that it has',
    name: 'bad-schema',
    source:
      "export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token', input: { properties: { a: { type: 'strin' } } } } };\nexport default () => 1;",
    exitCode: 2,
    says: [/functions\/bad-schema\.js: config\.expose\.input.*properties\.a\.type must be one of array, boolean/],
  },
  {
    title: 'a default export that is no function is refused',
    name: 'no-function',
    source: `${config}\nexport default { handler() {} };`,
    exitCode: 2,
    says: [/functions\/no-function\.js: the default export is not a function/, /→ Export a function/],
  },
  {
    title: 'a class is no function that can be called',
    name: 'class',
    source: `${config}\nexport default class Find { constructor(sdk) {} }`,
    exitCode: 2,
    says: [
      /functions\/class\.js: the default export is not a function/,
      /→ Export a function, not an object or a class/,
    ],
  },
  {
    title: 'a config that is a function is refused as that',
    name: 'config-function',
    source: "export const config = () => ({ type: 'server-side-method' });\nexport default () => 1;",
    exitCode: 2,
    says: [/functions\/config-function\.js: config must be an object, not "\[function\]"/],
  },
  {
    title: 'a missing config is named, with the line to add',
    name: 'no-config',
    source: 'export default () => 1;',
    exitCode: 2,
    says: [/functions\/no-config\.js/, /exports no config/, /→ Add: export const config/],
  },
  {
    title: 'an unknown type suggests the one that was meant',
    name: 'type-typo',
    source: "export const config = { type: 'server-side-methd' };\nexport default () => 1;",
    exitCode: 2,
    says: [/functions\/type-typo\.js/, /"server-side-methd"/, /→ Did you mean 'server-side-method'\?/],
  },
  {
    title: 'an unknown field of config suggests the one that was meant',
    name: 'field-typo',
    source: "export const config = { type: 'server-side-method', exposed: true };\nexport default () => 1;",
    exitCode: 2,
    says: [/functions\/field-typo\.js/, /config\.exposed/, /→ Did you mean "expose"\?/],
  },
  {
    title: 'a field of another type of function is refused with those that this one takes',
    name: 'contradiction',
    source: `export const config = { type: 'ai-tool', name: 'x', description: 'd', input: { type: 'object' }, schedule: '@hourly' };
export default () => 1;`,
    exitCode: 2,
    says: [
      /functions\/contradiction\.js/,
      /config\.schedule is not a field of an ai-tool/,
      /→ Remove it\. Fields of this type: .*description/,
    ],
  },
  {
    title: 'a module that throws while it loads is shown where it threw',
    name: 'at-load',
    source: `${config}\nthrow new Error('no luck');\nexport default () => 1;`,
    exitCode: 2,
    says: [/no luck/, /functions\/at-load\.js:2:7/, /^ {2}2 \| throw new Error/m],
  },
  {
    title: 'a package that is not installed is named with the command that installs it',
    name: 'no-package',
    source: `import pad from 'left-pad-that-is-not-there';\n${config}\nexport default () => pad;`,
    exitCode: 2,
    says: [/functions\/no-package\.js:1:\d+/, /→ .*npm install left-pad-that-is-not-there/],
  },
];

/** Functions that build, and fail when they run. */
const failing: readonly Case[] = [
  {
    title: 'a function that throws: its log, its error, the place in its own source',
    name: 'throws',
    source: `${config}\nfunction inner(x) {\n  console.log('about to', x);\n  throw new TypeError('no order ' + x);\n}\nexport default () => inner(5);`,
    exitCode: 5,
    says: [/^about to 5$/m, /TypeError: no order 5/, /functions\/throws\.js:4:9/, /^ {2}4 \| {3}throw new TypeError/m],
  },
  {
    title: 'a function that throws no Error is told as that',
    name: 'throws-text',
    source: `${config}\nexport default () => { throw 'just a text'; };`,
    exitCode: 5,
    says: [/just a text/],
  },
  {
    title: 'an error out of a module of Node shows the line of the author that led there',
    name: 'throws-inside',
    source: `import { readFileSync } from 'node:fs';\n${config}\nexport default () => readFileSync('x');`,
    exitCode: 5,
    says: [
      /node:fs\.readFileSync is not available in functions\. Import the file/,
      /^ {2}functions\/throws-inside\.js:3:22$/m,
    ],
  },
  {
    title: 'what caused an error is told with its place',
    name: 'throws-cause',
    source: `${config}\nfunction inner() { throw new TypeError('no id'); }\nexport default () => {\n  try { inner(); } catch (cause) { throw new Error('no order', { cause }); }\n};`,
    exitCode: 5,
    says: [
      /^error Error: no order$/m,
      /functions\/throws-cause\.js:4:/,
      /^ {2}caused by TypeError: no id \(functions\/throws-cause\.js:2:26\)$/m,
    ],
  },
  {
    title: 'a cause that is not an error is told as it is',
    name: 'throws-fact',
    source: `${config}\nexport default () => {\n  throw new Error('no order', { cause: { status: 503, of: 'shop' } });\n};`,
    exitCode: 5,
    says: [/^error Error: no order$/m, /^ {2}caused by \{ status: 503, of: 'shop' \}$/m],
  },
  {
    title: 'of an AggregateError each error is told',
    name: 'throws-many',
    source: `${config}\nexport default () => Promise.any([Promise.reject(new Error('one')), Promise.reject(new TypeError('two'))]);`,
    exitCode: 5,
    says: [/AggregateError/, /^ {2}error 1: Error: one \(/m, /^ {2}error 2: TypeError: two \(/m],
  },
  {
    title: 'a function that never ends is stopped at its time limit, and the limit is named',
    name: 'hangs',
    source: `export const config = { type: 'server-side-method', limits: { wallMs: 200 } };\nexport default () => new Promise(() => {});`,
    exitCode: 6,
    says: [/took longer than 200 ms \(limits\.wallMs\)/, /→ .*config\.limits/],
  },
  {
    title: 'a function that loops is stopped at its CPU limit',
    name: 'loops',
    source: `export const config = { type: 'server-side-method', limits: { cpuMs: 100 } };\nexport default () => { for (;;); };`,
    exitCode: 6,
    says: [/more than 100 ms of CPU time \(limits\.cpuMs\)/, /→ .*config\.limits/],
  },
  {
    title: 'a function that eats memory is stopped at its limit',
    name: 'eats',
    source: `${config}\nexport default () => { const all = []; for (;;) all.push(new Array(1e6).fill(0.5)); };`,
    exitCode: 6,
    says: [/more than 128 MB of memory \(limits\.memoryMb\)/, /→ .*config\.limits/],
  },
  {
    title: 'a function that returns a function is told what can be returned',
    name: 'returns-function',
    source: `${config}\nexport default () => () => 1;`,
    exitCode: 5,
    says: [/returned a function.*Return data/],
  },
  {
    title: 'a generator is no result',
    name: 'returns-generator',
    source: `${config}\nexport default async function* () { yield 1; }`,
    exitCode: 5,
    says: [/returned an async generator, which is not JSON/],
  },
  {
    title: 'an Error that is returned is told that it is thrown',
    name: 'returns-error',
    source: `${config}\nexport default () => new Error('no order');`,
    exitCode: 5,
    says: [/returned an Error, which is not JSON\. Return its message, or throw it\./],
  },
  {
    title: 'a function that returns a cycle is told where it is',
    name: 'returns-cycle',
    source: `${config}\nexport default () => { const order = {}; order.self = order; return { order }; };`,
    exitCode: 5,
    says: [/result\.order\.self.*cycle/],
  },
];

/** One message for a person: nothing on stdout, no stack of ours, not long. */
function isOneClearMessage({ out, err }: Ended, says: readonly RegExp[]): void {
  assert.equal(out, '', 'standard output is for results');
  assert.equal(err.match(/^error /gm)?.length, 1, err);
  for (const one of says) assert.match(err, one);
  assert.doesNotMatch(err, /node:internal|\/src\/|\/dist\/|node_modules|fn has a bug/, 'no stack of ours');
  assert.ok(err.split('\n').length <= 20, err);
}

suite('bad input', () => {
  let app: App;
  let dev: Dev;
  let build: Ended;
  /** Each error that `fn build` told, without the word. */
  let messages: string[];
  before(async () => {
    app = new App({
      'functions/good.js': `${config}\nexport default async (sdk) => ({ got: await sdk.request.text() });`,
      'functions/round.js': `import { a } from './_a.js';\n${config}\nexport default () => a;`,
      'functions/_a.js': "import { b } from './_b.js';\nexport const a = 1; export const use = () => b;",
      'functions/_b.js': "import { a } from './_a.js';\nexport const b = 2; export const use = () => a;",
      'fixtures/good/default.json': '{"from": "fixture"}',
      'fixtures/good/broken.json': '{"from": }',
    });
    for (const { name, source } of [...broken, ...failing]) app.write(`functions/${name}.js`, source);
    build = await app.fn(['build']);
    messages = build.err.split(/^error /m).slice(1);
    dev = await app.dev();
  });
  after(() => dev.stop());

  for (const { title, name, says } of broken) {
    test(title, () => {
      const message = messages.find((one) => one.includes(`functions/${name}.js`)) ?? '';
      isOneClearMessage({ exitCode: 2, out: '', err: `error ${message}` }, says);
    });
  }

  for (const { title, name, exitCode, says } of [...broken.slice(0, 1), ...failing]) {
    test(exitCode === 2 ? `${title}, also when it is invoked` : title, async () => {
      const ended = await app.fn(['invoke', name]);
      isOneClearMessage(ended, says);
      assert.equal(ended.exitCode, exitCode);
    });
  }

  test('fn build names everything that is wrong at once, and builds the rest', () => {
    const { exitCode, out, err } = build;
    assert.equal(exitCode, 2);
    const names = out
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]);
    assert.deepEqual(names, ['good', 'round', ...failing.map(({ name }) => name)].sort());
    assert.equal(messages.length, broken.length, err);
    assert.match(
      err,
      /^warning round: functions\/_a\.js → functions\/_b\.js → functions\/_a\.js: .*import each other/m,
    );
  });

  test('fn list shows the broken ones as well, each on one line', async () => {
    const { exitCode, out } = await app.fn(['list']);
    assert.equal(exitCode, 2);
    assert.equal(out.trim().split('\n').length, broken.length + failing.length + 2);
    assert.match(out, /^syntax .*functions\/syntax\.js:2:\d+: Expected identifier[^|]*$/m);
  });

  const usage: readonly { title: string; argv: string[]; input?: string; says: RegExp[] }[] = [
    {
      title: 'bad JSON in -d is refused with the way to quote it',
      argv: ['invoke', 'good', '-d', '{bad'],
      says: [/--data is not valid JSON/, /→ Quote it for your shell/],
    },
    {
      title: 'bad JSON on standard input is named as that',
      argv: ['invoke', 'good', '-d', '@-'],
      input: '[1,',
      says: [/Standard input is not valid JSON: .*\n {2}Standard input:1:4\n {2}1 \| \[1,/],
    },
    {
      title: 'JSON that is nested too deep for anything to look at it is refused as that',
      argv: ['invoke', 'good', '-d', '@-'],
      input: '['.repeat(5_000) + ']'.repeat(5_000),
      says: [/Standard input is nested more than 200 levels deep/],
    },
    {
      title: 'bad JSON in a seed from standard input is shown at its place',
      argv: ['workspace', 'import', '-'],
      input: '{\n  "customers": [],\n}',
      says: [
        /Standard input is not valid JSON: a comma after the last value\n {2}Standard input:2:18\n/,
        /→ Remove it/,
      ],
    },
    {
      title: 'an unknown field in a seed from standard input is shown at its place',
      argv: ['workspace', 'import', '-'],
      input: '{"custmers": []}',
      says: [/standard input: custmers is not a known field; did you mean "customers"\?\n {2}standard input:1:2\n/],
    },
    {
      title: 'a file of input that is not there is named',
      argv: ['invoke', 'good', '-d', '@nowhere.json'],
      says: [/nowhere\.json/, /→ /],
    },
    {
      title: 'a fixture that is not there is refused with those that are',
      argv: ['invoke', 'good', '--fixture', 'nope'],
      says: [/no fixtures\/good\/nope\.json/, /→ .*default/],
    },
    {
      title: 'a broken fixture shows its line',
      argv: ['invoke', 'good', '--fixture', 'broken'],
      says: [/fixtures\/good\/broken\.json:1:10/, /^ {2}1 \| \{"from": \}$/m],
    },
    {
      title: 'a fixture cannot leave its folder',
      argv: ['invoke', 'good', '--fixture', '../../fn.config'],
      says: [/cannot be the name of a fixture/],
    },
    {
      title: 'a function that is nearly there is suggested',
      argv: ['invoke', 'goood'],
      says: [/no function goood/, /→ Did you mean good\?/],
    },
    {
      title: 'a method that HTTP does not have is refused',
      argv: ['invoke', 'good', '-X', 'FETCH'],
      says: [/"FETCH" is not a method/, /→ The methods are GET, POST/],
    },
    {
      title: 'an unknown flag is refused',
      argv: ['invoke', 'good', '--wait'],
      says: [/no flag --wait/, /→ See: fn invoke --help/],
    },
  ];
  for (const { title, argv, input, says } of usage) {
    test(title, async () => {
      const ended = await app.fn(argv, input === undefined ? {} : { input });
      isOneClearMessage(ended, says);
      assert.equal(ended.exitCode, 2);
    });
  }

  test('exports of CommonJS in a package of modules are told the words of a module', async () => {
    app.write('package.json', '{"type": "module"}');
    app.write(
      'functions/common-js.js',
      "module.exports = () => 1;\nmodule.exports.config = { type: 'server-side-method' };",
    );
    const { exitCode, err } = await app.fn(['build', 'common-js']);
    for (const name of ['package.json', 'functions/common-js.js']) rmSync(app.path(name));
    assert.equal(exitCode, 2);
    assert.match(err, /functions\/common-js\.js:1:1: the file exports no default function/);
    assert.match(err, /^→ Functions are ES modules: write "export const config/m);
  });

  test('with --json an error is the only document on standard error; what was to be said before is in it', async () => {
    const lone = new App({
      'functions/round.js': `import { a } from './_a.js';\n${config}\nexport default () => a();`,
      'functions/_a.js': "import { b } from './_b.js';\nexport const a = () => b;",
      'functions/_b.js': "import { a } from './_a.js';\nexport const b = () => a;\nconsole.log('loading b');",
    });
    assert.equal((await lone.fn(['clock', 'show', '--json'])).err, '', 'that is nobody’s business elsewhere');
    const ended = await lone.fn(['invoke', 'round', '--json']);
    assert.deepEqual([ended.exitCode, ended.out], [5, '']);
    const { error } = JSON.parse(ended.err) as { error: { code: string; notices: string[] } };
    assert.equal(error.code, 'result_invalid');
    assert.match(error.notices[0] ?? '', /warning round: .*import each other/);
    assert.equal(error.notices[1], 'round loading b');
  });

  test('a second tool of one name is told: a model could not tell them apart', async () => {
    const tool = `export const config = { type: 'ai-tool', name: 'refund', description: 'x', input: { type: 'object' } }; export default () => 1;`;
    const twins = new App({ 'functions/tools/refund.js': tool, 'functions/tools/refund-all.js': tool });
    for (const argv of [['build'], ['list'], ['dev', '--once', '--port', '0']]) {
      const { exitCode, out, err } = await twins.fn(argv);
      assert.equal(exitCode, 2, `${argv.join(' ')}: ${err}`);
      assert.match(`${out}${err}`, /tools\/refund-all has the same tool name as tools\/refund: "refund"/);
    }
  });

  test('a second Custom App Setup is told, not left out', async () => {
    const setup = "export const config = { type: 'custom-app-setup' };\nexport default () => 1;";
    const twice = new App({ 'functions/setup.js': setup, 'functions/install.js': setup });
    for (const argv of [['build'], ['list'], ['dev', '--once', '--port', '0']]) {
      const { exitCode, out, err } = await twice.fn(argv);
      assert.equal(exitCode, 2, `${argv.join(' ')}: ${err}`);
      assert.match(
        `${out}${err}`,
        /setup is a second Custom App Setup; an app can have only one, and it already has install/,
      );
    }
  });

  test('fn logs shows what failed with its stack, and of a level the last lines of that level', async () => {
    const noisy = new App({
      'functions/talk.js':
        "export const config = { type: 'server-side-method' };\nexport default () => {\n  console.warn('careful');\n  for (let i = 0; i < 20; i++) console.log(i);\n  throw new Error('broken');\n};\n",
    });
    await noisy.fn(['invoke', 'talk']);
    const failed = await noisy.fn(['logs', '--level', 'error']);
    assert.match(failed.out, /error +.*talk Error: broken\n +at .*functions\/talk\.js:5/);
    const warned = await noisy.fn(['logs', '--level', 'warn', '-l', '2', '--json']);
    const lines = warned.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ level }) => level),
      ['warn', 'error'],
    );
    assert.equal((await noisy.fn(['logs', '-l', '0'])).exitCode, 2);
  });

  test('fn logs takes the last part of a name, and says when there is no such function', async () => {
    const named = new App({
      'functions/api/talks.js': `${config}\nexport default () => { console.log('said'); return 1; };`,
    });
    assert.equal((await named.fn(['invoke', 'talks'])).exitCode, 0);
    assert.match((await named.fn(['logs', 'talks'])).out, /said/);
    const { exitCode, out, err } = await named.fn(['logs', 'talk']);
    assert.deepEqual([exitCode, out], [2, '']);
    assert.match(err, /no function talk\n→ Did you mean api\/talks\?/);
  });

  test('a function that was given no input says where it comes from', async () => {
    app.write(
      'functions/strict.js',
      "export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token', input: { type: 'object' } } };\nexport default () => 1;",
    );
    const ended = await app.fn(['invoke', 'strict']);
    rmSync(app.path('functions/strict.js'));
    isOneClearMessage(ended, [
      /must be an object/,
      /^→ It was called without input: .*fixtures\/strict\/default\.json/m,
    ]);
  });

  test('an input from a fixture that is refused names the fixture', async () => {
    const named = new App({
      'functions/strict.js':
        "export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token', input: { type: 'object' } } };\nexport default () => 1;",
      'functions/setup.js':
        "export const config = { type: 'custom-app-setup', settings: { type: 'object', required: ['region'] } };\nexport default () => 1;",
      'fixtures/strict/default.json': '[]',
      'fixtures/setup/empty.json': '{}',
    });
    const method = await named.fn(['invoke', 'strict']);
    isOneClearMessage(method, [
      /must be an object/,
      /^→ The input is fixtures\/strict\/default\.json\. Correct it, or pass/m,
    ]);
    const setup = await named.fn(['invoke', 'setup', '--fixture', 'empty']);
    isOneClearMessage(setup, [/settings\.region is missing/, /^→ The input is fixtures\/setup\/empty\.json\./m]);
    const bare = await named.fn(['invoke', 'setup']);
    isOneClearMessage(bare, [
      /settings\.region is missing/,
      /^→ It was called without input: .*fixtures\/setup\/default\.json/m,
    ]);
    const given = await named.fn(['invoke', 'strict', '-d', '[]']);
    assert.doesNotMatch(given.err, /fixtures/);
  });

  test('a CommonJS file is not left out in silence', async () => {
    app.write('functions/old.cjs', 'module.exports = () => 1;');
    const { exitCode, err } = await app.fn(['build']);
    rmSync(app.path('functions/old.cjs'));
    assert.equal(exitCode, 2);
    assert.match(
      err,
      /^error functions\/old\.cjs: a function's file cannot end in \.cjs\n→ Name it functions\/old\.js/m,
    );
  });

  test('without -d the fixture named default is the input', async () => {
    const { exitCode, out } = await app.fn(['invoke', 'good', '--json']);
    assert.equal(exitCode, 0);
    assert.deepEqual(JSON.parse(JSON.parse(out).result.got), { from: 'fixture' });
  });

  test('after all of it the app still answers', async () => {
    const { exitCode, out, err } = await app.fn(['invoke', 'good', '-d', '"still"']);
    assert.deepEqual([exitCode, JSON.parse(out)], [0, { got: '"still"' }], err);
  });
});
