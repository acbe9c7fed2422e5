import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolCaller } from '../../../src/emulator/index.ts';
import { anEmulator, everyone, type Functions } from '../an-emulator.ts';

/** An AI Tool with an echo, unless its body says otherwise. */
const tool = (name: string, config: Record<string, unknown> = {}, body = 'return { got: sdk.tool.args };') => ({
  config: {
    type: 'ai-tool',
    name,
    description: `The tool ${name}`,
    input: {
      type: 'object',
      properties: { orderId: { type: 'string' }, iban: { type: 'string' } },
      additionalProperties: false,
    },
    permissions: { callers: { aiAgents: ['nora'], code: true } },
    ...config,
  },
  body,
});

const functions: Functions = {
  'tools/echo': tool('echo'),
  'tools/refund': tool('refund', { confirm: 'human', log: { redact: ['iban'] } }),
};

const { emulator } = await anEmulator({ functions });
const door = emulator.door(everyone);

const nora: ToolCaller = { kind: 'aiAgent', app: 'shop', name: 'nora' };

test('a permitted agent gets the result of the tool, and the log has one line of it', async () => {
  const answer = await emulator.tools.callTool({
    name: 'echo',
    arguments: { orderId: 'A-1' },
    caller: nora,
    runId: 'run_1',
  });
  assert.equal(answer.status, 'ok', answer.content);
  assert.deepEqual(answer.result, { got: { orderId: 'A-1' } });
  const { items } = await door('tools.logs', {});
  assert.equal(items.length, 1);
  assert.deepEqual(items[0]?.caller, { type: 'aiAgent', id: 'shop/nora' });
  assert.equal(items[0]?.status, 'ok');
});

test('an agent that is not named is refused, and so are arguments against the schema', async () => {
  const other = await emulator.tools.callTool({ name: 'echo', arguments: {}, caller: { ...nora, name: 'otto' } });
  assert.equal(other.error?.code, 'tool_forbidden');
  const wrong = await emulator.tools.callTool({ name: 'echo', arguments: { orderId: 7 }, caller: nora });
  assert.equal(wrong.error?.code, 'tool_invalid_arguments');
  assert.match(wrong.error?.message ?? '', /orderId/);
});

test('a call of a run waits for its confirmation, wakes the run, and is done once', async () => {
  const request = {
    name: 'refund',
    arguments: { orderId: 'A-1', iban: 'DE89370400440532013000' },
    caller: nora,
    runId: 'run_1',
    toolCallId: 'tlc_1',
  };
  const asked = await emulator.tools.callTool(request);
  assert.equal(asked.status, 'awaitingConfirmation');
  const id = asked.confirmationId ?? '';
  assert.deepEqual((await door('confirmations.show', { id })).arguments, request.arguments);
  await door('confirmations.answer', { id, answer: 'allow' });
  const done = await emulator.tools.callTool(request);
  assert.equal(done.status, 'ok', done.content);
  assert.deepEqual(await emulator.tools.callTool(request), done);
  const { items } = await door('tools.logs', { id: 'tlc_1' });
  assert.equal(items.length, 1);
  assert.deepEqual(items[0]?.arguments, { orderId: 'A-1', iban: '[redacted]' });
  assert.deepEqual(items[0]?.result, { got: { orderId: 'A-1', iban: '[redacted]' } });
});

test('a call without a run says that it needs a confirmation, and is carried out once when it is allowed', async () => {
  const call = () => door('tools.call', { name: 'refund', arguments: { orderId: 'A-2' } });
  const first = await call();
  assert.equal(first.error?.code, 'tool_confirmation_required');
  assert.deepEqual(await call(), first);
  await door('confirmations.answer', { id: first.confirmationId ?? '', answer: 'allow' });
  await emulator.settled();
  const second = await call();
  assert.equal(second.status, 'ok');
  assert.equal(second.callId, first.callId);
  assert.deepEqual(
    (await door('confirmations.show', { id: first.confirmationId ?? '' })).outcome?.result,
    second.result,
  );
  assert.equal((await door('tools.logs', { id: first.callId })).items.length, 1);
});
