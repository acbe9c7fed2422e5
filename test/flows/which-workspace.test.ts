import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Context } from '../../src/cli/context.ts';
import type { Ask } from '../../src/cli/terminal/ask.ts';
import { requestSends, sendsToCustomers } from '../../src/cli/workspaces/ask-before-sending.ts';
import { chooseWorkspace } from '../../src/cli/workspaces/choose-workspace.ts';
import { openTarget } from '../../src/cli/workspaces/target.ts';
import { operationNames } from '../../src/contract/index.ts';
import { changePreferences, readPreferences, saveLogin } from '../../src/project/index.ts';
import { aContext, runFn } from '../cli/context.ts';
import { json, type Weather, weather } from '../client/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let server: Weather;
let asked: string[] = [];
let env: Record<string, string> = {};
let app = '';
let outside = '';

before(async () => {
  server = await weather((request, response) => {
    asked.push(`${request.method} ${request.path}`);
    if (request.path.endsWith('/workspace'))
      return json(response, 200, {
        ...{
          slug: request.path.split('/')[2],
          name: 'Real',
          url: 'https://real.example',
          apiUrl: 'https://real.example',
        },
        ...{ environment: 'production', token: null, now: '2026-01-01T00:00:00.000Z' },
      });
    if (request.method === 'POST') return json(response, 201, { id: 'x' });
    return json(response, 200, { items: [], nextCursor: null });
  });
});
after(() => server.close());

beforeEach(() => {
  const place = temporaryFolder('fn-which');
  asked = [];
  env = { XDG_CONFIG_HOME: join(place, 'config'), XDG_STATE_HOME: join(place, 'state'), HOME: place };
  app = join(place, 'app');
  outside = join(place, 'outside');
  mkdirSync(app);
  mkdirSync(outside);
  writeFileSync(join(app, 'fn.config.json'), '{"version": 1, "app": "shop"}');
});
afterEach(() => assert.ok(!readdirSync(app).includes('preferences.json')));

async function logIn(...names: string[]): Promise<void> {
  for (const name of names) {
    await changePreferences(
      (now) => ({
        ...now,
        profile: now.profile ?? name,
        profiles: { ...now.profiles, [name]: { baseUrl: server.url, slug: `${name}-co` } },
      }),
      env,
    );
    const { origin } = new URL(server.url);
    await saveLogin({ origin, slug: `${name}-co`, token: 'tok_live_1', savedAt: '' }, env);
  }
}

const fn = (cwd: string, ...argv: string[]) => runFn(argv, { cwd, env });
const ci = () => ({ FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 'tok_live_1' });

describe('in an app', () => {
  test('a login alone leaves every command that can be local at the local workspace, which is not named', async () => {
    await logIn('live');
    for (const argv of [
      ['template', 'list'],
      ['secret', 'list'],
      ['api', 'workspace.show'],
      ['cron', 'list'],
    ]) {
      const { exitCode, err } = await fn(app, ...argv);
      assert.equal(exitCode, 0, err);
      assert.doesNotMatch(err, /→/);
    }
    assert.deepEqual(asked, []);
  });

  test('status and versions use the only login, and name it before they ask it', async () => {
    await logIn('live');
    for (const command of ['status', 'versions']) {
      asked = [];
      const { err } = await fn(app, command);
      assert.match(err, /^→ live-co \(live\)\n/);
      assert.ok(asked.length > 0);
    }
  });

  test('of several logins none is taken without a terminal', async () => {
    await logIn('live', 'test');
    for (const command of ['deploy', 'diff', 'status', 'versions', 'rollback', 'pull']) {
      const { exitCode, err } = await fn(app, command);
      assert.equal(exitCode, 2, err);
      assert.match(err, /not clear which workspace is meant: live, test/);
      assert.match(err, /fn profile use NAME/);
    }
    assert.deepEqual(asked, []);
  });

  test('of several logins the person chooses on a terminal, for this one command', async () => {
    await logIn('live', 'test');
    const { context, err } = atTerminal(app, { choose: async () => 'test' as never });
    const access = await chooseWorkspace(context, true);
    assert.equal(access?.slug, 'test-co');
    assert.equal(err(), '→ test-co (test)\n');
    assert.equal(readPreferences(env).apps, undefined);
  });

  test('without any login a command that needs a real workspace says how to get one', async () => {
    const { exitCode, err } = await fn(app, 'status');
    assert.equal(exitCode, 4);
    assert.match(err, /fn login/);
  });

  test('a profile chosen for the app is meant by all its commands, from all its folders and by every path to it', async () => {
    await logIn('live', 'test');
    const { out } = await fn(app, 'profile', 'use', 'test');
    assert.match(out, /^In use for .*app: test\n$/);
    mkdirSync(join(app, 'functions'));
    symlinkSync(app, join(outside, 'link'));
    for (const folder of [app, join(app, 'functions'), join(outside, 'link')]) {
      assert.match((await fn(folder, 'template', 'list')).err, /^→ test-co \(test\)\n/);
      assert.match((await fn(folder, 'status')).err, /^→ test-co \(test\)\n/);
    }
    assert.match((await fn(outside, 'template', 'list')).err, /^→ live-co \(live\)\n/);
    assert.match((await fn(app, 'profile', 'list')).out, /^\* {2}test /m);
    assert.match((await fn(outside, 'profile', 'list')).out, /^\* {2}live /m);
  });

  test('fn profile use local undoes the choice', async () => {
    await logIn('live');
    await fn(app, 'profile', 'use', 'live');
    await fn(app, 'profile', 'use', 'local');
    assert.equal((await fn(app, 'template', 'list')).err.includes('→ live-co'), false);
    assert.equal(JSON.parse((await fn(app, 'profile', 'list', '--json')).out).inUse, 'local');
  });

  test('a removed profile is not chosen any more', async () => {
    await logIn('live');
    await fn(app, 'profile', 'use', 'live');
    await fn(app, 'profile', 'remove', 'live');
    assert.deepEqual(readPreferences(env).apps, {});
  });

  test('clock and workspace stay local with a chosen profile', async () => {
    await logIn('live');
    await fn(app, 'profile', 'use', 'live');
    for (const argv of [
      ['clock', 'show'],
      ['workspace', 'export'],
    ]) {
      const { exitCode, err } = await fn(app, ...argv);
      assert.equal(exitCode, 0, err);
    }
    assert.deepEqual(asked, []);
  });

  test('a flag and the variables name a real one', async () => {
    await logIn('live');
    assert.match((await fn(app, 'template', 'list', '--profile', 'live')).err, /^→ live-co \(live\)\n/);
    const { err } = await runFn(['template', 'list'], { cwd: app, env: { ...env, ...ci() } });
    assert.ok(err.startsWith(`→ acme (${new URL(server.url).host})\n`), err);
  });
});

describe('outside an app', () => {
  test('the profile in use is meant', async () => {
    await logIn('live', 'test');
    assert.match((await fn(outside, 'template', 'list')).err, /^→ live-co \(live\)\n/);
    await fn(outside, 'profile', 'use', 'test');
    assert.match((await fn(outside, 'template', 'list')).err, /^→ test-co \(test\)\n/);
  });
});

describe('with --json', () => {
  const remote = () => ({ cwd: outside, env: { ...env, ...ci() } });

  test('the printed object has the workspace, and standard error is empty', async () => {
    const { out, err } = await runFn(['template', 'list', '--json'], remote());
    assert.deepEqual(JSON.parse(out), { items: [], workspace: 'acme' });
    assert.equal(err, '');
  });

  test('an error has it beside itself', async () => {
    const { exitCode, err } = await runFn(['token', 'revoke', 'none', '--json'], remote());
    assert.equal(exitCode, 1);
    assert.equal(JSON.parse(err).workspace, 'acme');
  });

  test('an answer of fn api is unchanged, and the workspace is named after it', async () => {
    const { out, err } = await runFn(['api', 'templates.list', '--json'], remote());
    assert.deepEqual(JSON.parse(out), { items: [], nextCursor: null });
    assert.ok(err.startsWith('→ acme ('), err);
  });

  test('the local workspace is not named', async () => {
    const { out } = await fn(app, 'template', 'list', '--json');
    assert.equal('workspace' in JSON.parse(out), false);
  });
});

describe('the first send to customers', () => {
  const body = { conversationId: 'cnv_1', text: 'Hello' } as never;
  const sends = () => asked.filter((line) => line.startsWith('POST')).length;

  test('is asked about on a terminal, once per workspace', async () => {
    await logIn('live', 'test');
    const questions: string[] = [];
    const confirm: Ask['confirm'] = async ({ message }) => questions.push(message) > 0;
    for (const profile of ['live', 'live', 'test']) {
      const { context } = atTerminal(outside, { confirm }, profile);
      const target = await openTarget(context, 'any');
      await target.door('messages.send', body);
      await target.request({
        method: 'POST',
        path: '/conversations/cnv_1/messages',
        headers: {},
        signal: context.signal,
      });
      await target.close();
    }
    assert.deepEqual(
      questions.map((question) => question.split('?')[0]),
      ['Send to customers of live-co (live)', 'Send to customers of test-co (test)'],
    );
    assert.equal(sends(), 6);
  });

  test('is not made if the person says no, who is asked again the next time', async () => {
    await logIn('live');
    const { context } = atTerminal(outside, { confirm: async () => false });
    const target = await openTarget(context, 'any');
    await assert.rejects(target.door('messages.send', body), { code: 'send_declined', exitCode: 130 });
    await assert.rejects(target.door('messages.send', body), { code: 'send_declined' });
    await target.close();
    assert.equal(sends(), 0);
  });

  test('is not asked about in CI', async () => {
    const { context } = aContext({ cwd: outside, env: { ...env, ...ci() } });
    const target = await openTarget(context, 'any');
    await target.door('messages.send', body);
    await target.close();
    assert.equal(sends(), 1);
  });

  test('is recognised by its operation and by its path', () => {
    assert.deepEqual(operationNames.filter(sendsToCustomers), [
      'messages.send',
      'messages.sendTemplate',
      'templates.send',
      'tools.call',
    ]);
    assert.ok(requestSends('POST', '/conversations/cnv_1/messages?x=1'));
    assert.ok(requestSends('POST', '/conversations/cnv%5F1/messages/'));
    assert.ok(!requestSends('GET', '/conversations/cnv_1/messages'));
    assert.ok(!requestSends('POST', '/customers'));
  });
});

/** A context of a command on a terminal whose questions a test answers. */
function atTerminal(cwd: string, answers: Partial<Ask>, profile?: string) {
  const { context, err } = aContext({ cwd, env, flags: { profile } });
  const handed: Context = { ...context, ask: { ...context.ask, possible: true, ...answers } };
  return { context: handed, err };
}
