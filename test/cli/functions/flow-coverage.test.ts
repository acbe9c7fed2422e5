import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readFlowCoverage } from '../../../src/cli/functions/flow-coverage.ts';
import { requireProject } from '../../../src/project/index.ts';
import { App } from '../../flows/app.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const contains = (value: string) => ({ field: 'message.text', op: 'contains', value });
const flow = {
  nodes: {
    start: { type: 'trigger', on: 'message.received', next: 'about' },
    about: { type: 'condition', branches: [{ title: 'thanks', if: contains('thanks'), next: 'bye' }], else: 'listen' },
    listen: { type: 'wait', for: 'message.received', next: 'end', onTimeout: 'remind' },
    remind: { type: 'message', text: 'Are you still there?', next: 'end' },
    bye: { type: 'message', text: 'Bye', next: 'end' },
    end: { type: 'end' },
  },
};
const writes = (name: string, text: string) => `import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';
test('${name}', async () => {
  await using workspace = await aWorkspace();
  await workspace.chat({ as: '+4930901820' }).say('${text}');
  await workspace.close();
});
`;
const app = new App({
  'flows/support.json': JSON.stringify(flow),
  'test/one.test.js': writes('one', 'Thanks!'),
  'test/two.test.js': writes('two', 'Hello'),
});

test('coverage lists the nodes of flows to which no test came, and the ways that none took', async () => {
  const { exitCode, out, err } = await app.fn(['test', '--coverage', '--json']);
  assert.equal(exitCode, 0, err);
  const { type, nodes, ways, never } = JSON.parse(out.trim().split('\n').at(-1) ?? '');
  assert.deepEqual([type, nodes, ways], ['flows', 6, 7]);
  assert.deepEqual(never, [
    { flow: 'support', node: 'listen', outcome: 'message', to: 'end' },
    { flow: 'support', node: 'listen', outcome: 'timeout', to: 'remind' },
    { flow: 'support', node: 'remind' },
    { flow: 'support', node: 'remind', outcome: 'next', to: 'end' },
  ]);
});

test('coverage of flows is told on standard error beside a reporter of one’s own', async () => {
  const { exitCode, out, err } = await app.fn(['test', '--coverage', 'test/one.test.js', '--', '--test-reporter=lcov']);
  assert.equal(exitCode, 0, err);
  assert.doesNotMatch(out, /flows:/);
  assert.match(err, /^flows: tests came to 4 of 6 nodes and took 3 of 7 ways; never:$/m);
  assert.match(err, /^support {2}about:else +→ listen$/m);
});

test('without coverage, and in an app without flows, nothing is said of flows', async () => {
  const plain = await app.fn(['test', 'test/one.test.js']);
  assert.doesNotMatch(plain.out + plain.err, /flows:/);
  const bare = new App({ 'test/a.test.js': `import { test } from 'node:test';\ntest('a', () => {});\n` });
  const { exitCode, out, err } = await bare.fn(['test', '--coverage']);
  assert.equal(exitCode, 0, err);
  assert.doesNotMatch(out + err, /flows:/);
});

test('an outcome without a way of its own counts for the way that it took', async () => {
  const nodes = {
    start: { type: 'trigger', on: 'message.received', next: 'a' },
    a: { type: 'ai-agent', instructions: 'Help.', next: 'w', onError: 'end' },
    w: { type: 'wait', for: 'message.received', next: 'end' },
    end: { type: 'end' },
  };
  const project = await requireProject(new App({ 'flows/over.json': JSON.stringify({ nodes }) }).root);
  const folder = temporaryFolder('fn-coverage');
  const ways = [
    ['start', 'next'],
    ['a', 'budget'],
    ['w', 'timeout'],
  ];
  writeFileSync(
    join(folder, 'one.json'),
    JSON.stringify(ways.map(([node, outcome]) => ({ flow: 'over', node, outcome }))),
  );
  assert.deepEqual((await readFlowCoverage(project, folder))?.never, [
    { flow: 'over', node: 'a', outcome: 'completed', to: 'w' },
    { flow: 'over', node: 'end' },
  ]);
  writeFileSync(join(folder, 'two.json'), JSON.stringify([{ flow: 'over', node: 'a', outcome: 'handedOver' }]));
  assert.deepEqual((await readFlowCoverage(project, folder))?.never, [{ flow: 'over', node: 'end' }]);
});
