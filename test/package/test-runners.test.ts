import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runProcess } from '../cli/fn-process.ts';
import { install, type Packed, pack } from './installed.ts';

/** `convo-fn/testing` as it is published, in what runs authors' tests. */

let packed: Packed;
let installed: { folder: string; fn: string };

before(async () => {
  packed = await pack();
  installed = install(packed);
  const made = await runProcess(['init', 'orders/find', '--type', 'method', '--yes', '--app', 'shop'], {
    cwd: installed.folder,
    bin: installed.fn,
  });
  assert.equal(made.exitCode, 0, made.err);
  writeFileSync(
    join(installed.folder, 'shop/functions/orders/register.js'),
    `export const config = { type: 'server-side-method' };
export default async (sdk) => await sdk.customers.findOrCreate(await sdk.request.json());
`,
  );
});

const imports = `
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';
const input = { phone: '+4930901820' };
`;

async function run(name: string, text: string) {
  const shop = join(installed.folder, 'shop');
  writeFileSync(join(shop, name), (name.endsWith('.cjs') ? '' : imports) + text);
  return await runProcess([], { cwd: shop, bin: join(shop, name) });
}

test('a workspace goes on, in its own time, while the timers and the date of a test are mocked', async () => {
  const { exitCode, out, err } = await run(
    'mocked.test.mjs',
    `
for (const when of ['before', 'after']) {
  test('mocked ' + when + ' the workspace is opened', async () => {
    if (when === 'before') mock.timers.enable({ now: 0 });
    const workspace = await aWorkspace();
    if (when === 'after') mock.timers.enable({ now: 0 });
    assert.equal((await workspace.invoke('orders/register', input)).created, true);
    const { createdAt } = (await workspace.call('customers.list', {})).items.at(-1);
    assert.notEqual(createdAt.slice(0, 4), '1970');
    const before = workspace.clock.now().getTime();
    await workspace.clock.advance('8d');
    assert.ok(workspace.clock.now().getTime() >= before + 8 * 86_400_000);
    assert.equal((await workspace.fetch('/api/dev/custom-functions/shop/orders/find.js', { method: 'POST' })).status, 422);
    await workspace.close();
    mock.timers.reset();
  });
}
`,
  );
  assert.equal(exitCode, 0, out + err);
});

test('a workspace that nobody closes lets the process end, also when it was asked over HTTP', async () => {
  const { exitCode, out, err } = await run(
    'open.mjs',
    `
const workspace = await aWorkspace();
await workspace.invoke('orders/find', input);
const answer = await workspace.fetch('/api/dev/custom-functions/shop/orders/find.js', { method: 'POST', body: '{}' });
console.log(answer.status, (await answer.json()).code);
`,
  );
  assert.equal(exitCode, 0, err);
  assert.equal(out, '422 function_input_invalid\n');
});

test('a test of CommonJS requires it, in a realm of its own for each file as Jest has it, and all share one', async () => {
  const { exitCode, out, err } = await run(
    'required.cjs',
    `
const vm = require('node:vm');
const file = require.resolve('convo-fn/testing');
const text = require('node:fs').readFileSync(file, 'utf8');
const faces = Array.from({ length: 12 }, () => {
  // Jest gives its tests a loader of its own, which knows no modules.
  const process = { getBuiltinModule: (name) => (name === 'node:module' ? {} : require(name)) };
  const module = { exports: {} };
  vm.compileFunction(text, ['module', '__filename'], { parsingContext: vm.createContext({ process }) })(module, file);
  return module.exports;
});
(async () => {
  const { created } = await faces[0].invoke('orders/register', { phone: '+4930901820' });
  const isShared = faces.every(({ aWorkspace }) => aWorkspace === require('convo-fn/testing').aWorkspace);
  console.log(created, isShared, (await import('convo-fn/testing')).aWorkspace === faces[0].aWorkspace);
})();
`,
  );
  assert.equal(err, '');
  assert.equal(exitCode, 0);
  assert.equal(out, 'true true true\n');
});

test('an import in what is no Node, or too old a one, says so', async () => {
  for (const [versions, said] of [
    [{ node: '20.20.2' }, /needs Node 24\.15 or later \(not 25\); this is Node 20\.20\.2/],
    [{ node: '24.15.0', bun: '1.4.5' }, /needs Node, this is Bun 1\.4\.5: run the tests with "fn test"/],
  ] as const) {
    const { exitCode, err } = await run(
      'elsewhere.cjs',
      `Object.defineProperty(process, 'versions', { value: ${JSON.stringify(versions)} }); require('convo-fn/testing');`,
    );
    assert.equal(exitCode, 1);
    assert.match(err, said);
  }
});
