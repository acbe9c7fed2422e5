import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastWordsIn } from '../../src/sandbox/child-process.ts';

test('of what V8 prints before it aborts only its sentence is told', () => {
  const aborted = `

#
# Fatal process out of memory: Failed to reserve virtual memory for CodeRange
#
----- Native stack trace -----

 1: 0x9dde61  [node]
`;
  assert.equal(lastWordsIn(aborted), 'Fatal process out of memory: Failed to reserve virtual memory for CodeRange');
  const tooLarge =
    '\n\n#\n# Fatal error in , line 0\n# Fatal JavaScript invalid size error 169220804\n#\n#\n#\n#FailureMessage Object: 0x7ffe';
  assert.equal(lastWordsIn(tooLarge), 'Fatal JavaScript invalid size error 169220804');
  const collected = '<--- Last few GCs --->\n\nFATAL ERROR: Reached heap limit\n----- Native stack trace -----\n';
  assert.equal(lastWordsIn(collected), 'FATAL ERROR: Reached heap limit');
});

test('other words are told as they are', () => {
  assert.equal(lastWordsIn('node: bad option: --permission\n'), 'node: bad option: --permission');
  assert.equal(lastWordsIn(''), '');
});
