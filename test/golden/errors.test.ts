import { test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { aFolder } from '../cli/fn-process.ts';
import { matchesGolden } from './golden.ts';

/** Command lines that are wrong in themselves, before anything is opened. */
const wrong: readonly (readonly string[])[] = [
  ['inovke', 'refund'],
  ['xyzzy'],
  ['template'],
  ['template', 'sned'],
  ['--verbose'],
  ['--json'],
  ['pack', 'add'],
  ['pack', 'add', 'ten'],
  ['pack', 'add', '10', 'spring'],
  ['pack', 'list', '--colour'],
  ['pack', 'history', '--limit', '-1'],
  ['pack', 'history', '--limit', '0'],
  ['cron', 'next', 'nightly', '-n', '101'],
  ['template', 'send', 'new_season', '--from-csv', 'customers.csv', '--rate', '0'],
  ['send-template', 'order_shipped'],
  ['pack', 'add', '10', '--name'],
  ['channel', 'connect', 'smss'],
  ['completion'],
  ['completion', 'powershell'],
  ['clock', 'set', 'tomorrow'],
  ['clock', 'advance', 'soon'],
  ['clock', 'advance', '-1h'],
  ['api'],
  ['api', 'customers.fnd'],
  ['api', 'store.get'],
  ['api', 'messages.sendTemplate'],
  ['api', 'media.createUpload', '-f', 'bytes=100'],
  ['api', 'media.upload'],
  ['api', 'GET'],
  ['api', 'customers.list', '/customers'],
  ['api', 'customers.list', '-f', 'limit'],
  ['help', 'inovke'],
];

test('wrong command lines are answered with what is wrong and what to do', async () => {
  const cwd = aFolder();
  const parts: string[] = [];
  for (const argv of wrong) {
    const { exitCode, out, err } = await runFn(argv, { cwd, env: { HOME: cwd } });
    parts.push(`$ fn ${argv.join(' ')}\n${out}${err}[${exitCode}]\n`);
  }
  matchesGolden('errors.txt', parts.join('\n').replaceAll(cwd, '/home/ann'));
});
