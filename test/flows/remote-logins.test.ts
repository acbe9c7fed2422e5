import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { credentialsFile, readCredentials, saveLogin } from '../../src/project/index.ts';
import { runFn } from '../cli/context.ts';
import { json, type Script, type Weather, weather } from '../client/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let folder = '';
let env: Record<string, string> = {};
let server: Weather | undefined;
beforeEach(() => {
  folder = temporaryFolder('fn-logins');
  env = { XDG_CONFIG_HOME: join(folder, 'config') };
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const fn = (...argv: string[]) => runFn(argv, { cwd: folder, env });

/** As after `fn login`: a profile in use, and its token. */
async function loggedIn(script: Script): Promise<void> {
  server = await weather(script);
  await fn('profile', 'set', 'acme', 'baseUrl', server.url);
  await fn('profile', 'set', 'acme', 'slug', 'acme');
  await fn('profile', 'use', 'acme');
  const { origin } = new URL(server.url);
  await saveLogin({ origin, slug: 'acme', token: 'tok_live_SECRETVALUE', tokenId: 'tok_1', savedAt: '' }, env);
}

describe('a file of logins that others could read', { skip: process.platform === 'win32' }, () => {
  const refused: Script = (_, response) => json(response, 401, { code: 'token_revoked', title: 'Revoked' });
  const warning = /credentials\.json could be read by others and was closed/g;

  test('is told once by the command that closes it', async () => {
    await loggedIn(refused);
    for (const argv of [['whoami'], ['template', 'list'], ['link', '--phone', '+4930901820']]) {
      await chmod(credentialsFile(env), 0o644);
      const { err } = await fn(...argv);
      assert.equal(err.match(warning)?.length, 1, `${argv.join(' ')}: ${err}`);
    }
  });
});

describe('logging out', () => {
  /** Four times: whether it was carried out nobody knows. */
  const failing: Script = (_, response) => {
    json(response, 500, { code: 'internal_error', title: 'bug' }, { 'retry-after': '0' });
  };

  test('when nobody says whether it was done does not say that the token is still valid', async () => {
    await loggedIn(failing);
    const { out } = await fn('logout');
    assert.match(out, /unknown whether the token was revoked/);
    assert.doesNotMatch(out, /still valid/);
    assert.deepEqual(readCredentials(env).logins, []);
  });

  test('says null where a script is told', async () => {
    await loggedIn(failing);
    assert.equal(JSON.parse((await fn('logout', '--json')).out).revoked, null);
  });

  test('whose first answer was lost is revoked: the repeat is refused for that reason', async () => {
    await loggedIn((_, response, socket, count) => {
      if (count === 1) return void socket.destroy();
      json(response, 401, { code: 'token_revoked', title: 'The API token was revoked' });
    });
    const { out } = await fn('logout');
    assert.match(out, /the token is not valid any more/);
    assert.doesNotMatch(out, /still valid/);
  });

  test('forgets the token before it is revoked: where it cannot be forgotten, nothing was done', async () => {
    let left = -1;
    await loggedIn((_, response) => {
      left = readCredentials(env).logins.length;
      json(response, 200, {});
    });
    assert.equal((await fn('logout')).exitCode, 0);
    assert.equal(left, 0);
  });

  test('that is refused says so: the token is still valid', async () => {
    await loggedIn((_, response) => json(response, 403, { code: 'token_scope', title: 'needs the scope admin' }));
    assert.match((await fn('logout')).out, /could not be revoked: needs the scope admin.* still valid/);
  });
});

describe('a profile that is only begun', () => {
  beforeEach(() => fn('profile', 'set', 'begun', 'slug', 'acme'));

  test('is no login to forget', async () => {
    const { exitCode, err } = await fn('logout');
    assert.equal(exitCode, 2, err);
    assert.match(err, /not logged in/);
  });

  test('does not keep the token of a profile that is removed', async () => {
    await loggedIn(() => {});
    const { exitCode, err } = await fn('profile', 'remove', 'acme');
    assert.equal(exitCode, 0, err);
    assert.deepEqual(readCredentials(env).logins, []);
  });
});
