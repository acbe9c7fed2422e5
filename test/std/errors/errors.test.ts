import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FnError,
  FunctionError,
  LimitError,
  messageOf,
  ProjectError,
  UsageError,
  WorkspaceError,
} from '../../../src/std/index.ts';

test('an error carries its code, hint, place and cause, and the name of its kind', () => {
  const cause = new Error('below');
  const error = new ProjectError('json_broken', 'fn.config.json is no JSON', {
    hint: 'Correct it.',
    location: { file: 'fn.config.json', line: 2 },
    cause,
  });
  assert.ok(error instanceof FnError);
  assert.equal(error.name, 'ProjectError');
  assert.equal(error.code, 'json_broken');
  assert.equal(error.hint, 'Correct it.');
  assert.deepEqual(error.location, { file: 'fn.config.json', line: 2 });
  assert.equal(error.cause, cause);
});

test('without a cause there is none, not even an empty one', () => {
  assert.equal('cause' in new UsageError('usage', 'Wrong'), false);
});

test('what a loop waits for before it tries again depends on the kind', () => {
  assert.equal(new ProjectError('a', 'a').retryAfter, 'file-change');
  assert.equal(new LimitError('a', 'a').retryAfter, 'never');
  assert.equal(new FunctionError('function_failed', 'a').retryAfter, 'file-change');
  assert.equal(new FunctionError('function_crashed', 'a').retryAfter, 'pause');
});

for (const [status, exitCode, meaning] of [
  [400, 1, 'refused'],
  [401, 4, 'not logged in'],
  [403, 4, 'not allowed'],
  [404, 1, 'not there'],
  [409, 9, 'somebody was faster'],
  [412, 9, 'it has changed since'],
  [429, 7, 'too many requests'],
  [503, 7, 'busy'],
] as const) {
  test(`a refusal with status ${status} (${meaning}) ends a command with ${exitCode}`, () => {
    assert.equal(new WorkspaceError('code', status, 'No').exitCode, exitCode);
  });
}

test('anything that was thrown has a message', () => {
  assert.equal(messageOf(new Error('so')), 'so');
  assert.equal(messageOf('so'), 'so');
  assert.equal(messageOf(undefined), 'undefined');
});
