import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { between } from '../../bench/faults/between.ts';
import { openClient } from '../../src/client/index.ts';
import { DeployState, deploy } from '../../src/deploy/index.ts';
import { FnError } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Elsewhere, elsewhere, nthVersion, rateLimited } from './elsewhere.ts';

let remote: Elsewhere;
let folder = '';
before(async () => {
  remote = await elsewhere();
  folder = temporaryFolder('fn-twice');
});
after(async () => {
  await remote.close();
});

test('a deploy that was live without an answer, and one that was stopped after it, are both this folder’s: the next one continues', async () => {
  const proxy = await between(remote.url);
  const client = openClient({ baseUrl: proxy.url, slug: remote.slug, token: remote.token, env: {} });
  const state = new DeployState(folder, remote.url, 'twice');
  const put = (n: number) =>
    deploy({
      client,
      app: 'twice',
      functions: async () => [nthVersion(n)],
      state,
      prune: false,
      dryRun: false,
      force: false,
      allowOlder: false,
      secrets: [],
    });
  try {
    assert.equal((await put(1)).outcome, 'done');

    let switched = false;
    proxy.watch({
      arrived({ method, path }) {
        if (switched) return rateLimited;
        switched = method === 'POST' && path.endsWith('/activate');
        return switched ? { kind: 'reset', done: true } : undefined;
      },
    });
    await assert.rejects(put(2), (error) => {
      assert.ok(error instanceof FnError && error.exitCode === 8);
      // What is said of the request that could not be made is not true of the switch.
      assert.doesNotMatch(`${error.message} ${error.hint}`, /Nothing was changed/i);
      return true;
    });

    proxy.watch({ arrived: ({ path }) => (path.endsWith('/activate') ? rateLimited : undefined) });
    await assert.rejects(put(3), (error) => error instanceof FnError && error.exitCode === 7);

    proxy.watch({});
    assert.equal((await put(4)).outcome, 'done');
  } finally {
    await client.close();
    await proxy.close();
  }
});
