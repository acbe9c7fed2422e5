import settings from '{{fixture}}' with { type: 'json' };
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const setup = '{{name}}';
const seed = { workgroups: [{ name: 'Sales' }, { name: 'Support' }] };

test('the settings are stored for the other functions of the app', async () => {
  await using workspace = await aWorkspace({ seed });

  await workspace.invoke(setup, settings);

  const { value } = await workspace.call('vars.get', {
    app: '{{app}}',
    name: 'handover',
  });
  const { items } = await workspace.call('workgroups.list', {});
  const support = items.find(({ name }) => name === 'Support');
  assert.deepEqual(value, {
    workgroupId: support?.id,
    greeting: settings.greeting,
  });
});

test('an unknown workgroup is an error that lists the known ones', async () => {
  await using workspace = await aWorkspace({ seed });
  await assert.rejects(
    workspace.invoke(setup, { workgroup: 'Suport' }),
    /Available: Sales, Support/,
  );
});
