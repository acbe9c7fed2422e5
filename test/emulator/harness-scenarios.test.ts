import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../src/std/index.ts';
import { secret } from '../agent/harnesses.ts';
import { anEmulator, everyone } from './an-emulator.ts';

const template: { openServer(secret: string): Server } = await import(
  pathToFileURL(packageFile('templates/harness/custom/server.js')).href
);
const server = template.openServer(secret).listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('a scenario with the server of a registered harness', async () => {
  const { emulator } = await anEmulator({});
  const door = emulator.door(everyone);
  await door('harnesses.add', { name: 'mine', kind: 'custom', endpoint: baseUrl, secret });
  const other = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  await door('harnesses.add', { name: 'wrong', kind: 'custom', endpoint: baseUrl, secret: other });

  test('is played with the secret that the workspace keeps, which is not shown', async () => {
    for (const scenario of ['hello', 'wrong-secret', 'replayed-id']) {
      const checked = await door('harnesses.check', { id: 'mine', scenario });
      assert.equal(checked.scenario?.status, 'passed', JSON.stringify(checked));
      assert.ok(!JSON.stringify(checked).includes(secret.slice(6)));
    }
  });

  test('fails where the server has another secret', async () => {
    const { ok, scenario } = await door('harnesses.check', { id: 'wrong', scenario: 'hello' });
    assert.deepEqual([ok, scenario?.status], [false, 'failed']);
    assert.match(scenario?.message ?? '', /401/);
  });

  test('is refused if there is none of that name, and for other kinds', async () => {
    await assert.rejects(door('harnesses.check', { id: 'mine', scenario: 'helo' }), {
      code: 'input_invalid',
      message: /must be one of hello, tool-by-leg/,
    });
    await assert.rejects(door('harnesses.check', { id: 'builtin', scenario: 'hello' }), {
      code: 'input_invalid',
      message: /belongs to the kind custom/,
    });
  });
});
