import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  changePreferences,
  credentialsFile,
  findLogin,
  type Login,
  readCredentials,
  readPreferences,
  removeLogin,
  resolveRemote,
  saveLogin,
} from '../../src/project/index.ts';
import { AccessError, UsageError } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let folder = '';
let env: Record<string, string> = {};
beforeEach(() => {
  folder = temporaryFolder('fn-credentials');
  env = { XDG_CONFIG_HOME: folder };
});

const login = (slug: string, token = `token-of-${slug}`): Login => ({
  origin: 'https://app.example.com',
  slug,
  token,
  savedAt: '2026-01-01T00:00:00.000Z',
});
const modeOf = (file: string) => statSync(file).mode & 0o777;

test('a token is kept in a file that only this user can read, in a folder of the same kind', async () => {
  await saveLogin(login('acme'), env);
  assert.equal(modeOf(credentialsFile(env)), 0o600);
  assert.equal(modeOf(join(folder, 'fn')), 0o700);
  assert.equal(readCredentials(env).logins[0]?.token, 'token-of-acme');
});

test('a file that others can read is closed and said so', async () => {
  await saveLogin(login('acme'), env);
  chmodSync(credentialsFile(env), 0o644);
  const { warnings } = readCredentials(env);
  assert.match(warnings[0] ?? '', /could be read by others/);
  assert.equal(modeOf(credentialsFile(env)), 0o600);
  assert.deepEqual(readCredentials(env).warnings, []);
});

test('a link in place of the file is replaced, not followed', async () => {
  mkdirSync(join(folder, 'fn'));
  const elsewhere = join(folder, 'elsewhere.json');
  writeFileSync(elsewhere, '{"version":1,"logins":[]}');
  symlinkSync(elsewhere, credentialsFile(env));
  await saveLogin(login('acme'), env);
  assert.equal(readFileSync(elsewhere, 'utf8'), '{"version":1,"logins":[]}');
  assert.equal(readCredentials(env).logins.length, 1);
});

test('in CI nothing is stored', async () => {
  await assert.rejects(saveLogin(login('acme'), { ...env, CI: 'true' }), UsageError);
  assert.deepEqual(readdirSync(folder), []);
});

test('a broken file is named and left as it is', async () => {
  await saveLogin(login('acme'), env);
  writeFileSync(credentialsFile(env), '{"version":1,"logins":[{');
  assert.throws(() => readCredentials(env), /credentials\.json is not JSON/);
  await assert.rejects(saveLogin(login('other'), env), /is not JSON/);
  assert.match(readFileSync(credentialsFile(env), 'utf8'), /"logins":\[\{$/);
});

test('a token is found for exactly its origin: scheme, host and port', async () => {
  await saveLogin(login('acme'), env);
  const { logins } = readCredentials(env);
  assert.ok(findLogin(logins, 'https://app.example.com/some/path', 'acme'));
  for (const base of [
    'https://app.example.com:444',
    'http://app.example.com',
    'https://app.example.com.evil.example',
    'https://evil.example',
  ]) {
    assert.equal(findLogin(logins, base, 'acme'), undefined, base);
  }
});

test('logging out forgets one login and keeps the others', async () => {
  await saveLogin(login('acme'), env);
  await saveLogin(login('other'), env);
  assert.equal((await removeLogin(login('acme'), env))?.slug, 'acme');
  assert.deepEqual(
    readCredentials(env).logins.map(({ slug }) => slug),
    ['other'],
  );
});

test('processes that write at the same time lose nothing', { timeout: 60_000 }, async () => {
  const writer = fileURLToPath(new URL('./credentials-writer.ts', import.meta.url));
  const processes = 4;
  const writes = 12;
  const codes = await Promise.all(
    Array.from(
      { length: processes },
      (_, i) =>
        new Promise<number | null>((resolve) => {
          const child = spawn(process.execPath, [writer, String(i), String(writes)], {
            env: { ...process.env, ...env, CI: '' },
            stdio: 'inherit',
          });
          child.on('exit', resolve);
        }),
    ),
  );
  assert.deepEqual(codes, Array(processes).fill(0));
  assert.equal(readCredentials(env).logins.length, processes * writes);
  assert.equal(Object.keys(readPreferences(env).profiles).length, processes);
  assert.equal(modeOf(credentialsFile(env)), 0o600);
  assert.deepEqual(readdirSync(join(folder, 'fn')).sort(), ['credentials.json', 'preferences.json']);
});

test('a lock of a process that is gone is taken over', async () => {
  mkdirSync(join(folder, 'fn'));
  writeFileSync(`${credentialsFile(env)}.lock`, '999999999');
  await saveLogin(login('acme'), env);
  assert.equal(readCredentials(env).logins.length, 1);
});

test('flag, variable, profile: each setting for itself, and the flag above all', async () => {
  await saveLogin(login('acme'), env);
  await saveLogin(login('other'), env);
  await changePreferences(
    () => ({
      profile: 'live',
      profiles: {
        live: { baseUrl: 'https://app.example.com', slug: 'acme' },
        test: { baseUrl: 'https://app.example.com', slug: 'other' },
      },
    }),
    env,
  );
  const slugOf = (profile?: string, more = {}) => resolveRemote({ profile, env: { ...env, ...more } })?.slug;
  assert.equal(slugOf(), 'acme');
  assert.equal(slugOf(undefined, { FN_PROFILE: 'test' }), 'other');
  assert.equal(slugOf(undefined, { FN_WORKSPACE: 'other' }), 'other');
  assert.equal(slugOf('live', { FN_PROFILE: 'test', FN_WORKSPACE: 'other' }), 'acme');
  assert.equal(slugOf('local'), undefined);
  assert.equal(slugOf(undefined, { FN_BASE_URL: 'https://x.example', FN_WORKSPACE: 'w', FN_TOKEN: 't' }), 'w');
});

test('a token is not sent to an address it was not made for', async () => {
  await saveLogin(login('acme'), env);
  const elsewhere = { ...env, FN_BASE_URL: 'https://evil.example', FN_WORKSPACE: 'acme' };
  assert.throws(() => resolveRemote({ env: elsewhere }), AccessError);
});

test('FN_TOKEN without a workspace is a usage error, not the local workspace', () => {
  assert.throws(() => resolveRemote({ env: { ...env, FN_TOKEN: 't' } }), UsageError);
});

test('where variables name the whole workspace a profile is a name and no more: nothing has to be stored for it', () => {
  const ci = { XDG_CONFIG_HOME: folder, FN_BASE_URL: 'https://app.example.com', FN_TOKEN: 't', FN_PROFILE: 'live' };
  assert.equal(resolveRemote({ env: { ...ci, FN_WORKSPACE: 'acme' } })?.profile, 'live');
  assert.throws(() => resolveRemote({ env: ci }), { code: 'profile_unknown' });
});

test('an unknown profile names the one that was probably meant', async () => {
  await changePreferences(
    () => ({ profiles: { production: { baseUrl: 'https://app.example.com', slug: 'acme' } } }),
    env,
  );
  assert.throws(
    () => resolveRemote({ profile: 'prodution', env }),
    (error) => error instanceof UsageError && /"production"/.test(error.hint ?? ''),
  );
});
