import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { spawnFn } from '../cli/fn-process.ts';
import { deadPort, json, type Script, type Weather, weather } from '../client/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

let folder = '';
let server: Weather | undefined;
let env: Record<string, string> = {};
beforeEach(() => {
  folder = temporaryFolder('fn-send');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const token = 'tok_live_SECRETVALUE';

async function at(script: Script): Promise<Weather> {
  server = await weather(script);
  env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    FN_BASE_URL: server.url,
    FN_WORKSPACE: 'acme',
    FN_TOKEN: token,
  };
  return server;
}

const fn = (...argv: string[]) => runFn(argv, { cwd: folder, env });
const send = (...more: string[]) =>
  fn('template', 'send', 'order_shipped', '--to', '+4930901820', '--body', 'Ann', ...more);
const keyOf = (weather: Weather, i: number) => weather.arrived[i]?.headers['idempotency-key'];

let sent = 0;
const answer = () => ({
  conversationId: `cnv_${++sent}`,
  conversationUrl: `https://app.example.com/tenants/acme/conversations/cnv_${sent}`,
  messageId: 'msg_1',
  customerId: 'cus_1',
  created: { customer: false, conversation: false },
});

/** A workspace that remembers keys: the same key gets the same answer, and counts once. */
function remembering(messages: Map<string, unknown>): Script {
  return (request, response) => {
    const key = String(request.headers['idempotency-key']);
    const replay = messages.has(key);
    if (!replay) messages.set(key, answer());
    json(response, 200, messages.get(key), replay ? { 'idempotent-replayed': 'true' } : {});
  };
}

describe('one message', () => {
  test('is one line: the conversation, a tab, the direct link', async () => {
    const { arrived } = await at(remembering(new Map()));
    const { exitCode, out } = await send('--lang', 'de', '--assign', 'ann@example.com', '--button', '0=A-17');
    assert.equal(exitCode, 0);
    assert.match(out, /^cnv_\d+\thttps:\/\/app\.example\.com\/tenants\/acme\/conversations\/cnv_\d+\n$/);
    assert.deepEqual(JSON.parse(arrived[0]?.body ?? ''), {
      to: '+4930901820',
      template: 'order_shipped',
      language: 'de',
      variables: { body: ['Ann'], buttons: [{ index: 0, value: 'A-17' }] },
      assign: { agentEmail: 'ann@example.com' },
    });
  });

  test('has its journal entry on the disk before the first byte leaves', async () => {
    let journal = '';
    await at((_, response) => {
      const [file] = readdirSync(join(folder, 'state', 'fn', 'outbox'));
      journal = readFileSync(join(folder, 'state', 'fn', 'outbox', file ?? ''), 'utf8');
      json(response, 200, answer());
    });
    assert.equal((await send()).exitCode, 0);
    assert.match(journal, /"state":"sending"/);
    assert.doesNotMatch(journal, /\+4930901820|Ann|SECRETVALUE/);
  });

  test('is not sent when the journal cannot be written', async () => {
    const { arrived } = await at(remembering(new Map()));
    writeFileSync(join(folder, 'state'), 'a file in place of the folder');
    const { exitCode, err } = await send();
    assert.equal(exitCode, 1);
    assert.match(err, /Nothing was sent/);
    assert.equal(arrived.length, 0);
  });

  test('whose answer is lost ends with 8, once, and tells the key of a safe repeat', async () => {
    const { arrived } = await at((_, __, socket) => void socket.destroy());
    const { exitCode, err, out } = await send();
    assert.equal(exitCode, 8);
    assert.equal(out, '');
    assert.equal(arrived.length, 1);
    const key = String(keyOf({ arrived } as Weather, 0)).replaceAll('"', '');
    assert.ok(err.includes(`--idempotency-key ${key}`), err);
  });

  test('that is run again after a lost answer has the same key, so it is one message', async () => {
    const messages = new Map<string, unknown>();
    const honest = remembering(messages);
    const weather = await at((request, response, socket, count) => {
      if (count > 1) return honest(request, response, socket, count);
      messages.set(String(request.headers['idempotency-key']), answer());
      socket.destroy();
    });
    assert.equal((await send()).exitCode, 8);
    const again = await send();
    assert.equal(again.exitCode, 0);
    assert.match(again.err, /repeating with its key/);
    assert.match(again.err, /already sent with this key/);
    assert.equal(keyOf(weather, 0), keyOf(weather, 1));
    assert.equal(messages.size, 1);
    // What is settled is settled: the next send is a new one.
    assert.equal((await send()).exitCode, 0);
    assert.notEqual(keyOf(weather, 2), keyOf(weather, 1));
  });

  const failures: Record<string, Script> = {
    'the workspace is busy': (_, response) =>
      json(response, 429, { code: 'rate_limited', title: 'later' }, { 'retry-after': '86400' }),
    'the token is refused': (_, response) => json(response, 401, { code: 'token_revoked', title: 'revoked' }),
    'the message is refused': (_, response) => json(response, 422, { code: 'input_invalid', title: 'no such number' }),
  };
  for (const [what, failing] of Object.entries(failures)) {
    test(`whose answer was lost stays unknown while ${what}: it is repeated under its first key, so it is one message`, async () => {
      const messages = new Map<string, unknown>();
      const honest = remembering(messages);
      let fails = false;
      const weather = await at((request, response, socket, count) => {
        if (fails) return failing(request, response, socket, count);
        if (count > 1) return honest(request, response, socket, count);
        messages.set(String(request.headers['idempotency-key']), answer());
        socket.destroy();
      });
      assert.equal((await send()).exitCode, 8);
      fails = true;
      const failed = await send();
      assert.equal(failed.exitCode, 8, failed.err);
      assert.match(failed.err, /may or may not have been sent at .*, and this repeat was not: /);
      assert.ok(failed.err.includes(String(keyOf(weather, 0)).replaceAll('"', '')), failed.err);
      fails = false;
      assert.equal((await send()).exitCode, 0);
      assert.equal(messages.size, 1);
    });
  }

  test('whose answer was lost keeps its key however many others are sent after it on that day', async () => {
    const honest = remembering(new Map());
    const weather = await at((request, response, socket, count) => {
      if (count === 1) socket.destroy();
      else honest(request, response, socket, count);
    });
    assert.equal((await send()).exitCode, 8);
    const outbox = join(folder, 'state', 'fn', 'outbox');
    const journal = join(outbox, readdirSync(outbox)[0] ?? '');
    const [entry = ''] = readFileSync(journal, 'utf8').split('\n');
    const { key, hash } = JSON.parse(entry);
    const other = `${entry.replace(key, 'key_other').replace(hash, 'other').replace('sending', 'done')}\n`;
    appendFileSync(journal, other.repeat(50_000));
    const { exitCode, err } = await send();
    assert.equal(exitCode, 0, err);
    assert.equal(keyOf(weather, 1), keyOf(weather, 0));
  });

  describe('that was killed is repeated under its first key', () => {
    /** Sends, is killed before the answer, and sends again. @param between is given the journal and the process id of the first send */
    async function twice(between: (journal: string, pid: number | undefined) => void) {
      const taken = Promise.withResolvers<void>();
      const honest = remembering(new Map());
      const weather = await at((request, response, socket, count) => {
        if (count === 1) taken.resolve();
        else honest(request, response, socket, count);
      });
      const argv = ['template', 'send', 'order_shipped', '--to', '+4930901820', '--body', 'Ann'];
      const { child, ended } = spawnFn(argv, { cwd: folder, env });
      child.stdin.end();
      await taken.promise;
      child.kill('SIGKILL');
      await ended;
      between(journalFile(), child.pid);
      const { exitCode, err } = await send();
      assert.equal(exitCode, 0, err);
      assert.equal(keyOf(weather, 1), keyOf(weather, 0));
    }
    const outbox = () => join(folder, 'state', 'fn', 'outbox');
    const journalFile = () => join(outbox(), readdirSync(outbox())[0] ?? '');

    test(
      'even if another process has its process id by now',
      {
        skip: process.platform !== 'linux' && 'only Linux tells when a process started',
      },
      () =>
        twice((journal, pid) => {
          writeFileSync(journal, readFileSync(journal, 'utf8').replace(`"pid":${pid}`, `"pid":${process.ppid}`));
        }),
    );

    test('even if a full disk had cut the line before it in the journal', async () => {
      mkdirSync(outbox(), { recursive: true });
      writeFileSync(join(outbox(), `${new Date().toISOString().slice(0, 10)}.jsonl`), '{"key":"cut');
      await twice(() => {});
    });
  });

  test('whose first try is a day old is a new one, however often it was repeated meanwhile', async () => {
    const weather = await at((_, __, socket) => void socket.destroy());
    const after = (hours: number) => {
      const clock = { now: () => Date.now() + hours * 3_600_000, monotonic: () => performance.now() };
      const argv = ['template', 'send', 'order_shipped', '--to', '+4930901820', '--body', 'Ann'];
      return runFn(argv, { cwd: folder, env, clock });
    };
    for (const hours of [0, 23, 25]) assert.equal((await after(hours)).exitCode, 8);
    assert.equal(keyOf(weather, 0), keyOf(weather, 1));
    assert.notEqual(keyOf(weather, 1), keyOf(weather, 2));
  });

  test('to an address where nobody listens ends with 7: certainly not sent', async () => {
    await at(() => {});
    env['FN_BASE_URL'] = `http://127.0.0.1:${deadPort}`;
    assert.equal((await send()).exitCode, 7);
  });

  test('that is answered 500, or by a web page, ends with 8', async () => {
    const { arrived } = await at((_, response, __, count) => {
      if (count === 1) return json(response, 500, { code: 'internal_error', title: 'bug' });
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<html>');
    });
    assert.equal((await send()).exitCode, 8);
    assert.equal((await send('--body', 'other')).exitCode, 8);
    assert.equal(arrived.length, 2);
  });

  test('that is refused says which variable, and ends with 1', async () => {
    await at((_, response) =>
      json(response, 422, {
        code: 'variables_invalid',
        title: 'x',
        errors: [{ path: 'variables.body[1]', message: 'is missing' }],
      }),
    );
    const { exitCode, err } = await send();
    assert.equal(exitCode, 1);
    assert.match(err, /--body: is missing/);
  });

  test('with a token that is refused ends with 4', async () => {
    await at((_, response) => json(response, 401, { code: 'token_revoked', title: 'The API token was revoked' }));
    const { exitCode, err } = await send();
    assert.equal(exitCode, 4);
    assert.match(err, /revoked/);
  });

  test('uploads the photo of its header by itself, without the token at a foreign address', async () => {
    const photo = Buffer.from('not really a photo');
    writeFileSync(join(folder, 'photo.jpg'), photo);
    const weather = await at((request, response) => {
      if (request.path.includes('upload-credentials')) {
        return json(response, 201, {
          mediaId: 'med_1',
          uploadUrl: `${weather.url}/elsewhere/med_1?signature=s`,
          method: 'PUT',
          headers: { 'content-type': 'image/jpeg' },
          expiresAt: '',
          maxBytes: 1e6,
        });
      }
      if (request.path.startsWith('/elsewhere')) return json(response, 200, {});
      json(response, 200, answer());
    });
    assert.equal((await send('--header', '@photo.jpg')).exitCode, 0);
    const [order, upload, message] = weather.arrived;
    assert.deepEqual(JSON.parse(order?.body ?? ''), {
      fileName: 'photo.jpg',
      contentType: 'image/jpeg',
      bytes: photo.length,
    });
    assert.equal(upload?.method, 'PUT');
    assert.equal(upload?.body, photo.toString());
    assert.equal(upload?.headers.authorization, undefined);
    assert.deepEqual(JSON.parse(message?.body ?? '').variables.header, { mediaId: 'med_1' });
  });

  test('is shown by --dry-run as it would go out, and nothing is sent', async () => {
    const template = {
      id: 'tpl_1',
      name: 'order_shipped',
      language: 'en',
      category: 'utility',
      status: 'approved',
      header: { format: 'image' },
      body: 'Hi {{1}}, order {{2}} is on its way',
      footer: 'Shop',
      buttons: [{ type: 'url', text: 'Track', url: 'https://shop.example/o/{{1}}' }],
      variables: { style: 'positional', body: ['1', '2'], header: [], buttons: [{ index: 0, type: 'url' }], cards: 0 },
    };
    const { arrived } = await at((_, response) => json(response, 200, { items: [template], nextCursor: null }));
    const good = await send(
      '--body',
      'A-17',
      '--header',
      'https://shop.example/p.jpg',
      '--button',
      '0=A-17',
      '--dry-run',
    );
    assert.equal(good.exitCode, 0);
    assert.match(good.out, /"body": \[\s*"Ann",\s*"A-17"\s*\]/);
    assert.match(good.out, /Hi Ann, order A-17 is on its way/);
    assert.match(good.out, /Track → https:\/\/shop\.example\/o\/A-17/);
    const bad = await send('--dry-run');
    assert.equal(bad.exitCode, 1);
    assert.match(bad.err, /--body is missing/);
    assert.ok(arrived.every(({ method }) => method === 'GET'));
  });

  test('with a key that is none is refused before anything is written down, and the next send is not held up by it', async () => {
    const { arrived } = await at(remembering(new Map()));
    for (const key of ['', 'a"b']) {
      const { exitCode, err } = await send('--idempotency-key', key);
      assert.equal(exitCode, 2);
      assert.match(err, /idempotency key is not valid/);
    }
    assert.equal(arrived.length, 0);
    const { exitCode, err } = await send();
    assert.deepEqual([exitCode, err.includes('repeating')], [0, false]);
  });

  test('never shows the token, in no output and with --debug', async () => {
    await at((_, response) => json(response, 422, { code: 'input_invalid', title: 'no', detail: 'no' }));
    for (const more of [[], ['--json'], ['--debug']]) {
      const { out, err } = await send(...more);
      assert.ok(!(out + err).includes('SECRETVALUE'));
    }
  });

  test('with --body and --var together is a usage error, and nothing is sent', async () => {
    const { arrived } = await at(remembering(new Map()));
    assert.equal((await send('--var', 'name=Ann')).exitCode, 2);
    assert.equal(arrived.length, 0);
  });
});

describe('Ctrl-C while a send is under way', () => {
  /** Sends to a workspace that takes the message and says nothing. @param again pressed again and again, as an impatient person would */
  async function interrupted(again: boolean) {
    const taken = Promise.withResolvers<void>();
    const { arrived } = await at(() => taken.resolve());
    const argv = ['template', 'send', 'order_shipped', '--to', '+4930901820', '--body', 'Ann'];
    const { child, ended } = spawnFn(argv, { cwd: folder, env });
    child.stdin.end();
    await taken.promise;
    const startedAt = performance.now();
    child.kill('SIGINT');
    const pressing = again ? setInterval(() => child.kill('SIGINT'), 100) : undefined;
    const how = await ended;
    clearInterval(pressing);
    return { ...how, arrived, ms: performance.now() - startedAt };
  }

  for (const [again, what] of [
    [false, 'once'],
    [true, 'twice'],
  ] as const) {
    test(`${what} ends with 8 and the key of the safe repeat: the message may have been sent`, async () => {
      const { exitCode, out, err, arrived, ms } = await interrupted(again);
      assert.equal(exitCode, 8, err);
      assert.equal(out, '');
      assert.equal(arrived.length, 1);
      assert.ok(err.includes(String(arrived[0]?.headers['idempotency-key']).replaceAll('"', '')), err);
      assert.ok(!err.includes(token));
      // The first waits five seconds for the answer that may still come; the second does not.
      if (again) assert.ok(ms < 5_000, `${Math.round(ms)} ms`);
    });
  }
});

describe('a list', () => {
  const list = (...lines: string[]) => writeFileSync(join(folder, 'list.csv'), ['to,1,2', ...lines].join('\n'));
  const sendList = (...more: string[]) =>
    fn('template', 'send', 'order_shipped', '--from-csv', 'list.csv', '--rate', '1000', ...more);
  const reportOf = (out: string) => JSON.parse(out.trim().split('\n').at(-1) ?? '{}');

  test('is sent line by line, and a second run sends nothing', async () => {
    const messages = new Map<string, unknown>();
    const { arrived } = await at(remembering(messages));
    list('+4930901820,Ann,A-1', '+4930901821,"Bo, the second",A-2');
    const first = await sendList('--json');
    assert.equal(first.exitCode, 0);
    assert.deepEqual(
      { ...reportOf(first.out), resume: '' },
      {
        type: 'report',
        outcome: 'done',
        total: 2,
        sent: 2,
        skipped: 0,
        refused: 0,
        unknown: 0,
        left: 0,
        resume: '',
        workspace: 'acme',
      },
    );
    assert.deepEqual(
      arrived.map(({ body }) => JSON.parse(body).variables.body),
      [
        ['Ann', 'A-1'],
        ['Bo, the second', 'A-2'],
      ],
    );
    const second = await sendList('--json');
    assert.equal(second.exitCode, 0);
    assert.equal(reportOf(second.out).skipped, 2);
    assert.equal(arrived.length, 2);
    assert.equal(statSync(join(folder, 'list.csv.resume.jsonl')).mode & 0o077, 0);
  });

  test('with losses ends with 10, and the repeat sends exactly the rest under the same keys', async () => {
    const messages = new Map<string, unknown>();
    const honest = remembering(messages);
    let bad = true;
    await at((request, response, socket, count) => {
      const to = JSON.parse(request.body).to;
      if (bad && to.endsWith('1')) {
        messages.set(String(request.headers['idempotency-key']), answer());
        return void socket.destroy();
      }
      if (bad && to.endsWith('2')) return json(response, 422, { code: 'recipient_invalid', title: 'no such number' });
      return honest(request, response, socket, count);
    });
    list('+4930901820,a,b', '+4930901821,a,b', '+4930901822,a,b');
    const first = await sendList('--json');
    assert.equal(first.exitCode, 10);
    const { outcome, sent: ok, refused, unknown } = reportOf(first.out);
    assert.deepEqual({ outcome, ok, refused, unknown }, { outcome: 'partial', ok: 1, refused: 1, unknown: 1 });
    bad = false;
    const second = await sendList('--json');
    assert.equal(second.exitCode, 0);
    assert.equal(messages.size, 3);
  });

  test('stopped by Ctrl-C in its middle says what is left, and the repeat sends exactly that', async () => {
    const messages = new Map<string, unknown>();
    const honest = remembering(messages);
    const stopping = new AbortController();
    await at((request, response, socket, count) => {
      if (count === 3) stopping.abort();
      return honest(request, response, socket, count);
    });
    const numbers = Array.from({ length: 40 }, (_, i) => `+49309018${i + 10},a,b`);
    list(...numbers);
    const argv = ['template', 'send', 'order_shipped', '--from-csv', 'list.csv', '--rate', '1000', '--json'];
    const first = await runFn(argv, { cwd: folder, env, signal: stopping.signal });
    const { outcome, sent: ok, left, unknown } = reportOf(first.out);
    assert.deepEqual([first.exitCode, outcome, unknown], [10, 'partial', 0], first.err);
    assert.equal(ok + left, 40);
    assert.equal(messages.size, ok, 'what was under way was waited for');
    assert.equal((await sendList()).exitCode, 0);
    assert.equal(messages.size, 40);
  });

  test('killed in its middle goes on where it was, and everybody gets one message', async () => {
    const messages = new Map<string, unknown>();
    const to = new Set<string>();
    const honest = remembering(messages);
    const third = Promise.withResolvers<void>();
    await at((request, response, socket, count) => {
      to.add(JSON.parse(request.body).to);
      if (count === 3) third.resolve();
      return honest(request, response, socket, count);
    });
    list(...Array.from({ length: 30 }, (_, i) => `+49309018${i + 10},a,b`));
    const argv = ['template', 'send', 'order_shipped', '--from-csv', 'list.csv', '--rate', '100'];
    const { child, ended } = spawnFn(argv, { cwd: folder, env });
    child.stdin.end();
    await third.promise;
    child.kill('SIGKILL');
    await ended;
    assert.ok(to.size < 30, 'it was in its middle');
    const again = await sendList();
    assert.equal(again.exitCode, 0, again.err);
    assert.deepEqual([to.size, messages.size], [30, 30]);
  });

  test('stopped when all were refused so far says how many', async () => {
    const third = Promise.withResolvers<void>();
    await at((_, response, __, count) => {
      if (count === 3) third.resolve();
      json(response, 422, { code: 'variables_invalid', title: 'no' });
    });
    list(...Array.from({ length: 30 }, (_, i) => `+49309018${i + 10},a,b`));
    const argv = ['template', 'send', 'order_shipped', '--from-csv', 'list.csv', '--rate', '20'];
    const { child, ended } = spawnFn(argv, { cwd: folder, env });
    child.stdin.end();
    await third.promise;
    child.kill('SIGTERM');
    const { exitCode, err } = await ended;
    assert.equal(exitCode, 143, err);
    assert.match(err, /0 sent, \d+ refused, 0 unknown, \d+ left, of 30\./);
  });

  test('whose outcome was unknown for a day is not sent again: the workspace would not know the key any more', async () => {
    const { arrived } = await at((_, __, socket) => void socket.destroy());
    list('+4930901820,a,b');
    const first = await sendList('--json');
    assert.deepEqual([first.exitCode, reportOf(first.out).outcome], [8, 'unknown'], first.err);
    const tomorrow = { now: () => Date.now() + 25 * 3_600_000, monotonic: () => performance.now() };
    const argv = ['template', 'send', 'order_shipped', '--from-csv', 'list.csv', '--json'];
    const late = await runFn(argv, { cwd: folder, env, clock: tomorrow });
    assert.equal(reportOf(late.out).unknown, 1);
    assert.match(late.out, /unknown_too_old/);
    assert.equal(arrived.length, 1);
  });

  test('repeated in vain is a day old by its first try, not by its last', async () => {
    const { arrived } = await at((_, __, socket) => void socket.destroy());
    list('+4930901820,a,b');
    const after = (hours: number) => {
      const clock = { now: () => Date.now() + hours * 3_600_000, monotonic: () => performance.now() };
      const argv = ['template', 'send', 'order_shipped', '--from-csv', 'list.csv', '--json'];
      return runFn(argv, { cwd: folder, env, clock });
    };
    for (const hours of [0, 20]) assert.equal((await after(hours)).exitCode, 8);
    assert.match((await after(25)).out, /unknown_too_old/);
    assert.equal(arrived.length, 2);
  });

  test('whose lines were lost, and refused when it was repeated, goes out once under the first keys', async () => {
    const messages = new Map<string, unknown>();
    const honest = remembering(messages);
    let run = 1;
    await at((request, response, socket, count) => {
      if (run === 2) return json(response, 401, { code: 'token_revoked', title: 'revoked' });
      if (run === 3) return honest(request, response, socket, count);
      messages.set(String(request.headers['idempotency-key']), answer());
      socket.destroy();
    });
    list('+4930901820,a,b', '+4930901821,a,b');
    for (; run <= 2; run++) {
      const { exitCode, out } = await sendList('--json');
      assert.equal(exitCode, 8);
      // A refused token ends the list, perhaps before the second line was begun again.
      const { unknown, left } = reportOf(out);
      assert.equal(unknown + left, 2);
    }
    assert.equal((await sendList()).exitCode, 0);
    assert.equal(messages.size, 2);
  });

  test('that was changed since is refused instead of being sent to the wrong people', async () => {
    const { arrived } = await at(remembering(new Map()));
    list('+4930901820,a,b');
    await sendList();
    list('+4930901899,a,b');
    assert.equal((await sendList()).exitCode, 9);
    assert.equal(arrived.length, 1);
  });

  test('with a broken line sends nothing at all', async () => {
    const { arrived } = await at(remembering(new Map()));
    list('+4930901820,a,b', '+4930901821,a');
    const { exitCode, err } = await sendList();
    assert.equal(exitCode, 2);
    assert.match(err, /list\.csv:3/);
    assert.equal(arrived.length, 0);
  });

  test('with the same line twice sends nothing at all; one number with two messages is two', async () => {
    const { arrived } = await at(remembering(new Map()));
    list('+4930901820,Ann,A-1', '+4930901821,Bo,A-2', '+49 (30) 901820,Ann,A-1');
    const { exitCode, err } = await sendList();
    assert.equal(exitCode, 2);
    assert.match(err, /line 4 is the same as line 2/);
    assert.equal(arrived.length, 0);
    list('+4930901820,Ann,A-1', '+4930901820,Ann,A-2');
    assert.equal((await sendList()).exitCode, 0);
    assert.equal(arrived.length, 2);
  });

  test('whose lines end in a carriage return alone is read, too; and one without recipients is refused', async () => {
    const { arrived } = await at(remembering(new Map()));
    writeFileSync(join(folder, 'list.csv'), 'to,1,2\r+4930901820,Ann,A-1\r+4930901821,Bo,A-2\r');
    assert.equal((await sendList()).exitCode, 0);
    assert.equal(arrived.length, 2);
    list();
    const { exitCode, err } = await sendList();
    assert.equal(exitCode, 2);
    assert.match(err, /no recipient/);
  });

  test('whose photo could not be uploaded for one line is uploaded for the next', async () => {
    writeFileSync(join(folder, 'photo.jpg'), 'not really a photo');
    let asked = 0;
    const weather = await at((request, response) => {
      if (request.path.includes('upload-credentials')) {
        if (++asked === 1) return json(response, 422, { code: 'media_refused', title: 'refused once' });
        const uploadUrl = `${weather.url}/elsewhere/med_1`;
        const credentials = { mediaId: 'med_1', uploadUrl, method: 'PUT', headers: {}, expiresAt: '', maxBytes: 1e6 };
        return json(response, 201, credentials);
      }
      json(response, 200, request.path.startsWith('/elsewhere') ? {} : answer());
    });
    list('+4930901820,a,b', '+4930901821,a,b', '+4930901822,a,b');
    const { exitCode, out } = await sendList('--header', '@photo.jpg', '--rate', '2', '--json');
    assert.equal(exitCode, 10);
    assert.deepEqual([reportOf(out).sent, reportOf(out).refused], [2, 1]);
  });

  test('stops when the token is refused instead of asking a thousand times', async () => {
    const { arrived } = await at((_, response) => json(response, 401, { code: 'token_revoked', title: 'revoked' }));
    list(...Array.from({ length: 200 }, (_, i) => `+49309018${String(i).padStart(4, '0')},a,b`));
    assert.equal((await sendList()).exitCode, 4);
    assert.ok(arrived.length <= 20, `${arrived.length} requests`);
  });
});

describe('a request to a path', () => {
  test('that writes and is answered 5xx leaves its outcome open', async () => {
    await at((_, response) => json(response, 502, { title: 'Bad gateway' }));
    const written = await fn('api', 'POST', '/customers', '-f', 'name=Ann', '--json');
    assert.equal(written.exitCode, 8, written.err);
    assert.match(written.err, /"outcome":"unknown"/);
  });
});

describe('a link', () => {
  test('is printed alone', async () => {
    const { arrived } = await at((_, response) =>
      json(response, 200, {
        conversationId: 'cnv_1',
        url: 'https://x/tenants/acme/conversations/cnv_1',
        customerId: 'cus_1',
        created: { customer: true, conversation: true },
      }),
    );
    const { exitCode, out } = await fn(
      'link',
      '--email',
      'ann@example.com',
      '--channel',
      'web-chat',
      '--assign',
      'wgr_1',
    );
    assert.equal(exitCode, 0);
    assert.equal(out, 'https://x/tenants/acme/conversations/cnv_1\n');
    assert.deepEqual(JSON.parse(arrived[0]?.body ?? ''), {
      email: 'ann@example.com',
      channel: 'web-chat',
      assign: { workgroupId: 'wgr_1' },
    });
  });

  test('needs exactly one of phone and e-mail', async () => {
    await at(() => {});
    assert.equal((await fn('link')).exitCode, 2);
    assert.equal((await fn('link', '--email', 'a@b.c', '--phone', '+4930901820')).exitCode, 2);
  });
});
