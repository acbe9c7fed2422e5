import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { aWorkspace } from '../../src/testing/index.ts';
import { App, aMethod } from '../flows/app.ts';

const app = new App({ 'functions/throws.js': aMethod("(() => { throw new Error('no'); })()") }).root;

test('events are listed oldest first, and waited for, each once', async () => {
  await using workspace = await aWorkspace({ app, seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const first = workspace.events.waitFor('message.*');
  await workspace.customerWrites({ phone: '+4930901820', text: 'One' });
  await workspace.customerWrites({ phone: '+4930901820', text: 'Two' });
  const texts = [await first, await workspace.events.waitFor('message.received')].map(({ data }) => data['message']);
  assert.deepEqual(
    texts.map((message) => (message as { text: string }).text),
    ['One', 'Two'],
  );
  assert.deepEqual(
    (await workspace.events.list('customer.*,conversation.*,message.*')).map(({ type }) => type),
    ['customer.created', 'conversation.created', 'message.received', 'message.received'],
  );
  await workspace.run('throws');
  assert.equal((await workspace.events.list('function.*,note.created')).length, 1);
  assert.equal((await workspace.events.waitFor('function.failed')).type, 'function.failed');
});

test('an event that does not happen is given up after 30 s, with what happened instead', async () => {
  await using workspace = await aWorkspace({ app });
  await workspace.customerWrites({ phone: '+4930901820', text: 'Hi' });
  await assert.rejects(workspace.events.waitFor('message.recieved'), {
    code: 'event_unknown',
    hint: /message\.received/,
  });
  await workspace.events.waitFor('message.received');
  const real = setTimeout;
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const missing = assert.rejects(workspace.events.waitFor('message.received'), {
      code: 'event_missing',
      message: 'No message.received event has happened within 30 s',
      hint: /^So far: .*message\.received\.$/,
    });
    // The wait begins when the kind has been checked.
    for (let turn = 0; turn < 100; turn++) {
      await new Promise((resolve) => real(resolve, 1));
      mock.timers.tick(30_000);
    }
    await missing;
  } finally {
    mock.timers.reset();
  }
});
