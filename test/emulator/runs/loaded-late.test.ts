import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';

test('the packages that ask models are loaded by the first run, and not before', async () => {
  const loaded = new Set<string>();
  registerHooks({
    load(url, context, next) {
      const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url) ?? [];
      if (name !== undefined) loaded.add(name);
      return next(url, context);
    },
  });
  const { aFlowWorkspace } = await import('../flows/support.ts');
  const nora = { file: { instructions: 'Help.' }, script: { rules: [], default: { say: 'Hello.' } } };
  const { call, emulator } = await aFlowWorkspace({}, {}, { nora });
  await call('aiAgents.list', {});
  const ofModels = () =>
    [...loaded].filter((name) => /^(?:ai|@ai-sdk\/.*|@ag-ui\/.*|@modelcontextprotocol\/.*)$/.test(name));
  assert.ok(loaded.has('kysely'), 'what is loaded is seen');
  assert.deepEqual(ofModels(), []);
  await call('aiAgentRuns.create', { agent: 'nora', input: 'Hi' });
  await emulator.settled();
  assert.ok(ofModels().includes('ai'), ofModels().join());
});
