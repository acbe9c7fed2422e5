import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReadLine, readLine } from '../../../src/cli/chat/read-line.ts';

const replies = [
  { id: 'yes', title: 'Yes, please' },
  { id: 'no', title: 'No' },
];
const act = (given: Extract<ReadLine, { type: 'act' }>['act']) => ({ type: 'act', act: given });

for (const [line, expected] of [
  ['2', act({ type: 'tap', quickReplyId: 'no' })],
  ['Yes, please', act({ type: 'tap', quickReplyId: 'yes' })],
  ['3', act({ type: 'say', text: '3' })],
  ['  hello ', act({ type: 'say', text: 'hello' })],
  ['//path', act({ type: 'say', text: '/path' })],
  ['/quit', { type: 'quit' }],
  [' ', { type: 'nothing' }],
] as const) {
  test(`a customer who types "${line}" does ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(readLine('customer', line, replies), expected);
  });
}

for (const [line, expected] of [
  ['1', act({ type: 'say', text: '1' })],
  ['/allow', act({ type: 'answer', answer: 'allow' })],
  ['/deny not before Monday', act({ type: 'answer', answer: 'deny', reason: 'not before Monday' })],
  ['/back', act({ type: 'back' })],
] as const) {
  test(`a person at the desk who types "${line}" does ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(readLine('desk', line, replies), expected);
  });
}

test('a command that is not there is not sent as text', () => {
  const read = readLine('customer', '/allow', replies);
  assert.equal(read.type, 'wrong');
  assert.match(read.type === 'wrong' ? read.why : '', /There is no \/allow here.*\/quit/);
});
