/**
 * Every function in `functions/` tries to break out or to take the machine down. After each: another program answers
 * right, nothing of the host is in what came back, this process lives, and memory stays within bounds.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'node:test';
import type { Host, Outcome, Program } from '../../src/sandbox/index.ts';
import { aProgram, aRequest, aSandbox, programOf } from '../sandbox/support/sandbox.ts';
import { until } from '../until.ts';

const folder = new URL('./functions/', import.meta.url);
const secret = 'hostile-test-secret-value';
process.env['HOSTILE_TEST_SECRET'] = secret;

const sandbox = aSandbox();
const mb = 1024 * 1024;

/** What may come of each; those not named may end in any way that is no escape. */
const expected: Record<string, string[]> = {
  loop: ['timeout'],
  'loop-after-await': ['timeout'],
  'microtask-flood': ['timeout', 'memory'],
  regex: ['timeout'],
  'json-loop': ['timeout'],
  never: ['timeout'],
  'top-level-never': ['timeout'],
  heap: ['memory', 'timeout'],
  'map-growth': ['memory', 'timeout'],
  'one-array': ['memory', 'timeout'],
  'symbol-flood': ['memory', 'timeout'],
  strings: ['memory', 'timeout'],
  'regexp-objects': ['memory', 'timeout'],
  'huge-result': ['error', 'memory', 'timeout'],
  'huge-graph': ['memory', 'timeout', 'error'],
  'deep-result': ['error'],
  cycle: ['error'],
  'huge-error': ['error', 'memory'],
  'looping-error': ['timeout'],
  'stack-overflow': ['error'],
  'log-flood': ['ok', 'timeout'],
  'patched-intrinsics': ['ok'],
  'constructor-chain': ['ok'],
  'prepare-stack-trace': ['ok'],
  'error-realms': ['ok'],
  thenable: ['ok'],
  'async-generator-thenable': ['ok'],
  jspi: ['ok'],
  'getters-in-result': ['ok'],
  'setters-on-object-prototype': ['ok'],
  'captured-call-apply': ['ok'],
  'forged-protocol': ['ok'],
  'late-timer': ['ok'],
  'process-exit': ['ok'],
  'native-imports': ['ok'],
  'symbols-of-ours': ['ok'],
  'host-call-flood': ['ok', 'timeout'],
  'loop-after-result': ['timeout'],
  'microtasks-after-result': ['timeout', 'memory'],
  finalization: ['ok', 'timeout'],
  'endless-url': ['ok', 'memory'],
  'native-loop': ['timeout'],
  'native-hog': ['ok', 'memory'],
  species: ['ok', 'error'],
  'array-index-setters': ['ok'],
  proxies: ['ok'],
  'revoked-result': ['error'],
  'revoked-error': ['error'],
  're-entrant': ['ok', 'timeout'],
  pollution: ['ok'],
  'costly-keys': ['ok'],
  'own-functions': ['ok'],
};

/** What has to end by itself, or by its memory, does so on a busy machine late. */
const isPatient = (name: string) => expected[name]?.includes('timeout') === false;

const asked: string[] = [];
const host: Host = {
  call: async (operation, input) => {
    asked.push(operation);
    if (operation === 'refuse') return { error: { code: 'refused', status: 400, message: 'No' } };
    return { ok: { operation, input } };
  },
  fetch: () => Promise.reject(new Error('no network here')),
};

async function programOfFile(file: string): Promise<Program> {
  const source = readFileSync(new URL(file, folder), 'utf8');
  // The wrapper of `bundle`: the module's body in an async function, its namespace registered at the end.
  const body = source.replace(/^export default /m, 'exported.default = ');
  const { code } = await (await import('esbuild')).transform(
    `(async (register) => { "use strict"; const exported = {};\n${body}\nregister(exported); })`,
    { loader: 'js' },
  );
  return programOf(code, `hostile/${file.replace('.js', '')}`);
}

function treeBytes(): number {
  return (
    process.memoryUsage.rss() + sandbox.stats().children.reduce((sum, { residentBytes }) => sum + residentBytes, 0)
  );
}

function assertNothingOfTheHost(outcome: Outcome): void {
  const text = JSON.stringify([outcome.status === 'ok' ? outcome.result : outcome.error, outcome.logs]);
  for (const leak of [
    secret,
    process.cwd(),
    process.execPath,
    'node:internal',
    'isolated-vm',
    'src/sandbox',
    '/node_modules/',
  ]) {
    assert.ok(
      !text.includes(leak),
      `${leak} is in ${text.slice(Math.max(0, text.indexOf(leak) - 200), text.indexOf(leak) + 200)}`,
    );
  }
}

const canary = aProgram(
  'await new Promise((done) => setTimeout(done, 1)); return [1 + 1, Object.keys(Object.prototype), typeof globalThis.leak];',
  { name: 'canary' },
);
let most = 0;
let before = 0;
const files = readdirSync(folder).filter((file) => file.endsWith('.js'));

test('the canary answers before the first of them', async () => {
  assert.equal((await sandbox.invoke(canary, aRequest(), host)).status, 'ok');
  before = treeBytes();
});

for (const file of files) {
  const name = file.replace('.js', '');
  test(`${name} neither escapes nor harms others`, { timeout: 170_000 }, async (t) => {
    const program = await programOfFile(file);
    const watch = setInterval(() => {
      most = Math.max(most, treeBytes());
    }, 50);
    t.after(() => clearInterval(watch));
    const times = isPatient(name) ? { wallMs: 150_000, cpuMs: 120_000 } : { wallMs: 1_000, cpuMs: 800 };
    const outcome = await sandbox.invoke(program, aRequest({ limits: { ...times, memoryMb: 64 } }), host);
    clearInterval(watch);
    const told =
      outcome.status === 'ok'
        ? outcome.resultJson.slice(0, 300)
        : `${outcome.error.code}: ${outcome.error.message.slice(0, 300)}`;
    const allowed = expected[name];
    if (allowed) assert.ok(allowed.includes(outcome.status), `${outcome.status}: ${told}`);
    assert.notEqual(outcome.status, 'crashed', told);
    if (
      outcome.status === 'ok' &&
      typeof outcome.result === 'object' &&
      outcome.result !== null &&
      'found' in outcome.result
    ) {
      const { found } = outcome.result;
      const leaks = name === 'prepare-stack-trace' ? (found as string[]).filter((text) => text === 'escaped') : found;
      assert.deepEqual(leaks, [], told);
    }
    assertNothingOfTheHost(outcome);
    const after = await sandbox.invoke(canary, aRequest(), host);
    assert.deepEqual(
      after.status === 'ok' && after.result,
      [2, [], 'undefined'],
      after.status === 'ok' ? '' : after.error.message,
    );
    retireAfter(program);
  });
}

function retireAfter(program: Program): void {
  sandbox.retire(program.id);
}

test('no finished function was heard again', () => {
  assert.ok(!asked.includes('late'));
});

test('all of them together stayed below 1.2 GB, and memory came back', { timeout: 90_000 }, async () => {
  assert.ok(most < 1_200 * mb, `${Math.round(most / mb)} MB`);
  await until('memory has come back', () => treeBytes() <= before + 150 * mb);
});
