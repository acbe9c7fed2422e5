import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aWorkspace } from '../../src/testing/index.ts';
import { App } from '../flows/app.ts';

const flow = {
  nodes: {
    start: { type: 'trigger', on: 'message.received', next: 'answer' },
    answer: { type: 'message', text: 'You said {{message.text}}', next: 'end' },
    end: { type: 'end' },
  },
};
const app = new App({ 'flows/echo.json': JSON.stringify(flow) }).root;

test('a chat shows what came after its own first message, not what was sent in the conversation before', async () => {
  await using workspace = await aWorkspace({ app, seed: { channels: [{ kind: 'sms', name: 'SMS' }] } });
  const { conversationId } = await workspace.customerWrites({ phone: '+4930901820', text: 'One' });
  await workspace.settled();
  await workspace.call('messages.send', { conversationId, text: 'From a person' });
  const chat = workspace.chat({ as: '+4930901820' });
  const texts = async (text: string) => (await chat.say(text)).map((message) => message.text);
  assert.deepEqual(await texts('Two'), ['You said Two']);
  await assert.rejects(chat.expect.message('From a person'), { code: 'ERR_ASSERTION' });
  assert.equal(chat.conversationId, conversationId);
  assert.deepEqual(await texts('Three'), ['You said Three']);
});
