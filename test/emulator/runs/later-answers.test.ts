import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { after, describe, test } from 'node:test';
import type { Output } from '../../../src/contract/index.ts';
import { openAgentServer } from '../../agent/stand-ins/agent-server.ts';
import type { ServedRequest } from '../../agent/stand-ins/server.ts';
import { signWith } from '../../agent/stand-ins/signature.ts';
import { anEmulator, everyone } from '../an-emulator.ts';

type Run = Output<'aiAgentRuns.show'>;

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const here = await anEmulator({
  agents: { nora: { file: { instructions: 'Help.', tools: ['order_status'] } } },
  functions: {
    'tools/order-status': {
      config: {
        type: 'ai-tool',
        name: 'order_status',
        description: 'The status of an order',
        input: { type: 'object', properties: { orderId: { type: 'string' } }, required: ['orderId'] },
        permissions: { callers: { aiAgents: 'all' } },
      },
      body: "return sdk.tool.args.orderId + ' shipped';",
    },
  },
});
const door = here.emulator.door(everyone);

interface Answer {
  readonly status: number;
  readonly body: { readonly cancelRequested?: boolean; readonly expectedSeq?: number; readonly error?: string };
}

/** The server's side of one leg: what it sends, and what it hears. */
class Later {
  readonly request: ServedRequest;
  #seq = 0;

  constructor(request: ServedRequest) {
    this.request = request;
  }

  get ids() {
    const { runId, threadId } = this.request.body;
    return { runId, threadId };
  }

  batch(events: readonly object[], more: object = {}): string {
    const { leg } = this.request.body.forwardedProps.run;
    return JSON.stringify({ runId: this.ids.runId, leg, seq: ++this.#seq, events, ...more });
  }

  send(events: readonly object[], more: object = {}): Promise<Answer> {
    return this.post(this.batch(events, more));
  }

  async post(
    body: string,
    headers: Record<string, string> = signWith(secret, `b_${crypto.randomUUID()}`, body),
  ): Promise<Answer> {
    const { url } = this.request.body.forwardedProps.callback;
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  start = () => ({ type: 'RUN_STARTED', ...this.ids });
  finish = () => ({ type: 'RUN_FINISHED', ...this.ids });
}

const said = (text: string, messageId = 'm1') => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
  { type: 'TEXT_MESSAGE_END', messageId },
];

/** @returns what is answered to a request that announces a body and never sends it */
async function statusWithoutBody(url: string, headers: Record<string, string>): Promise<number | undefined> {
  const asked = request(url, { method: 'POST', headers: { ...headers, 'content-length': 1_000 } });
  asked.flushHeaders();
  const [response] = (await once(asked, 'response', { signal: AbortSignal.timeout(10_000) })) as [IncomingMessage];
  asked.on('error', () => {}).destroy();
  return response.statusCode;
}

/** Two of them are too much. */
const padding = 'x'.repeat(3 * 1024 * 1024);

const taken = { status: 200, body: { cancelRequested: false } };

/** Begins once the request of a leg has arrived; the server has answered 202 by then, or is about to. */
let work: (later: Later) => Promise<void> = async () => {};
let worker = Promise.resolve();
const server = await openAgentServer({
  secret,
  reply: async (request) => {
    worker = work(new Later(request));
    // A worker that fails says so where the test waits for it.
    worker.catch(() => {});
    return { later: true };
  },
});
after(() => server[Symbol.asyncDispose]());
await door('harnesses.add', { name: 'later', kind: 'custom', endpoint: server.url, secret });

async function start(does: typeof work, more: object = {}): Promise<string> {
  work = does;
  return (await door('aiAgentRuns.create', { agent: 'nora', harness: 'later', input: 'Where is A17?', ...more })).id;
}

async function run(does: typeof work, more: object = {}): Promise<Run> {
  const id = await start(does, more);
  await here.emulator.settled();
  await worker;
  return door('aiAgentRuns.show', { id });
}

describe('an agent that answers 202 and tells later', () => {
  test('says and does what it tells in its batches, leg after leg', async () => {
    const made = await run(async (later) => {
      const [result] = later.request.body.messages.flatMap(({ role, content }: { role: string; content: string }) =>
        role === 'tool' ? [content] : [],
      );
      assert.deepEqual(await later.send([later.start()]), taken);
      if (result !== undefined) {
        assert.deepEqual(await later.send([...said(`Done: ${result}`), later.finish()]), taken);
        return;
      }
      const call = [
        { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'order_status' },
        { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"orderId":"A17"}' },
        { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      ];
      await later.send(said('Let me look.'));
      await later.send([...call, later.finish()]);
    });
    assert.deepEqual([made.status, made.text], ['completed', 'Let me look.\n\nDone: "A17 shipped"']);
    assert.deepEqual(
      made.toolCalls.map(({ name, status }) => [name, status]),
      [['order_status', 'ok']],
    );
  });

  test('is told the number that is expected after a gap, and goes on from there', async () => {
    const made = await run(async (later) => {
      await later.send([later.start()]);
      const [second, third] = [later.batch(said('One.')), later.batch([later.finish()])];
      assert.deepEqual(await later.post(third), { status: 409, body: { expectedSeq: 2 } });
      assert.deepEqual(await later.post(second), taken);
      assert.deepEqual(await later.post(third), taken);
    });
    assert.deepEqual([made.status, made.text], ['completed', 'One.']);
  });

  test('may send a batch again, with its id or another one: it is taken once', async () => {
    const made = await run(async (later) => {
      await later.send([later.start()]);
      const batch = later.batch(said('One.'));
      const headers = signWith(secret, 'b_same', batch);
      for (let i = 0; i < 2; i++) assert.deepEqual(await later.post(batch, headers), taken);
      assert.deepEqual(await later.post(batch), taken);
      await later.send([later.finish()]);
    });
    assert.deepEqual([made.status, made.text], ['completed', 'One.']);
  });

  test('is refused without its signature, with another one, over another body, and when it is old', async () => {
    const made = await run(async (later) => {
      const batch = later.batch([later.start(), ...said('One.'), later.finish()]);
      const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
      const hourAgo = String(Math.floor(Date.now() / 1_000) - 3_600);
      for (const headers of [
        {},
        signWith(other, 'b_1', batch),
        signWith(secret, 'b_2', `${batch} `),
        { ...signWith(secret, 'b_3', batch), 'webhook-id': 'b_4' },
        { ...signWith(secret, 'b_5', batch), 'webhook-timestamp': hourAgo },
      ]) {
        const { status, body } = await later.post(batch, headers);
        assert.equal(status, 401);
        assert.doesNotMatch(JSON.stringify(body), /whsec_/);
      }
      // Nothing was taken of them: it is still the first one.
      assert.deepEqual(await later.post(batch), taken);
    });
    assert.deepEqual([made.status, made.text], ['completed', 'One.']);
  });

  test('is told what is wrong with a batch that is none', async () => {
    await run(async (later) => {
      for (const [batch, words] of [
        ['no json', /no JSON/],
        ['[]', /no object/],
        ['{"runId":"x","leg":1,"seq":0,"events":[]}', /no seq, counted from 1/],
        ['{"runId":"x","leg":1,"seq":1}', /no list of events/],
      ] as const) {
        const { status, body } = await later.post(batch);
        assert.equal(status, 400);
        assert.match(body.error ?? '', words);
      }
      await later.send([later.start(), ...said('One.'), later.finish()]);
    });
  });

  test('hears that it is over: after its end, of another leg, of another run', async () => {
    let first: Later | undefined;
    let statuses: number[] = [];
    await run(async (later) => {
      first = later;
      const others = [
        await later.post(later.batch([], { seq: 1, leg: 2 })),
        await later.post(later.batch([], { seq: 1, runId: 'run_01M8AN37EYGEKJQZVWPTTSBKG5' })),
        await later.post(later.batch([later.start(), ...said('One.'), later.finish()], { seq: 1 })),
      ];
      statuses = others.map(({ status }) => status);
    });
    assert.deepEqual(statuses, [410, 410, 200]);
    assert.ok(first);
    assert.equal((await first.send([])).status, 410);
    const { url } = first.request.body.forwardedProps.callback;
    const unknown = await fetch(url.replace(/run_\w+/, 'run_01M8AN37EYGEKJQZVWPTTSBKG5'), {
      method: 'POST',
      body: '{}',
    });
    assert.equal(unknown.status, 410);
    assert.equal((await fetch(url)).status, 405);
    assert.equal((await fetch(`${url}/more`, { method: 'POST' })).status, 404);
  });

  test('is refused before its body is read: without a signature, when it is old, and when it is over', async () => {
    const headers = signWith(secret, 'b_1', '');
    const hourAgo = String(Math.floor(Date.now() / 1_000) - 3_600);
    let ended: Later | undefined;
    await run(async (later) => {
      ended = later;
      const { url } = later.request.body.forwardedProps.callback;
      assert.equal(await statusWithoutBody(url, {}), 401);
      assert.equal(await statusWithoutBody(url, { ...headers, 'webhook-timestamp': hourAgo }), 401);
      await later.send([later.start(), ...said('One.'), later.finish()]);
    });
    assert.ok(ended);
    const { url } = ended.request.body.forwardedProps.callback;
    assert.equal(await statusWithoutBody(url, headers), 410);
    assert.equal(await statusWithoutBody(url.replace(/run_\w+/, 'run_01M8AN37EYGEKJQZVWPTTSBKG5'), headers), 410);
  });

  test('hears of a cancel with its next batch, and then that it is over', async () => {
    const begun = Promise.withResolvers<Later>();
    const id = await start(async (later) => {
      await later.send([later.start(), ...said('One.')]);
      begun.resolve(later);
    });
    const later = await begun.promise;
    await door('aiAgentRuns.cancel', { id });
    await here.emulator.settled();
    assert.deepEqual(await later.send(said('Two.', 'm2')), { status: 200, body: { cancelRequested: true } });
    assert.equal((await later.send([later.finish()])).status, 410);
    const made = await door('aiAgentRuns.show', { id });
    assert.equal(made.status, 'cancelled');
    assert.doesNotMatch(JSON.stringify(made), /Two\./);
  });

  test('is stopped by the time of the budget when it tells nothing', async () => {
    const made = await run(async () => {}, { budget: { maxSeconds: 1 } });
    assert.deepEqual([made.status, made.budgetExceeded], ['failed', 'time']);
  });

  test('is refused more than 5 MiB in a leg, and the run fails', async () => {
    const made = await run(async (later) => {
      assert.deepEqual(await later.send([], { padding }), taken);
      assert.equal((await later.send([], { padding })).status, 413);
    });
    assert.deepEqual([made.status, made.error?.code], ['failed', 'harness_reply_too_large']);
  });

  test('is refused more than 5 MiB, too, when it answers at once and nobody reads them', async () => {
    const statuses: number[] = [];
    await using both = await openAgentServer({
      secret,
      reply: async (request) => {
        const later = new Later(request);
        for (let i = 0; i < 3; i++)
          statuses.push((await later.post(later.batch([], { seq: Math.min(i, 1) + 1, padding }))).status);
        return [later.start(), ...said('One.'), later.finish()];
      },
    });
    await door('harnesses.add', { name: 'both', kind: 'custom', endpoint: both.url, secret });
    const made = await run(async () => {}, { harness: 'both' });
    assert.deepEqual(statuses, [200, 413, 413]);
    assert.deepEqual([made.status, made.text], ['completed', 'One.']);
  });

  test('needs a secret to sign with', async () => {
    await using plain = await openAgentServer({ reply: () => ({ later: true }) });
    await door('harnesses.add', { name: 'plain', kind: 'custom', endpoint: plain.url, unsigned: true });
    const made = await run(async () => {}, { harness: 'plain' });
    assert.equal(made.error?.code, 'harness_protocol');
    assert.match(made.error?.message ?? '', /needs a signing secret/);
  });
});
