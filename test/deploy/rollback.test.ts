import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { type Between, between } from '../../bench/faults/between.ts';
import { type Client, openClient } from '../../src/client/index.ts';
import { DeployState, deploy, driftOf, readLive, rollBack } from '../../src/deploy/index.ts';
import { FnError, UnknownOutcomeError } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Elsewhere, elsewhere, nthVersion, rateLimited } from './elsewhere.ts';

let remote: Elsewhere;
let proxy: Between;
let client: Client;
let folder = '';
let state: DeployState;
let app = '';
let apps = 0;
before(async () => {
  remote = await elsewhere();
  proxy = await between(remote.url);
  client = openClient({ baseUrl: proxy.url, slug: remote.slug, token: remote.token, env: {} });
  folder = temporaryFolder('fn-back');
});
after(async () => {
  await client.close();
  await proxy.close();
  await remote.close();
});

/** Ids of four versions, the last of them live. */
let versions: string[] = [];
beforeEach(async () => {
  app = `back-${++apps}`;
  state = new DeployState(folder, remote.url, app);
  proxy.watch({});
  versions = [];
  for (let n = 1; n <= 4; n++) versions.push(await put(n));
});

async function put(n: number): Promise<string> {
  const { deployment } = await deploy({
    client,
    app,
    functions: async () => [nthVersion(n)],
    state,
    prune: false,
    dryRun: false,
    force: true,
    allowOlder: false,
    secrets: [],
  });
  return deployment ?? '';
}

const live = async (): Promise<string | undefined> => (await readLive(client, app))?.deployment.id;

async function back(version?: string) {
  const now = await readLive(client, app);
  assert.ok(now);
  return await rollBack({ client, app, version, before: now, state });
}

/** The switch has no answer, and nothing that is asked afterwards has one that helps. @param done whether it was carried out */
async function lost(done: boolean): Promise<void> {
  let asked = false;
  proxy.watch({
    arrived({ path }) {
      if (asked) return rateLimited;
      asked = path.endsWith('/rollback');
      return asked ? { kind: 'reset', done } : undefined;
    },
  });
  await assert.rejects(back(), UnknownOutcomeError);
  proxy.watch({});
}

test('going back by one, repeated after a lost answer, goes back by one', async () => {
  await lost(true);
  const { now, previous, askedAt } = await back();
  assert.deepEqual([now.deployment.id, previous], [versions[2], versions[3]]);
  assert.ok(askedAt);
  assert.equal(await live(), versions[2]);
  // What is settled is settled: the next one goes on.
  assert.equal((await back()).now.deployment.id, versions[1]);
});

test('what became live without an answer is no drift: a deploy goes on from there', async () => {
  await lost(true);
  const now = await readLive(client, app);
  assert.equal(driftOf(now, state.read(), undefined), undefined);
});

test('repeated after one that was not carried out, it is carried out now', async () => {
  await lost(false);
  assert.equal((await back()).now.deployment.id, versions[2]);
});

test('repeated after somebody else deployed, it stops: the step was meant from another version', async () => {
  await lost(false);
  const mine = state;
  state = new DeployState(join(folder, 'colleague'), remote.url, app);
  const theirs = await put(5);
  state = mine;
  await assert.rejects(back(), (error) => error instanceof FnError && error.exitCode === 9);
  assert.equal(await live(), theirs);
});

test('that was certainly not carried out leaves nothing behind', async () => {
  proxy.watch({ arrived: ({ path }) => (path.endsWith('/rollback') ? rateLimited : undefined) });
  await assert.rejects(back(), (error) => error instanceof FnError && error.exitCode === 7);
  proxy.watch({});
  assert.equal(state.read().goingBack, undefined);
});

test('where it cannot be noted, nobody is told to repeat it', async () => {
  writeFileSync(join(folder, 'a-file'), '');
  state = new DeployState(join(folder, 'a-file'), remote.url, app);
  const now = await readLive(client, app);
  assert.ok(now);
  proxy.watch({ arrived: ({ path }) => (path.endsWith('/rollback') ? { kind: 'reset', done: true } : rateLimited) });
  await assert.rejects(rollBack({ client, app, version: undefined, before: now, state }), (error) => {
    assert.ok(error instanceof UnknownOutcomeError);
    assert.match(error.hint ?? '', /fn status/);
    assert.doesNotMatch(error.hint ?? '', /finds out/);
    return true;
  });
});
