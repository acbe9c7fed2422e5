import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorJson, errorText, exitCodeOf } from '../../../src/cli/failures/report.ts';
import { styleFor } from '../../../src/cli/terminal/style.ts';
import {
  AccessError,
  ConflictError,
  FunctionError,
  InterruptedError,
  LimitError,
  MachineError,
  ProjectError,
  UnknownOutcomeError,
  UnreachableError,
  UsageError,
  WorkspaceError,
} from '../../../src/std/index.ts';

const plain = styleFor(false);
const circumstances = { version: '1.2.3', command: 'invoke', debug: false };

const codes: [error: Error, exitCode: number, outcome: string | undefined][] = [
  [new WorkspaceError('customer_not_found', 404, 'no'), 1, 'not_done'],
  [new MachineError('port_taken', 'no'), 1, 'not_done'],
  [new UsageError('flag_unknown', 'no'), 2, 'not_done'],
  [new ProjectError('config_broken', 'no'), 2, 'not_done'],
  [new AccessError('login_missing', 'no'), 4, 'not_done'],
  [new WorkspaceError('token_invalid', 401, 'no'), 4, 'not_done'],
  [new WorkspaceError('token_scope', 403, 'no'), 4, 'not_done'],
  [new FunctionError('function_failed', 'no'), 5, undefined],
  [new LimitError('function_timeout', 'no'), 6, undefined],
  [new UnreachableError('unreachable', 'no'), 7, 'not_done'],
  [new WorkspaceError('rate_limited', 429, 'no'), 7, 'not_done'],
  [new UnknownOutcomeError('outcome_unknown', 'no'), 8, 'unknown'],
  [new ConflictError('version_conflict', 'no'), 9, 'not_done'],
  [new WorkspaceError('version_conflict', 412, 'no'), 9, 'not_done'],
  [new TypeError('x is not a function'), 70, undefined],
  [new InterruptedError('interrupted', 'no'), 130, undefined],
];
for (const [error, exitCode, outcome] of codes) {
  test(`${error.constructor.name} ${'code' in error ? error.code : ''} ends with ${exitCode}, and says so in JSON`, () => {
    assert.equal(exitCodeOf(error), exitCode);
    const { error: shown } = JSON.parse(errorJson(error, circumstances));
    assert.equal(shown.exitCode, exitCode);
    assert.equal(shown.outcome, outcome);
  });
}

test('an error in a source file shows the place, the line and a caret below the column', () => {
  const error = new ProjectError('build_failed', 'Expected ";"', {
    hint: 'Correct it and save.',
    location: { file: 'functions/a.js', line: 12, column: 5, text: 'let a b;' },
  });
  assert.equal(
    errorText(error, plain, circumstances),
    ['error Expected ";"', '  functions/a.js:12:5', '  12 | let a b;', '     |     ^', '→ Correct it and save.'].join(
      '\n',
    ),
  );
});

test('an error far along a long line shows the part around it', () => {
  const text = `${'x'.repeat(500)}BAD${'y'.repeat(500)}`;
  const shown = errorText(
    new ProjectError('a', 'b', { location: { file: 'f.js', line: 1, column: 501, text } }),
    plain,
    circumstances,
  );
  const [, , source = '', caret = ''] = shown.split('\n');
  assert.ok(source.length < 200);
  assert.equal(source.slice(caret.indexOf('^')).slice(0, 3), 'BAD');
});

test('every field that is wrong is named', () => {
  const error = new WorkspaceError('variables_invalid', 422, 'The variables do not fit', {
    errors: [
      { path: 'variables.body[0]', message: 'is missing' },
      { path: 'variables.header', message: 'is too long' },
    ],
  });
  assert.match(
    errorText(error, plain, circumstances),
    /variables\.body\[0\]: is missing\n\s+variables\.header: is too long/,
  );
});

test('what else is wrong with an input stands below the message, which has named the first', () => {
  const error = new WorkspaceError('input_invalid', 422, 'customers.find – phon: is not a known field (and 1 more)', {
    errors: [
      { path: 'phon', message: 'is not a known field' },
      { path: '', message: 'give phone or email' },
    ],
  });
  const text = 'error customers.find – phon: is not a known field (and 1 more)\n  give phone or email';
  assert.equal(errorText(error, plain, circumstances), text);
});

test('a problem in the very words of the message is not said again', () => {
  const message = 'There is no event "message.recieved"';
  const error = new WorkspaceError('event_unknown', 422, message, { errors: [{ path: 'type', message }] });
  assert.equal(errorText(error, plain, circumstances), `error ${message}`);
});

test('what a workspace does not have is answered with where all of its kind are listed', () => {
  const missing = new WorkspaceError('channel_not_found', 404, 'There is no channel sms');
  assert.equal(errorText(missing, plain, circumstances), 'error There is no channel sms\n→ See: fn channel list');
  assert.equal(JSON.parse(errorJson(missing, circumstances)).error.hint, 'See: fn channel list');
  const knowing = new WorkspaceError('channel_not_found', 404, 'There is no channel sms', { hint: 'Ask Ann.' });
  assert.match(errorText(knowing, plain, circumstances), /→ Ask Ann\.$/);
});

test('text of a server cannot move the cursor', () => {
  const error = new WorkspaceError('x', 400, 'a\u001b[2Jb', { hint: '\u001b]0;title\u0007c' });
  assert.equal(errorText(error, plain, circumstances), 'error ab\n→ c');
});

test('a stack trace is shown for a bug, and else only with --debug', () => {
  const expected = new UsageError('a', 'b');
  assert.doesNotMatch(errorText(expected, plain, circumstances), /report\.test/);
  assert.match(errorText(expected, plain, { ...circumstances, debug: true }), /report\.test/);
  const bug = errorText(new TypeError('oops'), plain, circumstances);
  assert.match(bug, /fn has a bug/);
  assert.match(bug, /report\.test/);
  assert.match(bug, /convo-fn 1\.2\.3, Node v\d/);
});

test('for machines an error of a function carries what the function did, and the whole is one line', () => {
  const run = { invocationId: 'inv_1', logs: [{ level: 'info', text: 'a\nb' }], frames: ['at x (functions/a.js:1:2)'] };
  const text = errorJson(new FunctionError('function_failed', 'Boom', { run }), circumstances);
  assert.equal(text.includes('\n'), false);
  assert.deepEqual(JSON.parse(text), { error: { code: 'function_failed', message: 'Boom', exitCode: 5, ...run } });
});

test('for people the error stands first, and below it the way that led there', () => {
  const frames = ['at b (functions/a.js:1:2)', 'at a (functions/a.js:2:3)'];
  const run = { invocationId: 'inv_1', logs: [], frames };
  const lines = errorText(new FunctionError('function_failed', 'Boom', { run }), plain, circumstances).split('\n');
  assert.deepEqual(lines, ['error Boom', ...frames.map((frame) => `    ${frame}`)]);
});
