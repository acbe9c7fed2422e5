import fixture from '{{fixture}}' with { type: 'json' };
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from 'convo-fn/testing';

const tool = '{{name}}';

const seed = {
  customers: [
    {
      name: 'Ann Larsen',
      phone: fixture.phone,
      language: 'en',
      fields: { tier: 'gold' },
    },
  ],
};

test('a known customer is found, with the details we have', async () => {
  await using workspace = await aWorkspace({ seed });
  await workspace.customerWrites({
    phone: fixture.phone,
    text: 'Where is my order?',
    channel: 'web-chat',
  });

  assert.deepEqual(await workspace.invoke(tool, fixture), {
    found: true,
    name: 'Ann Larsen',
    language: 'en',
    fields: { tier: 'gold' },
    openConversations: 1,
  });
});

test('an unknown customer is an answer, not a failure', async () => {
  await using workspace = await aWorkspace({ seed });
  assert.deepEqual(
    await workspace.invoke(tool, { email: 'nobody@mail.example' }),
    { found: false },
  );
});

test('passing both or neither of phone and e-mail is an error that the model sees', async () => {
  await using workspace = await aWorkspace({ seed });
  await assert.rejects(workspace.invoke(tool, {}), /either phone or email/);
});

test('an agent that the tool does not name may not call it', async () => {
  await using workspace = await aWorkspace({ seed });
  const { error } = await workspace.callTool('{{tool}}', fixture, {
    as: { aiAgent: 'stranger' },
  });
  assert.equal(error?.code, 'tool_forbidden');
});

test('a person confirms a lookup by e-mail address, and the log does not show it', async () => {
  await using workspace = await aWorkspace({ seed });
  const email = 'nobody@mail.example';
  const asked = await workspace.callTool('{{tool}}', { email });
  assert.equal(asked.error?.code, 'tool_confirmation_required');

  const { status, result } = await workspace.answerConfirmation(
    asked.confirmationId ?? '',
    'allow',
  );
  assert.deepEqual([status, result], ['ok', { found: false }]);
  const [call] = await workspace.toolCalls();
  assert.deepEqual(call?.arguments, { email: '[redacted]' });
});
