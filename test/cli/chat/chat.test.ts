import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { App } from '../../flows/app.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { type Around, runFn } from '../context.ts';

/** An app with a flow that was just made, in a folder of its own. */
async function anApp() {
  const root = temporaryFolder('chat');
  const cwd = join(root, 'shop');
  const env = { HOME: root };
  const made = await runFn(['init', 'support', '--type', 'flow', '--app', cwd, '--yes'], { cwd: root, env });
  assert.equal(made.exitCode, 0, made.err);
  const fn = (argv: readonly string[], around: Around = {}) => runFn(argv, { cwd, env, ...around });
  const chat = async (...argv: string[]) => {
    const { exitCode, out, err } = await fn(['chat', ...argv, '--wait', '--json']);
    assert.equal(exitCode, 0, err);
    return JSON.parse(out);
  };
  return { fn, chat };
}

test('a new app with a flow answers a customer at once, hands over to a person, and answers again when it is handed back', async () => {
  const { chat } = await anApp();
  const first = await chat('--send', 'Where is A-1017?');
  assert.deepEqual(
    first.messages.map(({ author, text }: { author: string; text: string }) => [author, text]),
    [['aiAgent', 'Order A-1017 is on its way.']],
  );
  const hours = await chat('--send', 'Are you open?');
  assert.deepEqual(hours.messages[0].quickReplies, [{ id: 'person', title: 'I want a person' }]);
  const tapped = await chat('--send', 'I want a person');
  assert.deepEqual(tapped.handover.by.type, 'aiAgent');
  assert.match(tapped.handover.assignee.workgroupId, /^wgr_/);
  const person = await chat('--desk', '--agent', 'jana.winter@nordwind.example', '--send', 'Hello, I am Jana.');
  assert.deepEqual([person.conversationId, person.messages], [first.conversationId, []]);
  assert.deepEqual((await chat('--send', 'And where is A-1018?')).messages, []);
  const back = await chat('--desk', '--send', '/back');
  assert.deepEqual(
    back.messages.map(({ text }: { text: string }) => text),
    ['Order A-1018 is on its way.'],
  );
  assert.equal(back.handover, undefined);
});

test('a person who writes takes the conversation over: the AI does not answer any more', async () => {
  const { chat } = await anApp();
  await chat('--send', 'Where is A-1017?');
  const taken = await chat('--desk', '--agent', 'jana.winter@nordwind.example', '--send', 'This is Jana.');
  assert.equal(taken.handover.by.type, 'agent');
  assert.deepEqual((await chat('--send', 'Where is A-1018?')).messages, []);
});

test('the answer of fn chat --send --wait is printed as text, and what is not said goes to standard error', async () => {
  const { fn } = await anApp();
  const answered = await fn(['chat', '--new', '--send', 'Are you open?', '--wait']);
  assert.deepEqual(
    [answered.exitCode, answered.out],
    [0, 'We are here on weekdays from 9 to 17.\n  1 I want a person\n'],
  );
  const handed = await fn(['chat', '--new', '--send', 'I want a person', '--wait']);
  assert.deepEqual([handed.exitCode, handed.out], [0, '']);
  assert.match(handed.err, /People answer here: The customer asked for a person/);
});

test('without --wait the message is there, and is answered later', async () => {
  const { fn, chat } = await anApp();
  const { exitCode, out, err } = await fn(['chat', '--send', 'Where is A-1017?']);
  assert.deepEqual([exitCode, out.startsWith('cnv_')], [0, true]);
  assert.match(err, /fn dev/);
  assert.deepEqual((await chat('--send', 'Where is A-1018?')).messages.at(-1).text, 'Order A-1018 is on its way.');
});

test('a wait that is too short ends with 6', async () => {
  const { fn } = await anApp();
  const { exitCode, err } = await fn(['chat', '--send', 'Where is A-1017?', '--wait', '--timeout', '1ms', '--json']);
  assert.deepEqual([exitCode, JSON.parse(err).error.code], [6, 'chat_timeout']);
});

const { fn } = await anApp();
for (const [argv, exitCode, code] of [
  [[], 2, 'value_missing'],
  [['--send', ' '], 2, 'value_missing'],
  [['--send', '/allow'], 2, 'value_invalid'],
  [['--wait'], 2, 'options_conflict'],
  [['--new', '--as', '+4930901820', '--send', 'x'], 2, 'options_conflict'],
  [['--agent', 'jana.winter@nordwind.example', '--send', 'x'], 2, 'options_conflict'],
  [['--send', 'x', '--timeout', '5s'], 2, 'options_conflict'],
  [['--send', 'x', '--wait', '--timeout', 'soon'], 2, 'time_invalid'],
  [['--desk', '--agent', 'nobody@x.example', '--send', 'x'], 2, 'agent_unknown'],
  [['--desk', '--as', '+4930901899', '--send', 'x'], 2, 'conversation_not_found'],
  [['--desk', '--send', '/allow'], 1, 'confirmation_not_found'],
  [['--as', 'nobody', '--send', 'x'], 1, undefined],
  [['--channel', 'fax', '--send', 'x'], 1, undefined],
] as const) {
  test(`fn chat ${argv.join(' ')} is refused with ${exitCode}`, async () => {
    const refused = await fn(['chat', ...argv, '--json']);
    assert.equal(refused.exitCode, exitCode, refused.err);
    if (code !== undefined) assert.equal(JSON.parse(refused.err).error.code, code);
  });
}

test('a flow that fails ends the wait with 5, and is named with the way to its run', async () => {
  const failing = {
    nodes: {
      start: { type: 'trigger', on: 'message.received', next: 'look' },
      look: { type: 'custom-flow-node', function: 'look', outcomes: { found: 'end' } },
      end: { type: 'end' },
    },
  };
  const app = new App({
    'flows/failing.json': JSON.stringify(failing),
    'functions/look.js': `export const config = { type: 'custom-flow-node', title: 'Look', outcomes: ['found'] };
export default async () => { throw new Error('no shop today'); };\n`,
  });
  const chat = (...more: string[]) =>
    runFn(['chat', '--send', 'Hello', '--wait', ...more], { cwd: app.root, env: { HOME: app.root } });
  const { exitCode, out, err } = await chat('--json');
  assert.equal(exitCode, 5, err);
  const { error } = JSON.parse(out);
  assert.match(error.message, /^failing at look: .*no shop today/);
  assert.match(error.hint, /^fn flow show flr_/);
  const told = await chat();
  assert.equal(told.exitCode, 5);
  assert.match(told.err, /no shop today\n {2}fn flow show flr_/);
});

test('a conversation is saved as a test, once, and nothing is said', async () => {
  const { fn, chat } = await anApp();
  const none = await fn(['chat', '--save-test', 'mine', '--json']);
  assert.deepEqual([none.exitCode, JSON.parse(none.err).error.code], [9, 'test_unsavable']);
  const { conversationId } = await chat('--send', 'Where is A-1017?');
  const saved = await fn(['chat', '--save-test', 'where-is-it', '--json']);
  assert.deepEqual(JSON.parse(saved.out), { conversationId, file: 'test/where-is-it.test.js' });
  const again = await fn(['chat', '--save-test', 'where-is-it', '--json']);
  assert.equal(JSON.parse(again.err).error.code, 'test_unsavable');
  const both = await fn(['chat', '--save-test', 'a', '--send', 'hello', '--json']);
  assert.equal(JSON.parse(both.err).error.code, 'options_conflict');
  const where = await fn(['chat', '--save-test', 'a', '--channel', 'sms', '--json']);
  assert.equal(JSON.parse(where.err).error.code, 'options_conflict');
  assert.match(JSON.parse(where.err).error.message, /--channel .* with --as/);
  const shown = await fn(['test', 'test/where-is-it.test.js']);
  assert.equal(shown.exitCode, 0, shown.out);
});
