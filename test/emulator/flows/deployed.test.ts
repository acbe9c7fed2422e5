import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployFileOfApp, manifestOf } from '../../../src/deploy/index.ts';
import { anEmulator, everyone } from '../an-emulator.ts';
import { deployFiles } from '../deploy-files.ts';

const here = await anEmulator();
const door = here.emulator.door(everyone);
await here.emulator.work();

function flowOf(text: string) {
  const config = {
    nodes: {
      t: { type: 'trigger', on: 'message.received', next: 'hello' },
      hello: { type: 'message', text, next: 'e' },
      e: { type: 'end' },
    },
  } as const;
  const texts = new Map([['flows/hello.json', JSON.stringify(config)]]);
  return manifestOf([deployFileOfApp({ path: 'flows/hello.json', kind: 'flow', config, texts })]);
}

const phone = '+49301230001';
async function say(text: string): Promise<(string | null)[]> {
  const { conversationId } = await door('messages.receive', { phone, text });
  assert.deepEqual(await here.emulator.settled(), []);
  const { items } = await door('messages.list', { conversationId });
  const at = items.findIndex((message) => message.text === text);
  return items.slice(at + 1).map((message) => message.text);
}

test('a deployed flow answers, with the version that is live, as long as its app is installed', async () => {
  const first = await deployFiles({ door, ask: here.ask }, 'desk', flowOf('First'));
  assert.deepEqual(await say('one'), ['First']);
  await deployFiles({ door, ask: here.ask }, 'desk', flowOf('Second'), first);
  assert.deepEqual(await say('two'), ['Second']);
  await door('apps.uninstall', { app: 'desk' });
  assert.deepEqual(await say('three'), []);
  await door('apps.install', { app: 'desk' });
  assert.deepEqual(await say('four'), ['Second']);
});
