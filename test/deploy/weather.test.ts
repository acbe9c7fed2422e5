import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { between } from '../../bench/faults/between.ts';
import { openClient } from '../../src/client/index.ts';
import { type DeployFile, deploy, deployFileOf } from '../../src/deploy/index.ts';
import { FnError, InterruptedError } from '../../src/std/index.ts';
import { brew, type Nature, type Trouble, troubles } from '../client/troubles.ts';
import { type Elsewhere, elsewhere, forgetful } from './elsewhere.ts';

// Every trouble at every request of a deploy, once and from then on: what must be so whatever happens, and the exit code of each.

let remote: Elsewhere;
before(async () => {
  remote = await elsewhere();
});
after(() => remote.close());

const steps = ['read', 'create', 'upload', 'switch', 'read back'] as const;
type Step = (typeof steps)[number];
/** By step: the exit codes when it happens once, and when it is so from then on. */
type Codes = Readonly<Record<Step, readonly [once: number, always: number]>>;

/** A repeat is safe or certainly needed: `fn` makes it by itself. While it lasts, nothing has changed – unless the switch may have been made. */
const passing: Codes = { read: [0, 7], create: [0, 7], upload: [0, 7], switch: [0, 8], 'read back': [0, 8] };
/** It was certainly not carried out, and waiting does not help. */
const refused = (code: number): Codes => ({
  read: [code, code],
  create: [code, code],
  upload: [code, code],
  switch: [code, code],
  'read back': [8, 8],
});
/** Something else answered, and what it did with the switch nobody knows; what is live is asked then. */
const strange: Codes = { ...refused(7), switch: [0, 8] };
const codesOf: Readonly<Record<Nature, Codes>> = {
  passing,
  busy: { ...passing, switch: [0, 7] },
  certain: refused(7),
  strange,
  access: refused(4),
  refusal: refused(1),
};

/** Different in every app: what a workspace has once is not uploaded again. */
const built = (app: string, n: number): DeployFile[] => [
  deployFileOf({
    path: 'a.js',
    type: 'server-side-method',
    config: { type: 'server-side-method', expose: false },
    code: `(async (register) => { register({ config: {}, default: async () => '${app} ${n}' }); })`,
  }),
];

type Way = 'light' | 'pooled';

async function put(
  app: string,
  url: string,
  n: number,
  transport: Way = 'light',
  impatient = false,
  signal = new AbortController().signal,
) {
  const client = openClient({
    baseUrl: url,
    slug: remote.slug,
    token: remote.token,
    env: {},
    transport,
    ...(impatient && { deadlines: { firstByteMs: 3_000 } }),
  });
  try {
    return await deploy({
      client,
      app,
      functions: async () => built(app, n),
      state: forgetful(url, app),
      prune: false,
      dryRun: false,
      force: false,
      allowOlder: false,
      secrets: [],
      signal,
    });
  } finally {
    await client.close();
  }
}

async function liveOf(app: string): Promise<string> {
  const door = openClient({ baseUrl: remote.url, slug: remote.slug, token: remote.token, env: {} });
  const { manifest } = await door('deployments.show', { app, id: 'live' });
  return manifest.map(({ bytes, sha256 }) => `${bytes} ${sha256}`).join();
}

for (const [index, step] of steps.entries()) {
  const switching = index >= steps.indexOf('switch');
  test(`Ctrl-C at the ${step} of a deploy ${switching ? 'waits for what is live then' : 'leaves the old version live'}`, async () => {
    const app = `stopped-${index}`;
    await put(app, remote.url, 1);
    const old = await liveOf(app);
    const proxy = await between(remote.url);
    const stopping = new AbortController();
    try {
      proxy.watch({
        arrived({ n }) {
          if (n === index + 1) stopping.abort();
          return undefined;
        },
      });
      const putting = put(app, proxy.url, 2, 'light', false, stopping.signal);
      if (switching) assert.equal((await putting).outcome, 'done');
      else await assert.rejects(putting, InterruptedError);
      assert.equal((await liveOf(app)) === old, !switching);
      proxy.watch({});
      assert.equal((await put(app, proxy.url, 2)).outcome, switching ? 'unchanged' : 'done');
    } finally {
      await proxy.close();
    }
  });
}

let cases = 0;
// As many at once as keep the processor busy: most of the time they wait between two attempts. Silence is apart: what is waited for there must
// not be what the others keep busy.
const isSilence = ({ fate }: Trouble) => fate !== 'gone' && fate.kind === 'silence';
describe('a deploy that is not answered', { concurrency: 20 }, () => each(isSilence));
describe('a deploy in bad weather', { concurrency: 48 }, () => each((trouble) => !isSilence(trouble)));

function each(fits: (trouble: Trouble) => boolean): void {
  for (const [name, trouble] of Object.entries(troubles)) {
    if (!fits(trouble)) continue;
    const { fate, nature, says } = trouble;
    for (const [index, step] of steps.entries()) {
      const [once, lasting] = codesOf[nature][step];
      // What ends a deploy at once ends it in the same way when it lasts.
      for (const always of once === lasting ? [false] : [false, true]) {
        const expected = always ? lasting : once;
        const app = `app-${++cases}`;
        const way: Way = cases % 2 === 0 ? 'light' : 'pooled';
        test(`${way}, ${step}: ${name}${always ? ', and so from then on' : ''} – ends with ${expected}`, async () => {
          await put(app, remote.url, 1);
          const old = await liveOf(app);
          const proxy = await between(remote.url);
          try {
            brew(proxy, index, fate, always);
            const ended = await put(app, proxy.url, 2, way, isSilence(trouble)).then(
              ({ outcome }) => ({ exitCode: 0, outcome }),
              (error: unknown) => {
                assert.ok(error instanceof FnError, String(error instanceof Error ? error.stack : error));
                assert.match(`${error.message} ${error.hint}`, says);
                assert.ok(error.hint, `what to do about "${error.message}"`);
                assert.doesNotMatch(error.message, /<html>|undefined|\[object/);
                return { exitCode: error.exitCode, outcome: 'failed' };
              },
            );
            const now = await liveOf(app);
            assert.equal(ended.exitCode, expected);
            if (expected === 0) assert.notEqual(now, old);
            else if (expected !== 8) assert.equal(now, old, 'nothing was changed');
            proxy.watch({});
            await proxy.comeBack();
            await put(app, proxy.url, 2);
            const repeated = await liveOf(app);
            assert.notEqual(repeated, old, 'the repeat continues');
            assert.equal((await put(app, proxy.url, 2)).outcome, 'unchanged');
            assert.equal(await liveOf(app), repeated);
            if (ended.outcome === 'done') assert.equal(repeated, now);
          } finally {
            await proxy.close();
          }
        });
      }
    }
  }
}
