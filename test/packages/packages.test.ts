import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Bundler } from '../../src/bundle/index.ts';
import { defaultLimits, type Host, type Outcome, openSandbox } from '../../src/sandbox/index.ts';

/**
 * Each file of functions/ uses one popular package (`@scope+name` where it has a scope) and returns what it got. Bundled and run in the real sandbox it must return
 * what the same file returns as a module of plain Node. Versions are pinned by package-lock.json in this folder; `npm ci` here
 * installs them, and nothing of the project depends on them.
 */
const root = import.meta.dirname;
const names = readdirSync(join(root, 'functions')).map((file) => file.replace(/\.js$/, ''));

assert.ok(existsSync(join(root, 'node_modules')), 'run "npm ci" in test/packages first');

const prelude = `{
  const { stringify } = JSON;
  globalThis.__prelude = { open: (request) => request, close: async (value) => ({ json: stringify(value) ?? 'null' }) };
};0;`;
const sandbox = openSandbox({ prelude, processes: 1 });
const bundler = new Bundler({ workspaceRoot: root });
after(() => Promise.all([sandbox.close(), bundler.close()]));

const host: Host = {
  call: async (operation) => ({ error: { code: 'no_host', message: operation, status: 500 } }),
  fetch: async (request) => {
    throw new Error(`no network in tests: ${request.url}`);
  },
};

test('every package installed here is used, and every one used is pinned', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  const used = names.map((name) => (name === 'anthropic' ? '@anthropic-ai/sdk' : name.replace('+', '/')));
  assert.deepEqual(Object.keys(dependencies).sort(), used.sort());
  for (const version of Object.values(dependencies)) assert.match(String(version), /^\d+\.\d+\.\d+$/);
  assert.ok(used.length >= 100);
});

for (const name of names) {
  test(`${name} gives the same in the sandbox as in Node`, async () => {
    const file = join(root, 'functions', `${name}.js`);
    const bundle = await bundler.build({ app: 'packages', name, file, root, kind: 'server' });
    const program = { id: bundle.id, app: 'packages', name, code: bundle.code, sourceMap: bundle.sourceMap };
    const limits = { ...defaultLimits, memoryMb: 256 };
    const outcome = await sandbox.invoke(program, { argument: null, limits, isolation: 'warm' }, host);
    sandbox.retire(bundle.id);
    const plain = (await import(file)) as { default(): unknown };
    assert.deepEqual(resultOf(outcome), JSON.parse(JSON.stringify(await plain.default())));
  });
}

function resultOf(outcome: Outcome): unknown {
  if (outcome.status === 'ok') return outcome.result;
  const { code, message, stack } = outcome.error;
  return assert.fail(`${code}: ${message}\n${stack ?? ''}\n${outcome.logs.map(({ text }) => text).join('\n')}`);
}
