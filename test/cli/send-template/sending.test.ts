import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const home = aFolder();
const cwd = join(home, 'shop');
const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
const send = (...argv: string[]) => runFn(['template', 'send', ...argv], { cwd, env });
const write = (name: string, content: string | Uint8Array) => writeFileSync(join(cwd, name), content);

before(async () => {
  const made = await runFn(['init', 'refund', '--type', 'tool', '--yes', '--app', 'shop'], { cwd: home, env });
  assert.equal(made.exitCode, 0, made.err);
});

describe('a list of recipients that cannot be sent', () => {
  const heading = 'to,name,amount,order\n';
  for (const [what, file, content, message, hint] of [
    ['does not exist', 'none.csv', undefined, /^There is no file none\.csv$/, /relative to the current folder/],
    ['is a folder', '.', undefined, /it is a folder/, /relative to the current folder/],
    ['is not UTF-8', 'latin.csv', Buffer.from(`${heading}+4930901820,J\xfcrg,12,A`, 'latin1'), /not UTF-8/, /Excel/],
    ['is a pipe', '-', undefined, /needs a file/, /Save the list in a file/],
    [
      'has a line with a comma too many',
      'many.csv',
      `${heading}+4930901820,Lee, Ann,12,A`,
      /5 values/,
      /quotation marks/,
    ],
    ['has an open quotation mark', 'open.csv', `${heading}+4930901820,"Lee,12,A`, /not closed/, /quotation marks/],
  ] as const) {
    test(`because it ${what} is refused with what to do about it`, async () => {
      if (content !== undefined) write(file, content);
      const { exitCode, out, err } = await send('refund_confirmed', '--from-csv', file, '--json');
      const { error } = JSON.parse(err) as { error: { message: string; hint: string } };
      assert.deepEqual([exitCode, out], [2, '']);
      assert.match(error.message, message);
      assert.match(error.hint, hint);
    });
  }

  test('because it names no template is not announced as if it were', async () => {
    write('people.csv', `${heading}+4930901820,Ann,12,A-17\n`);
    const { exitCode, err } = await send('--from-csv', 'people.csv');
    assert.equal(exitCode, 2);
    assert.match(err, /^error No template given\n {2}people\.csv:2\n/);
    assert.equal(existsSync(join(cwd, 'people.csv.resume.jsonl')), false);
  });
});

test('a dry run names a missing header in the same words as the workspace', async () => {
  const argv = ['new_season', '--to', '+4930901820', '--body', 'Ann'];
  const dry = await send(...argv, '--dry-run');
  assert.equal(dry.exitCode, 1);
  assert.match(dry.err, /variables\.header is missing: the image of the header, as @FILE or an https link/);
  assert.match((await send(...argv)).err, /variables\.header:? is missing: the image of the header/);
});

test('a list is announced with the template that it sends, wherever that is named', async () => {
  write('data.csv', 'to,name,amount,order\n+4930901820,Ann,12,A-17\n');
  const fromData = await send('--from-csv', 'data.csv', '--data', '{"template":"refund_confirmed"}');
  assert.equal(fromData.exitCode, 0, fromData.err);
  assert.match(fromData.err, /Sending "refund_confirmed" to 1 recipient of dev/);
  write('both.csv', 'to,template,name,amount,order\n+4930901820,refund_confirmed,Ann,12,A-17\n');
  const fromColumn = await send('--from-csv', 'both.csv', '--dry-run');
  assert.equal(fromColumn.exitCode, 0, fromColumn.err);
  assert.match(fromColumn.out, /"template": "refund_confirmed"/);
});

test('a repeat with its own key is told as one in the local workspace, too, and another message with that key says what to do', async () => {
  const argv = ['refund_confirmed', '--to', '+4930901820', '--var', 'name=Ann', '--var', 'amount=12', '--json'];
  const sent = (order: string) => send(...argv, '--var', `order=${order}`, '--idempotency-key', 'refund-17');
  assert.equal(JSON.parse((await sent('A-17')).out).replayed, false);
  const again = await sent('A-17');
  assert.equal(JSON.parse(again.out).replayed, true);
  assert.match(again.err, /This was already sent with this key; nothing was sent now/);
  const { exitCode, err } = await sent('A-18');
  const { error } = JSON.parse(err) as { error: { hint: string } };
  assert.deepEqual([exitCode, error.hint], [1, 'Use another key, or repeat the first request exactly.']);
});

test('media that is not what its name says is refused by the local workspace with its reason', async () => {
  write('photo.jpg', 'no photo');
  const { exitCode, err } = await send('new_season', '--to', '+4930901820', '--body', 'Ann', '--header', '@photo.jpg');
  assert.equal(exitCode, 1);
  assert.match(err, /refused the upload \(422\): \S.*image\/jpeg[\s\S]*→ Check the type/);
});
