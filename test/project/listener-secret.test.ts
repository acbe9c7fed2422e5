import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { listenerSecret } from '../../src/project/index.ts';
import { decodeSigningSecret } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const anEnvironment = () => ({ XDG_STATE_HOME: temporaryFolder('fn-state') });
const fileOf = (env: { XDG_STATE_HOME: string }) => join(env.XDG_STATE_HOME, 'fn/listeners.json');

test('each listener of each workspace has a secret of its own, which stays the same and is private', async () => {
  const env = anEnvironment();
  const places = [
    ['a', 'one'],
    ['a', 'two'],
    ['b', 'one'],
  ] as const;
  const made = await Promise.all(places.map(([place, name]) => listenerSecret(place, name, env)));
  assert.equal(new Set(made).size, 3);
  for (const secret of made) assert.equal(decodeSigningSecret(secret).length, 32);
  for (const [index, [place, name]] of places.entries())
    assert.equal(await listenerSecret(place, name, env), made[index]);
  if (process.platform !== 'win32') assert.equal(statSync(fileOf(env)).mode & 0o777, 0o600);
});

test('a file that holds something else is refused, and left as it is', async () => {
  const env = anEnvironment();
  await listenerSecret('a', 'one', env);
  for (const text of ['{', '[]', '{"listeners": 7}']) {
    writeFileSync(fileOf(env), text);
    await assert.rejects(listenerSecret('a', 'two', env), { code: 'listener_secrets_unreadable' });
    assert.equal(readFileSync(fileOf(env), 'utf8'), text);
  }
  chmodSync(fileOf(env), 0o600);
});
