import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Between, between, type Fate } from '../../bench/faults/between.ts';
import { openClient } from '../../src/client/index.ts';
import { type BuiltFunction, DeployState, deploy } from '../../src/deploy/index.ts';
import { FnError } from '../../src/std/index.ts';
import { type Elsewhere, elsewhere } from './elsewhere.ts';

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

const page = { 'content-type': 'text/html' };
const problem = (code: string) => JSON.stringify({ code, title: 'as a gateway would' });
const answer = (status: number, headers: Record<string, string>, body: string, done = false): Fate => ({
  kind: 'answer',
  done,
  status,
  headers,
  body,
});
const json = { 'content-type': 'application/json' };
const later = { ...json, 'retry-after': '0' };

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

const troubles: Readonly<Record<string, { fate: Fate | 'gone'; codes: Codes; says: RegExp }>> = {
  'nothing listens any more': { fate: 'gone', codes: refused(7), says: /nothing listens/ },
  'the connection is reset before it is carried out': {
    fate: { kind: 'reset', done: false },
    codes: passing,
    says: /the connection to .* broke/,
  },
  'the connection is reset after it was carried out': {
    fate: { kind: 'reset', done: true },
    codes: passing,
    says: /the connection to .* broke/,
  },
  'the answer is cut in its head': { fate: { kind: 'cut', share: 0.05 }, codes: passing, says: /broke/ },
  'the answer is cut in its middle': { fate: { kind: 'cut', share: 0.6 }, codes: passing, says: /broke/ },
  'the answer lacks its last byte': { fate: { kind: 'cut', share: 1 }, codes: passing, says: /broke/ },
  'no answer ever comes': { fate: { kind: 'silence', done: false }, codes: passing, says: /did not answer within/ },
  'it is carried out, and no answer ever comes': {
    fate: { kind: 'silence', done: true },
    codes: passing,
    says: /did not answer within/,
  },
  '429 without Retry-After': {
    fate: answer(429, json, problem('rate_limited')),
    codes: { ...passing, switch: [0, 7] },
    says: /gateway/,
  },
  '429 with seconds': {
    fate: answer(429, later, problem('rate_limited')),
    codes: { ...passing, switch: [0, 7] },
    says: /gateway/,
  },
  '429 with a date': {
    fate: answer(429, { ...json, 'retry-after': new Date(0).toUTCString() }, problem('rate_limited')),
    codes: { ...passing, switch: [0, 7] },
    says: /gateway/,
  },
  '429 with garbage': {
    fate: answer(429, { ...page, 'retry-after': 'soon' }, '<html>'),
    codes: { ...passing, switch: [0, 7] },
    says: /answered 429/,
  },
  '429 for a day': {
    fate: answer(429, { ...json, 'retry-after': '86400' }, problem('rate_limited')),
    codes: refused(7),
    says: /no request before \d{4}-.*/,
  },
  '500 in the words of the API': {
    fate: answer(500, later, problem('internal_error')),
    codes: passing,
    says: /gateway|500/,
  },
  '500 after it was carried out': {
    fate: answer(500, later, problem('internal_error'), true),
    codes: passing,
    says: /gateway|500/,
  },
  '502 as a page': { fate: answer(502, { ...page, 'retry-after': '0' }, '<html>'), codes: passing, says: /502/ },
  '503 as a page': { fate: answer(503, { ...page, 'retry-after': '0' }, '<html>'), codes: passing, says: /503/ },
  '504 after it was carried out': {
    fate: answer(504, { ...page, 'retry-after': '0' }, '<html>', true),
    codes: passing,
    says: /504/,
  },
  'a page in place of JSON': { fate: answer(200, page, '<html>'), codes: strange, says: /a web page/ },
  'a page after it was carried out': { fate: answer(200, page, '<html>', true), codes: strange, says: /a web page/ },
  'broken JSON': { fate: answer(200, json, '{"id": "dpl_'), codes: strange, says: /broken JSON/ },
  'JSON of another shape': { fate: answer(200, json, '{"hello":"world"}'), codes: strange, says: /other JSON/ },
  'a list in place of an object': { fate: answer(200, json, '[1]'), codes: strange, says: /other JSON/ },
  'null in place of an object': { fate: answer(200, json, 'null'), codes: strange, says: /other JSON/ },
  'no content': { fate: answer(204, {}, ''), codes: strange, says: /without a type|nothing/ },
  'a redirect to another place': {
    fate: answer(302, { location: 'https://elsewhere.example/login' }, ''),
    codes: strange,
    says: /elsewhere\.example\/login/,
  },
  'a permanent redirect': {
    fate: answer(308, { location: 'https://elsewhere.example/api' }, ''),
    codes: refused(7),
    says: /elsewhere\.example\/api/,
  },
  '401 of a proxy': { fate: answer(401, page, '<html>'), codes: refused(4), says: /refused access/ },
  '403 of a firewall': { fate: answer(403, page, '<html>'), codes: refused(4), says: /refused access/ },
  '404 as a page': {
    fate: answer(404, page, '<html>'),
    codes: refused(1),
    says: /operations\.deployments\.\w+\.route/,
  },
  '404 in other JSON': {
    fate: answer(404, json, '{"error":"not found"}'),
    codes: refused(1),
    says: /assumed at "(?:GET|POST|PUT) .*operations\.deployments\.\w+\.route/,
  },
  '405 of the API': {
    fate: answer(405, json, problem('method_not_allowed')),
    codes: refused(1),
    says: /assumed at "(?:GET|POST|PUT) .*operations\.deployments\.\w+\.route/,
  },
};

/** Different in every app: what a workspace has once is not uploaded again. */
const built = (app: string, n: number): BuiltFunction[] => [
  {
    path: 'a.js',
    type: 'server-side-method',
    config: { type: 'server-side-method', expose: false },
    code: `(async (register) => { register({ config: {}, default: async () => '${app} ${n}' }); })`,
  },
];

type Way = 'light' | 'pooled';

async function put(app: string, url: string, n: number, transport: Way = 'light', impatient = false) {
  const client = openClient({
    baseUrl: url,
    slug: remote.slug,
    token: remote.token,
    env: {},
    transport,
    ...(impatient && { deadlines: { firstByteMs: 500 } }),
  });
  try {
    return await deploy({
      client,
      app,
      functions: async () => built(app, n),
      state: new DeployState('/nonexistent', url, app),
      prune: false,
      dryRun: false,
      force: false,
      allowOlder: false,
      secrets: [],
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

/** Brings the trouble upon the request of a step: that one, or that one and all after it. */
function brew(proxy: Between, step: number, fate: Fate | 'gone', always: boolean): void {
  if (fate === 'gone' && step === 0) return proxy.leave();
  const first = proxy.seen.length + 1 + step;
  proxy.watch({
    arrived: ({ n }) => (fate !== 'gone' && (n === first || (always && n > first)) ? fate : undefined),
    carriedOut({ n }) {
      if (fate === 'gone' && n === first - 1) proxy.leave();
    },
  });
}

// As many at once as keep the processor busy: most of the time they wait between two attempts.
describe('a deploy', { concurrency: 32 }, () => {
  let cases = 0;
  for (const [name, { fate, codes, says }] of Object.entries(troubles)) {
    for (const [index, step] of steps.entries()) {
      const [once, lasting] = codes[step];
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
            const ended = await put(app, proxy.url, 2, way, fate !== 'gone' && fate.kind === 'silence').then(
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
});
