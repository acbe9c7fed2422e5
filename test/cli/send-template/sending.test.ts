import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { sendOne } from '../../../src/cli/send-template/send-one.ts';
import type { Door } from '../../../src/contract/index.ts';
import { MachineError } from '../../../src/std/index.ts';
import { aContext, runFn } from '../context.ts';
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

describe('a header', () => {
  const argv = (header?: string) => [
    ...['new_season', '--to', '+4930901820', '--body', 'Ann'],
    ...(header === undefined ? [] : ['--header', header]),
  ];
  const forms = /A header is a text, @FILE to upload, an https link, a media id \(med_…\), or geo:LAT,LON/;

  test('that is missing or does not fit is named by its flag and the forms it can have, by the dry run and by the workspace', async () => {
    for (const [header, message] of [
      [undefined, /--header:? is missing: the header of the template needs an image\n/],
      ['Snow', /--header:? does not fit: the header of the template needs an image\n/],
      ['geo:52.5,13.4', /--header:? does not fit: the header of the template needs an image\n/],
    ] as const) {
      for (const more of [[], ['--dry-run']]) {
        const { exitCode, err } = await send(...argv(header), ...more);
        assert.equal(exitCode, 1);
        assert.match(err, message);
        assert.match(err, forms);
      }
    }
    const { err } = await send('order_shipped', ...argv('med_1').slice(1), '--json');
    const { error } = JSON.parse(err) as { error: { hint: string; errors: { path: string; message: string }[] } };
    assert.match(error.hint, forms);
    assert.deepEqual(error.errors.slice(0, 2), [
      { path: '--header', message: 'does not fit: the header of the template needs a text' },
      { path: '--body', message: 'is missing: the template needs a value for {{2}}' },
    ]);
  });

  test('that the template does not have is to be left out, in whatever form', async () => {
    const argv = [
      'refund_confirmed',
      '--to',
      '+4930901820',
      '--var',
      'name=A',
      '--var',
      'amount=1',
      '--var',
      'order=B',
    ];
    const { exitCode, err } = await send(...argv, '--header', 'Hi');
    assert.equal(exitCode, 1);
    assert.match(err, /--header must be left out: the template has no header\n/);
    assert.doesNotMatch(err, /A header is/);
  });

  test('that came with --data is named by its field', async () => {
    const { err } = await send(...argv().slice(0, 3), '--data', '{"header":"Snow","body":["Ann"]}');
    assert.match(err, /variables\.header does not fit: .* \(\{mediaId\} or \{url\}\)/);
  });

  test('may be uploaded media, a link or a text', async () => {
    // The first bytes of a JPEG.
    write('snow.jpg', Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'));
    const uploaded = await runFn(['template', 'upload', 'snow.jpg'], { cwd, env });
    assert.match(uploaded.out, /^med_\w+\n$/);
    for (const header of [uploaded.out.trim(), '@snow.jpg', 'https://shop.example/snow.jpg']) {
      const sent = await send(...argv(header));
      assert.equal(sent.exitCode, 0, sent.err);
    }
    const body = ['--body', 'Ann', '--body', 'Friday', '--button', '0=A-17'];
    const sent = await send('order_shipped', '--to', '+4930901820', '--lang', 'en', '--header', 'med 17', ...body);
    assert.equal(sent.exitCode, 0, sent.err);
  });
});

test('media, location and cards count among what a template needs', async () => {
  const image = { format: 'image' };
  const buttons = [
    { type: 'url', text: 'Buy', url: 'https://shop.example/{{1}}' },
    { type: 'quick_reply', text: 'No' },
  ];
  const common = { language: 'en', category: 'marketing', status: 'approved' };
  const card = { header: image, body: 'A {{1}} for {{2}}', buttons };
  const templates = [
    { ...common, name: 'photo', header: image, body: 'Hi {{1}}' },
    { ...common, name: 'place', header: { format: 'location' }, body: 'Come' },
    { ...common, name: 'shoes', body: 'Hi', carousel: [card, card] },
    { ...common, name: 'plain', header: { format: 'text', text: 'Hi' }, body: 'Hello' },
  ];
  const root = aFolder();
  writeFileSync(join(root, 'fn.config.json'), '{"version": 1, "app": "media"}');
  writeFileSync(join(root, 'seed.json'), JSON.stringify({ version: 1, templates }));
  const listed = await runFn(['template', 'list'], { cwd: root, env: { ...env, HOME: root }, columns: 200 });
  assert.equal(listed.exitCode, 0, listed.err);
  for (const line of [
    /^photo .* image header, 1 in body /m,
    /^place .* location header /m,
    /^shoes .* 2 cards \(each: image, 2 in body, 1 in buttons\) /m,
    /^plain .* – /m,
  ])
    assert.match(listed.out, line);
  const shown = await runFn(['template', 'show', 'shoes'], { cwd: root, env: { ...env, HOME: root } });
  assert.match(
    shown.out,
    / {2}card 2: \[image\] A \{\{1\}\} for \{\{2\}\}\n {4}\(0: Buy → https:\/\/shop\.example\/\{\{1\}\}\)/,
  );
  assert.match(shown.out, /Variables: 2 cards \(each: image, 2 in body, 1 in buttons\)/);
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

describe('a line of a list that is refused', () => {
  const messageOf = async (argv: string[]) => {
    const { out } = await send(...argv, '--json');
    return JSON.parse(out.split('\n')[0] ?? '{}').message as string;
  };

  test('is explained with the names of columns, or with the flag that was typed', async () => {
    write('no-header.csv', 'to,1\n+4930901820,Ann\n');
    const image = 'the header of the template needs an image';
    assert.equal(await messageOf(['new_season', '--from-csv', 'no-header.csv']), `--header is missing: ${image}`);
    write('flag.csv', 'to,1\n+4930901820,Bo\n');
    const typed = ['new_season', '--from-csv', 'flag.csv', '--header', 'Snow'];
    assert.equal(await messageOf(typed), `--header does not fit: ${image}`);
    write('column.csv', 'to,1,header\n+4930901820,Ann,Snow\n');
    assert.equal(
      await messageOf(['new_season', '--from-csv', 'column.csv']),
      `the column "header" does not fit: ${image}`,
    );
    write('number.csv', 'to,name,amount,order,more\n123,Ann,12,,x\n');
    assert.match(await messageOf(['refund_confirmed', '--from-csv', 'number.csv']), /^the column "to" /);
    write('named.csv', 'to,name,amount,more\n+4930901820,Ann,12,x\n');
    const named = await messageOf(['refund_confirmed', '--from-csv', 'named.csv']);
    assert.match(named, /the column "order" is missing: the template needs a value for \{\{order\}\}/);
    assert.match(named, /the column "more" must be left out/);
    write('with-flag.csv', 'to,name,amount\n+4930901820,Ann,12\n');
    const withFlag = ['refund_confirmed', '--from-csv', 'with-flag.csv', '--var', 'order=A', '--var', 'most=b'];
    assert.match(await messageOf(withFlag), /--var must be left out: the template has no variable \{\{most\}\}/);
    write('button.csv', 'to,1,2,header,language,button.0\n+4930901820,Ann,Friday,A-17,en,\n');
    assert.match(await messageOf(['order_shipped', '--from-csv', 'button.csv']), /the column "button.0" is missing/);
  });

  test('is explained in the same way by a dry run', async () => {
    write('dry.csv', 'to,1,header\n+4930901820,Ann,Snow\n');
    const { exitCode, err } = await send('new_season', '--from-csv', 'dry.csv', '--dry-run');
    assert.equal(exitCode, 1);
    assert.match(err, /the column "header" does not fit: the header of the template needs an image\n/);
  });
});

test('a local send that could not begin is not taken for one with an unknown outcome', async () => {
  const broken: Door = async () => {
    throw new MachineError('sandbox_unavailable', 'Functions cannot be run here: isolated-vm is not installed');
  };
  const draft = { body: { to: '+4930901820', template: 'refund_confirmed' }, files: [] };
  for (const _ of ['first', 'again']) {
    const { context, err } = aContext({ cwd, env, door: broken });
    const target = await context.target();
    await assert.rejects(sendOne(context, target, draft, undefined), { code: 'sandbox_unavailable' });
    assert.equal(err(), '', 'nothing is said of an earlier send');
  }
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
