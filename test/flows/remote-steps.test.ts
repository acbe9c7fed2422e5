import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { between } from '../../bench/faults/between.ts';
import { openClient } from '../../src/client/index.ts';
import type { Door } from '../../src/contract/index.ts';
import { deploy, deployFileOf } from '../../src/deploy/index.ts';
import { runFn } from '../cli/context.ts';
import { json, weather } from '../client/server.ts';
import { brew, type Nature, type Trouble, troubles } from '../client/troubles.ts';
import { anApp, type Elsewhere, elsewhere, forgetful } from '../deploy/elsewhere.ts';

// Every trouble at every request of the commands that speak to a workspace elsewhere. Deploys: test/deploy/weather.test.ts.

let remote: Elsewhere;
before(async () => {
  const template = { name: 'order_shipped', language: 'en', category: 'utility', body: 'Hi {{1}}' };
  const channels = [{ kind: 'messaging-app', name: 'Messaging' }];
  remote = await elsewhere({ 'seed.json': JSON.stringify({ version: 1, channels, templates: [template] }) });
});
after(() => remote.close());

/** What a request is: reading; reading bytes whose hash is known; writing what may be written twice; writing what may not; the switch to another version, and the look at it. */
type Kind = 'read' | 'bytes' | 'put' | 'post' | 'switch' | 'read back';

/** Exit codes when it happens once, and when it is so from then on. */
const codesOf: Readonly<Record<Kind, Readonly<Record<Nature, readonly [once: number, always: number]>>>> = {
  read: { passing: [0, 7], busy: [0, 7], certain: [7, 7], strange: [7, 7], access: [4, 4], refusal: [1, 1] },
  bytes: { passing: [0, 7], busy: [0, 7], certain: [7, 7], strange: [1, 1], access: [4, 4], refusal: [1, 1] },
  put: { passing: [0, 8], busy: [0, 7], certain: [7, 7], strange: [8, 8], access: [4, 4], refusal: [1, 1] },
  post: { passing: [8, 8], busy: [0, 7], certain: [7, 7], strange: [8, 8], access: [4, 4], refusal: [1, 1] },
  switch: { passing: [0, 8], busy: [0, 7], certain: [7, 7], strange: [0, 8], access: [4, 4], refusal: [1, 1] },
  'read back': { passing: [0, 8], busy: [0, 8], certain: [8, 8], strange: [8, 8], access: [8, 8], refusal: [8, 8] },
};

interface Case {
  readonly app: string;
  readonly folder: string;
  /** A number that nobody else has. */
  readonly phone: string;
  /** Deployments, oldest first. */
  readonly versions: readonly string[];
}

interface Command {
  readonly argv: (it: Case) => string[];
  readonly requests: readonly Kind[];
  readonly input?: string;
  readonly needs?: 'versions' | 'secret';
  /** What it changes, as it is now; what it is afterwards. */
  readonly state?: (it: Case) => Promise<string>;
  readonly wanted?: (it: Case) => string;
  /** Answers of any JSON object will do: nothing in them is relied on. */
  readonly takesAnyObject?: boolean;
  /** One request like those of `whoami`: every seventh trouble is enough, another seventh for each such command. */
  readonly sample?: number;
  /** Run again after it was done, it does it again: that is what it is for. */
  readonly eachTime?: boolean;
}

const door: Door = (name, input, options) => remote.local.door()(name, input, options);

const messagesTo = async ({ phone }: Case): Promise<string> => {
  const { items } = await door('customers.list', { limit: 200 });
  const customer = items.find((one) => one.phone === phone);
  if (customer === undefined) return '0';
  const found = await door('conversations.list', { customerId: customer.id, inbox: 'all' });
  const counts = await Promise.all(
    found.items.map(async ({ id }) => (await door('messages.list', { conversationId: id })).items.length),
  );
  return `${found.items.length} conversations, ${counts.join()} messages`;
};
const secretsOf = async ({ app }: Case): Promise<string> =>
  (await door('secrets.list', { app })).items.map(({ name }) => name).join();

const commands: Readonly<Record<string, Command>> = {
  whoami: { argv: () => ['whoami'], requests: ['read'] },
  versions: { argv: () => ['versions'], requests: ['read'], needs: 'versions', sample: 0 },
  status: { argv: () => ['status'], requests: ['read'], needs: 'versions', sample: 1 },
  'list --remote': { argv: () => ['list', '--remote'], requests: ['read'], needs: 'versions', sample: 2 },
  logs: { argv: () => ['logs'], requests: ['read'], needs: 'versions', sample: 3 },
  'token list': { argv: () => ['token', 'list'], requests: ['read'], sample: 4 },
  'secret list': { argv: () => ['secret', 'list'], requests: ['read'], sample: 5 },
  pull: {
    argv: () => ['pull'],
    requests: ['read', 'bytes'],
    needs: 'versions',
    state: async ({ folder }) => String(existsSync(join(folder, 'functions'))),
    wanted: () => 'true',
  },
  login: {
    argv: () => ['login', '--profile', 'there', '--token-stdin'],
    requests: ['read'],
    state: async ({ folder }) => String(existsSync(join(folder, 'config/fn/credentials.json'))),
    wanted: () => 'true',
  },
  'secret set': {
    argv: () => ['secret', 'set', 'KEY', '--stdin'],
    requests: ['put'],
    input: 'value',
    state: secretsOf,
    wanted: () => 'KEY',
    takesAnyObject: true,
  },
  'secret delete': {
    argv: () => ['secret', 'delete', 'KEY', '--yes'],
    requests: ['put'],
    needs: 'secret',
    state: secretsOf,
    wanted: () => '',
    takesAnyObject: true,
  },
  'template send': {
    argv: ({ phone }) => ['template', 'send', 'order_shipped', '--to', phone, '--body', 'Ann'],
    requests: ['post'],
    state: messagesTo,
    wanted: () => '1 conversations, 1 messages',
    eachTime: true,
  },
  link: {
    argv: ({ phone }) => ['link', '--phone', phone],
    requests: ['post'],
    state: messagesTo,
    wanted: () => '1 conversations, 0 messages',
  },
  rollback: {
    argv: ({ versions }) => ['rollback', versions[0] ?? ''],
    requests: ['read', 'switch', 'read back'],
    needs: 'versions',
    state: async ({ app }) => (await door('deployments.show', { app, id: 'live' })).id,
    wanted: ({ versions }) => versions[0] ?? '',
  },
};

async function deployed(app: string, n: number): Promise<string> {
  const source = `export default () => ${n};\n`;
  const map = { version: 3, sources: ['functions/a.js'], sourcesContent: [source], names: [], mappings: '' };
  const client = openClient({ baseUrl: remote.url, slug: remote.slug, token: remote.token, env: {} });
  const { deployment } = await deploy({
    client,
    app,
    functions: async () => [
      deployFileOf({
        path: 'a.js',
        type: 'server-side-method',
        config: { type: 'server-side-method', expose: false },
        code: `(async (register) => { register({ config: {}, default: async () => (${n}) }); })`,
        sourceMap: JSON.stringify(map),
      }),
    ],
    state: forgetful(remote.url, app),
    prune: false,
    dryRun: false,
    force: true,
    allowOlder: true,
    secrets: [],
  });
  return deployment ?? '';
}

let cases = 0;
async function aCase(needs: Command['needs']): Promise<Case> {
  const app = `steps-${++cases}`;
  const it = { app, folder: anApp({}, app), phone: `+49309${String(1_000_000 + cases)}` };
  if (needs === 'secret') await door('secrets.set', { app, name: 'KEY', value: 'value' });
  const versions = needs === 'versions' ? [await deployed(app, 1), await deployed(app, 2)] : [];
  return { ...it, versions };
}

const fingerprint = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** Ctrl-C is no trouble of the network; it goes with the others. */
const stopping: Trouble = { fate: { kind: 'pass' }, nature: 'passing', says: /Stopped/ };

// Many at once: most of the time they wait between two attempts. Silence is apart: what is waited for there must not be what the others keep busy.
const isSilence = ({ fate }: Trouble) => fate !== 'gone' && fate.kind === 'silence';
describe('no answer', { concurrency: 30 }, () => each(isSilence));
describe('bad weather', { concurrency: 48 }, () => each((trouble) => !isSilence(trouble)));

function each(fits: (trouble: Trouble) => boolean): void {
  for (const [name, command] of Object.entries(commands)) {
    const run = async (
      it: Case,
      url: string,
      more: readonly string[],
      env: Record<string, string> = {},
      signal = new AbortController().signal,
    ) => {
      const around = { ...remote.env, XDG_CONFIG_HOME: join(it.folder, 'config'), FN_BASE_URL: url, ...env };
      if (name === 'login') delete (around as { FN_TOKEN?: string }).FN_TOKEN;
      const input = name === 'login' ? remote.token : (command.input ?? '');
      return await runFn([...command.argv(it), ...more], { cwd: it.folder, env: around, input, signal });
    };

    for (const [index, kind] of fits(stopping) ? command.requests.entries() : []) {
      // What changes something is waited for: its answer is worth more than the moment it takes.
      const waited = kind !== 'read' && kind !== 'bytes';
      test(`fn ${name}: Ctrl-C at request ${index + 1} (${kind}) ${waited ? 'waits for its answer' : 'changes nothing'}`, async () => {
        const it = await aCase(command.needs);
        const proxy = await between(remote.url);
        const stopping = new AbortController();
        try {
          const was = await command.state?.(it);
          proxy.watch({
            arrived({ n }) {
              if (n === index + 1) stopping.abort();
              return undefined;
            },
          });
          const { exitCode, out, err } = await run(it, proxy.url, [], {}, stopping.signal);
          const is = await command.state?.(it);
          assert.equal(exitCode, waited ? 0 : 130, err);
          if (waited) assert.equal(is, command.wanted?.(it));
          else assert.deepEqual([out, is], ['', was]);
          if (waited && command.eachTime) return;
          proxy.watch({});
          const again = await run(it, proxy.url, []);
          if (name !== 'secret delete') assert.equal(again.exitCode, 0, again.err);
          assert.equal(await command.state?.(it), command.wanted?.(it));
        } finally {
          await proxy.close();
        }
      });
    }

    let count = 0;
    for (const [index, kind] of command.requests.entries()) {
      for (const [what, trouble] of Object.entries(troubles)) {
        const { fate, nature, says } = trouble;
        // An empty answer, or other JSON, is an answer where nothing of it is needed.
        if (command.sample !== undefined && ++count % 7 !== command.sample) continue;
        if (command.takesAnyObject && /another shape|no content/.test(what)) continue;
        // Bytes are known by their hash: what is no redirect is taken for bytes, and for the wrong ones.
        if (!fits(trouble)) continue;
        const as = kind === 'bytes' && /redirect/.test(what) ? 'read' : kind;
        const [once, lasting] = codesOf[as][nature];
        for (const always of once === lasting ? [false] : [false, true]) {
          const expected = always ? lasting : once;
          // Every second one speaks JSON; which, does not change from run to run.
          const asJson = Number.parseInt(fingerprint(name + what + always), 16) % 2 === 0;
          test(`fn ${name}: ${what} at request ${index + 1} (${kind})${always ? ' and after it' : ''}: ${expected}`, async () => {
            const it = await aCase(command.needs);
            const proxy = await between(remote.url);
            try {
              const was = await command.state?.(it);
              brew(proxy, index, fate, always);
              const impatient = isSilence(trouble) ? { FN_TIMEOUT: '3s' } : {};
              const { exitCode, out, err } = await run(it, proxy.url, asJson ? ['--json'] : [], impatient);
              const is = await command.state?.(it);
              assert.equal(exitCode, expected, `${out}${err}`);
              assert.ok(!(out + err).includes(remote.token));
              if (expected === 0) assert.equal(is, command.wanted?.(it));
              else {
                assert.equal(out, '');
                assert.doesNotMatch(err, /<html>|undefined|\[object|^ {4}at /m);
                const { message, hint } = asJson ? JSON.parse(err).error : parts(err);
                assert.match(`${message} ${hint}`, as === 'bytes' && nature === 'strange' ? /other bytes/ : says);
                assert.ok(hint, `what to do about "${message}"`);
                if (asJson) assert.equal(JSON.parse(err).error.exitCode, expected);
                if (expected !== 8) assert.equal(is, was, 'nothing was changed');
              }
              proxy.watch({});
              await proxy.comeBack();
              if (expected === 0 && command.eachTime) return;
              const again = await run(it, proxy.url, []);
              if (name !== 'secret delete' || is !== command.wanted?.(it)) assert.equal(again.exitCode, 0, again.err);
              assert.equal(await command.state?.(it), command.wanted?.(it));
            } finally {
              await proxy.close();
            }
          });
        }
      }
    }
  }
}

test('an answer that a command cannot work with is told from a bug of fn, and named', {
  concurrency: true,
}, async (t) => {
  const folder = anApp({}, 'odd');
  const lines = [
    ...['versions', 'list --remote', 'logs', 'secret list', 'var list', 'token list', 'app list', 'channel list'],
    ...[
      'template list',
      'template show a',
      'pack list',
      'pack history',
      'cron run x',
      'channel disconnect email --yes',
    ],
    ...['token revoke x --yes', 'template send a --to +4930901820 --dry-run', 'invoke a --remote'],
  ];
  for (const items of [[null], [{ name: '\u001b[31mred', __proto__: null }], [5]]) {
    const odd = await weather((_, response) => json(response, 200, { items, nextCursor: null }));
    for (const line of lines) {
      await t.test(`fn ${line}: ${JSON.stringify(items)}`, async () => {
        const env = { XDG_CONFIG_HOME: join(folder, 'c'), FN_BASE_URL: odd.url, FN_WORKSPACE: 'acme', FN_TOKEN: 't' };
        const { exitCode, err } = await runFn(line.split(' '), { cwd: folder, env });
        assert.ok([0, 1, 2, 7].includes(exitCode), `${exitCode}: ${err}`);
        assert.ok(!err.includes('\u001b[31m'));
      });
    }
    await odd.close();
  }
});

test('a stream of lines that are none is told from a bug of fn', async (t) => {
  const folder = anApp({}, 'odd');
  for (const data of ['{', 'null', '{"at": 1, "level": "info", "text": ""}', '{"level": "toString"}']) {
    const odd = await weather((request, response) => {
      if (!request.headers.accept?.includes('event-stream'))
        return json(response, 200, { items: [], nextCursor: null, resumeCursor: 'a' });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: log\ndata: ${data}\n\n`);
    });
    await t.test(data, async () => {
      const env = { XDG_CONFIG_HOME: join(folder, 'c'), FN_BASE_URL: odd.url, FN_WORKSPACE: 'acme', FN_TOKEN: 't' };
      const { exitCode, err } = await runFn(['logs', '--follow'], { cwd: folder, env });
      assert.equal(exitCode, 7, err);
      assert.match(err, /something else than a line of a log/);
    });
    await odd.close();
  }
});

function parts(err: string): { message: string; hint: string } {
  const message = /^error (.*)$/m.exec(err)?.[1] ?? '';
  return { message, hint: err.slice(err.indexOf('→')).replace(/^→ /, '') };
}
