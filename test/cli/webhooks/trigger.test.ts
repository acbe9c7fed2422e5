import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const cwd = aFolder();
writeFileSync(join(cwd, 'fn.config.json'), '{"version": 1, "app": "shop"}');
const around = { cwd, env: { HOME: cwd, FN_TRUST: '1' } };
const trigger = (...argv: string[]) => runFn(['webhook', 'trigger', ...argv], around);
const eventOf = async (...argv: string[]) => {
  const { exitCode, out, err } = await trigger(...argv, '--json');
  assert.equal(exitCode, 0, err);
  return JSON.parse(out);
};

test('trigger writes the example of a kind, with what is given by flags, as JSON and by a saved event', async () => {
  const plain = await trigger('flow.published');
  assert.match(plain.out, /^evt_\S+\n$/);
  assert.match(plain.err, /nothing has happened.*as soon as "fn dev" runs/s);
  const { synthetic, data } = await eventOf('message.received', '-f', 'message.text=Hi', '-f', 'data.message.id=msg_1');
  assert.deepEqual([synthetic, data.message.text, data.message.id], [true, 'Hi', 'msg_1']);
  const fields = await eventOf('customer.updated', '-F', 'customer.fields={"tier": "new", "orders": 7}');
  assert.deepEqual(fields.data.customer.fields, { tier: 'new', orders: 7 });
  writeFileSync(join(cwd, 'saved.json'), JSON.stringify({ ...fields, type: 'customer.updated' }));
  const saved = await eventOf('customer.updated', '--input', 'saved.json', '-f', 'customer.name=Bo');
  assert.deepEqual([saved.data.customer.name, saved.data.customer.fields.orders], ['Bo', 7]);
});

test('what one step causes really happens, unless the example is asked for', async () => {
  const received = await eventOf('message.received', '-f', 'message.text=Where is it?');
  assert.deepEqual([received.synthetic ?? false, received.data.message.text], [false, 'Where is it?']);
  const { conversationId } = received;
  for (const kind of [
    'message.sent',
    'note.created',
    'conversation.assigned',
    'conversation.unassigned',
    'conversation.aiPaused',
    'conversation.closed',
    'conversation.reopened',
  ]) {
    const event = await eventOf(kind);
    assert.deepEqual([event.type, event.synthetic ?? false, event.conversationId], [kind, false, conversationId]);
  }
  for (const kind of ['customer.created', 'conversation.created'])
    assert.equal((await eventOf(kind)).synthetic, undefined);
  const { out } = await runFn(['api', 'messages.list', '-f', `conversationId=${conversationId}`, '--json'], around);
  assert.ok(JSON.parse(out).items.some(({ text }: { text: string }) => text === 'Where is it?'));
  assert.equal((await eventOf('message.received', '--synthetic')).synthetic, true);
});

test('trigger --repeat writes several events, one a line', async () => {
  const { out } = await trigger('note.created', '--repeat', '3');
  assert.equal(new Set(out.trim().split('\n')).size, 3);
});

for (const [argv, exitCode, code, says] of [
  [['message.recieved'], 1, 'event_unknown', /Did you mean message\.received/],
  [['message.received', '-f', 'message.txt=Hi'], 1, 'input_invalid', /data\.message\.txt/],
  [['message.received', '-f', 'text'], 2, 'field_invalid', /key=value/],
  [['message.received', '--input', 'nothing.json'], 2, 'data_unreadable', /nothing\.json/],
  [['message.received', '--repeat', '0'], 2, 'flag_invalid', /--repeat/],
] as const) {
  test(`fn webhook trigger ${argv.join(' ')} is refused with ${code}`, async () => {
    const { exitCode: ended, err } = await trigger(...argv, '--json');
    const { error } = JSON.parse(err);
    assert.deepEqual([ended, error.code], [exitCode, code]);
    assert.match(`${error.message} ${error.hint} ${JSON.stringify(error.errors ?? '')}`, says);
  });
}
