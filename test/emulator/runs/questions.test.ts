import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Output } from '../../../src/contract/index.ts';
import { openAgentServer } from '../../agent/stand-ins/agent-server.ts';
import { anEmulator, everyone } from '../an-emulator.ts';

type Run = Output<'aiAgentRuns.show'>;

const question = { id: 'int_1', reason: 'approval', message: 'Refund 20 EUR?', responseSchema: { type: 'object' } };
const second = { id: 'int_2', reason: 'approval', message: 'In which currency?' };
/** Has more time than the first one. */
const patient = () => ({ ...second, expiresAt: new Date(here.clock.now() + 3 * 86_400_000).toISOString() });

function questionsFor(asked: string): object[] {
  switch (asked) {
    case 'two':
      return [question, second];
    case 'patient':
      return [question, patient()];
    case 'many':
      return Array.from({ length: 17 }, (_, n) => ({ id: `int_${n}` }));
    case 'large':
      return [{ id: 'int_1', message: 'x'.repeat(17 * 1024) }];
    default:
      return [question];
  }
}

/** Asks before it answers: one question, or two when it is told to. */
const server = await openAgentServer({
  reply({ body: { runId, threadId, resume, messages } }) {
    const interrupts = questionsFor(messages.at(-1).content);
    const text = (id: string, delta: string) => [
      { type: 'TEXT_MESSAGE_START', messageId: id, role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: id, delta },
      { type: 'TEXT_MESSAGE_END', messageId: id },
    ];
    return [
      { type: 'RUN_STARTED', runId, threadId },
      ...(resume === undefined
        ? [{ type: 'RUN_FINISHED', runId, threadId, outcome: { type: 'interrupt', interrupts } }]
        : [...text('m1', `Answered ${JSON.stringify(resume)}`), { type: 'RUN_FINISHED', runId, threadId }]),
    ];
  },
});
const here = await anEmulator({});
const door = here.emulator.door(everyone);
await door('harnesses.add', { name: 'asks', kind: 'custom', endpoint: server.url, unsigned: true });
after(() => server[Symbol.asyncDispose]());

async function worked(id: string): Promise<Run> {
  await here.emulator.settled();
  return door('aiAgentRuns.show', { id });
}

async function asked(input = 'one'): Promise<Run> {
  const { id } = await door('aiAgentRuns.create', { harness: 'asks', instructions: 'Refund.', input });
  return worked(id);
}

describe('a question of an agent', () => {
  test('makes the run wait, and shows what is asked', async () => {
    const askedAt = here.clock.now();
    const { status, waitingFor, endedAt } = await asked();
    assert.equal(status, 'waiting');
    assert.equal(endedAt, null);
    const expiresAt = waitingFor[0]?.expiresAt ?? '';
    assert.ok(Date.parse(expiresAt) >= askedAt + 15 * 60_000);
    assert.deepEqual(waitingFor, [
      {
        id: 'int_1',
        kind: 'agent',
        message: 'Refund 20 EUR?',
        toolCallId: null,
        responseSchema: { type: 'object' },
        expiresAt,
      },
    ]);
  });

  test('is answered by a person, and the agent reads the answer', async () => {
    const { id } = await asked();
    const answered = await door('aiAgentRuns.answer', { id, payload: { approved: true } });
    assert.deepEqual([answered.status, answered.waitingFor], ['queued', []]);
    const run = await worked(id);
    assert.equal(run.status, 'completed');
    assert.equal(run.text, 'Answered [{"interruptId":"int_1","status":"resolved","payload":{"approved":true}}]');
  });

  test('is answered by its id where there are two, and the run waits for both', async () => {
    const { id } = await asked('two');
    await assert.rejects(door('aiAgentRuns.answer', { id, payload: 1 }), {
      code: 'interrupt_not_found',
      message: `${id} waits for int_1, int_2`,
    });
    const first = await door('aiAgentRuns.answer', { id, interruptId: 'int_2', payload: 'EUR' });
    assert.deepEqual([first.status, first.waitingFor.map((one) => one.id)], ['waiting', ['int_1']]);
    assert.equal((await worked(id)).status, 'waiting');
    await door('aiAgentRuns.answer', { id, status: 'cancelled' });
    assert.match(
      (await worked(id)).text ?? '',
      /"int_2","status":"resolved","payload":"EUR".*"int_1","status":"cancelled"/,
    );
  });

  test('that nobody answers in time counts as cancelled, and the run goes on', async () => {
    const { id } = await asked();
    here.clock.advance(15 * 60_000);
    const run = await worked(id);
    assert.equal(run.text, 'Answered [{"interruptId":"int_1","status":"cancelled","payload":null}]');
  });

  test('with more time stays open when another one expires', async () => {
    const { id } = await asked('patient');
    here.clock.advance(15 * 60_000);
    const run = await worked(id);
    assert.deepEqual([run.status, run.waitingFor.map((one) => one.id)], ['waiting', ['int_2']]);
    here.clock.advance(3 * 86_400_000);
    assert.match((await worked(id)).text ?? '', /"int_1","status":"cancelled".*"int_2","status":"cancelled"/);
  });

  test('is one of at most 16, and of 16 KiB: more breaks the protocol', async () => {
    assert.equal((await asked('many')).error?.code, 'harness_protocol');
    assert.equal((await asked('large')).error?.code, 'harness_protocol');
  });

  test('takes an answer of at most 64 KiB', async () => {
    const { id } = await asked();
    await assert.rejects(door('aiAgentRuns.answer', { id, payload: 'x'.repeat(65 * 1024) }), { code: 'input_invalid' });
  });

  test('is no longer open once the run was cancelled', async () => {
    const { id } = await asked();
    await door('aiAgentRuns.cancel', { id });
    here.clock.advance(15 * 60_000);
    assert.equal((await worked(id)).status, 'cancelled');
    await assert.rejects(door('aiAgentRuns.answer', { id, payload: 1 }), {
      code: 'run_not_waiting',
      message: `${id} does not wait for an answer: it is cancelled`,
    });
  });

  test('cannot be answered twice', async () => {
    const { id } = await asked();
    await door('aiAgentRuns.answer', { id, payload: 1 });
    await assert.rejects(door('aiAgentRuns.answer', { id, payload: 2 }), { code: 'run_not_waiting' });
  });
});
