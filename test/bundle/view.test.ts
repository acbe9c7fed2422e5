import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aBundler, anApp, evaluate } from './helpers.ts';

const preact = {
  'node_modules/preact/package.json':
    '{"name":"preact","exports":{".":"./i.js","./jsx-runtime":"./jsx.js"},"type":"module"}',
  'node_modules/preact/i.js':
    'if (typeof document === "undefined") throw new Error("needs a page"); export const render = (node, where) => { where.html = node; };',
  'node_modules/preact/jsx.js':
    'export const jsx = (type, { children }) => "<" + type + ">" + children + "</" + type + ">"; export const jsxs = jsx;',
};
const view = {
  ...preact,
  'functions/panel.jsx': `import { render } from 'preact';
import './panel.css';
import { title } from './_title.js';
const label = document.title + '</script><!-- x';
export const config = { type: 'custom-view', title, placement: 'conversation' };
export default (sdk) => render(<b>Hi</b>, sdk.view.container) ?? label;`,
  'functions/panel.css': '.a { background: url(data:image/png;base64,AA==) }',
  'functions/_title.js': 'export const title = "Orders of " + window.location.host.slice(1);',
};

test('a view becomes one script that registers it, with its styles aside', async (t) => {
  const app = anApp(view);
  const bundle = await aBundler(t).build(app.source('panel', { file: 'functions/panel.jsx', kind: 'view' }));
  assert.match(bundle.css ?? '', /\.a \{/);
  const { sources, sourcesContent } = JSON.parse(bundle.sourceMap);
  assert.equal(sourcesContent[sources.indexOf('functions/panel.css')], view['functions/panel.css']);
  const container = { html: '' };
  const document = { title: 'T' };
  const window = { location: { host: ' here' } };
  const module = await evaluate(bundle.code, { document, window });
  assert.equal(module.default({ view: { container } }), 'T</script><!-- x');
  assert.equal(container.html, '<b>Hi</b>');
});

test('the text of a view can stand in a script element of a page', async (t) => {
  const app = anApp(view);
  const { code } = await aBundler(t).build(app.source('panel', { file: 'functions/panel.jsx', kind: 'view' }));
  assert.doesNotMatch(code, /<\/script/i);
  assert.doesNotMatch(code, /<!--/);
});

test('its config is read without a page, and without what its packages do there', async (t) => {
  const app = anApp(view);
  const bundle = await aBundler(t).build(app.source('panel', { file: 'functions/panel.jsx', kind: 'view' }));
  const module = await evaluate(bundle.probe?.code ?? '');
  assert.deepEqual(
    { ...(module.config as object) },
    { type: 'custom-view', title: 'Orders of ', placement: 'conversation' },
  );
  assert.equal(typeof module.default, 'function');
  assert.match(bundle.probe?.id ?? '', /^[0-9a-f]{64}$/);
});

test('a view may use any name of the page for its own, and classes of the DOM', async (t) => {
  const app = anApp({
    'functions/panel.js': `const location = 'here';
class Panel extends HTMLElement { static title = 'P'; }
customElements.define('my-panel', Panel);
for (const node of document.querySelectorAll('a')) node.remove();
await customElements.whenDefined('my-panel');
export const config = { type: 'custom-view', title: Panel.title + location + \`\${document.title}\` };
export default () => 1;`,
  });
  const bundle = await aBundler(t).build(app.source('panel', { kind: 'view' }));
  const module = await evaluate(bundle.probe?.code ?? '');
  assert.equal((module.config as { title: string }).title, 'Phere');
});

const decorated = `import { LitElement } from 'lit';
import { customElement, property } from 'lit/decorators.js';
@customElement('my-counter')
class Counter extends LitElement {
  static title = 'Counter';
  FIELDS
  @property() get double() { return 2; }
  @property({}) step() { return 1; }
}
export const config = { type: 'custom-view', title: 'A ' + Counter.title };
export default () => new Counter();`;

for (const [kind, { fields, tsconfig }] of Object.entries({
  'of the language': { fields: "@property() accessor who = ''; @property() count = 0;", tsconfig: {} },
  'of older TypeScript': {
    fields: "@property() who = ''; @property() declare count: number;",
    tsconfig: { experimentalDecorators: true, useDefineForClassFields: false },
  },
})) {
  test(`the config of a view with decorators ${kind} is read`, async (t) => {
    const app = anApp({
      'functions/v.ts': decorated.replace('FIELDS', fields),
      'tsconfig.json': JSON.stringify({ compilerOptions: tsconfig }),
      'node_modules/lit/package.json': '{"name":"lit"}',
      'node_modules/lit/index.js': 'exports.LitElement = class {};',
      'node_modules/lit/decorators.js': 'exports.customElement = exports.property = () => () => {};',
    });
    const bundle = await aBundler(t).build(app.source('v', { file: 'functions/v.ts', kind: 'view' }));
    const module = await evaluate(bundle.probe?.code ?? '');
    assert.match((module.config as { title: string }).title, /^A /);
  });
}

test('a view finds Buffer and process without the sandbox', async (t) => {
  const app = anApp({
    'functions/v.js': `import { Buffer } from 'buffer'; import process from 'process'; import EventEmitter from 'events';
export default () => [Buffer.from('hi').toString('hex'), typeof process.nextTick, process.env.X, typeof new EventEmitter().on];`,
  });
  const bundle = await aBundler(t).build(app.source('v', { kind: 'view' }));
  const module = await evaluate(bundle.code, { Buffer: undefined, process: undefined });
  assert.deepEqual([...(module.default() as unknown[])], ['6869', 'function', undefined, 'function']);
});

test('JSX without preact or react installed says what to install', async (t) => {
  const app = anApp({ 'functions/v.jsx': 'export default () => <b/>;' });
  await assert.rejects(aBundler(t).build(app.source('v', { file: 'functions/v.jsx', kind: 'view' })), {
    code: 'build_failed',
    hint: 'JSX needs preact or react: npm install preact',
  });
});

test('JSX is for the package that package.json names, even before it is installed', async (t) => {
  const app = anApp({
    'functions/v.jsx': 'export default () => <b/>;',
    'package.json': '{"dependencies":{"react":"19.0.0"}}',
  });
  await assert.rejects(aBundler(t).build(app.source('v', { file: 'functions/v.jsx', kind: 'view' })), {
    code: 'packages_not_installed',
    message: /Could not resolve "react\/jsx-runtime"/,
    hint: 'What package.json names is not installed here yet: npm install',
  });
});

test('JSX works on the server as well, and takes react where only that is installed', async (t) => {
  const app = anApp({
    'functions/mail.jsx': 'export default () => <p>Hello</p>;',
    'node_modules/react/package.json': '{"name":"react"}',
    'node_modules/react/jsx-runtime.js': 'exports.jsx = (type, { children }) => "react " + type + " " + children;',
  });
  const { code, probe, css } = await aBundler(t).build(app.source('mail', { file: 'functions/mail.jsx' }));
  assert.equal((await evaluate(code)).default(), 'react p Hello');
  assert.deepEqual([probe, css], [undefined, undefined]);
});

const both = {
  'functions/mail.jsx': 'export default () => <p>Hello</p>;',
  'node_modules/react/package.json': '{"name":"react"}',
  'node_modules/react/jsx-runtime.js': 'exports.jsx = (type) => "react " + type;',
  'node_modules/preact/package.json': '{"name":"preact"}',
  'node_modules/preact/jsx-runtime.js': 'exports.jsx = (type) => "preact " + type;',
};

for (const [manifest, taken] of [
  ['{"dependencies":{"react":"19"}}', 'react'],
  ['{"devDependencies":{"preact":"10"}}', 'preact'],
  ['{"dependencies":{"react":"19","preact":"10"}}', 'preact'],
  ['{"dependencies":{}}', 'preact'],
] as const) {
  test(`with preact and react installed JSX takes ${taken} where the manifest is ${manifest}`, async (t) => {
    const app = anApp({ ...both, 'package.json': manifest });
    const { code } = await aBundler(t).build(app.source('mail', { file: 'functions/mail.jsx' }));
    assert.equal((await evaluate(code)).default(), `${taken} p`);
  });
}

const told = {
  'functions/v.js': `import { told } from 'lib'; export default () => [told, process.env.NODE_ENV];`,
  'node_modules/lib/package.json': '{"name":"lib","main":"i.js"}',
  'node_modules/lib/i.js': `if (process.env.NODE_ENV === 'production') module.exports = require('./short.js'); else module.exports = require('./long.js');`,
  'node_modules/lib/short.js': `exports.told = 'error 31';`,
  'node_modules/lib/long.js': `exports.told = 'what is wrong, in ${'so many words '.repeat(600)}';`,
};
const toldBy = async (code: string) => [...((await evaluate(code)).default() as string[])];

test('packages of a view tell its author what is wrong while it is worked on, and are short where it is deployed', async (t) => {
  const app = anApp(told);
  const view = app.source('v', { kind: 'view' });
  const atWork = await aBundler(t, { development: true }).build(view);
  assert.match((await toldBy(atWork.code)).join(), /^what is wrong, .*development$/);
  assert.deepEqual(await toldBy((await aBundler(t).build(view)).code), ['error 31', 'production']);
  const server = await aBundler(t, { development: true }).build(app.source('v'));
  assert.deepEqual(await toldBy(server.code), ['error 31', 'production']);
});

test('a view that is too large in the form for its author is built in the one that is deployed', async (t) => {
  const limits = { bundleBytes: 6_000 };
  const view = anApp(told).source('v', { kind: 'view' });
  const { code } = await aBundler(t, { development: true, limits }).build(view);
  assert.deepEqual(await toldBy(code), ['error 31', 'production']);
});

for (const ending of ['.vue', '.svelte', '.scss']) {
  test(`a ${ending} file is to be compiled first`, async (t) => {
    const app = anApp({
      'functions/v.js': `import a from './_a${ending}'; export default a;`,
      [`functions/_a${ending}`]: '',
    });
    await assert.rejects(aBundler(t).build(app.source('v', { kind: 'view' })), { hint: /^Compile it .*first/ });
  });
}

test('a view that imports Vue gets the build that compiles templates', async (t) => {
  const vue = (compiles: boolean) => `export const compiles = ${compiles};`;
  const app = anApp({
    'node_modules/vue/package.json':
      '{"name":"vue","exports":{".":{"import":{"node":"./index.mjs","default":"./dist/vue.runtime.esm-bundler.js"}}}}',
    'node_modules/vue/dist/vue.runtime.esm-bundler.js': vue(false),
    'node_modules/vue/dist/vue.esm-bundler.js': vue(true),
    'functions/panel.js': `import { compiles } from 'vue';
export const config = { type: 'custom-view', title: 'Orders', placement: 'page' };
export default () => compiles;`,
  });
  const { code } = await aBundler(t).build(app.source('panel', { kind: 'view' }));
  assert.equal((await evaluate(code)).default(), true);
});

test('a view is built with the flags that Vue asks for, so that it does not warn', async (t) => {
  const app = anApp({
    'functions/panel.js': `export const config = { type: 'custom-view', title: 'Orders', placement: 'page' };
export default () => [typeof __VUE_OPTIONS_API__, typeof __VUE_PROD_DEVTOOLS__, typeof __VUE_PROD_HYDRATION_MISMATCH_DETAILS__];`,
  });
  const { code } = await aBundler(t).build(app.source('panel', { kind: 'view' }));
  assert.equal(String((await evaluate(code)).default()), 'boolean,boolean,boolean');
});
