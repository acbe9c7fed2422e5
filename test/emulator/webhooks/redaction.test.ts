import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSigningSecret } from '../../../src/std/index.ts';
import { anEmulator, everyone, method } from '../an-emulator.ts';

test('the record of no function shows the secret of an endpoint', async () => {
  const functions = {
    'api/tells': method('const given = await sdk.request.json(); console.log(given.text); return given;'),
  };
  const { emulator, events } = await anEmulator({ functions });
  const door = emulator.door(everyone);
  const tells = (text: string) => door('functions.invoke', { app: 'shop', name: 'api/tells', input: { text } });
  await tells('before there is a secret');
  const first = newSigningSecret();
  const { id } = await door('webhooks.add', { url: 'https://shop.example/', events: ['note.created'], secret: first });
  const { secret: second } = await door('webhooks.rotateSecret', { id });
  for (const secret of [first, second]) {
    for (const text of [secret, secret.slice('whsec_'.length), Buffer.from(secret).toString('hex')]) {
      const { invocationId } = await tells(`it is <${text}>`);
      const record = await door('invocations.show', { id: invocationId });
      assert.match(
        JSON.stringify([record.input, record.result, record.logs]),
        /(?:it is <(?:whsec_)?\[redacted\]>.*){3}/,
      );
      assert.ok(!JSON.stringify([record, events]).includes(text));
    }
  }
});
