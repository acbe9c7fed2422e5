import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { runFn } from './context.ts';
import { aFolder } from './fn-process.ts';

const home = aFolder();
const cwd = join(home, 'shop');
const env = { HOME: home, PATH: process.env['PATH'] ?? '' };
const fn = (...argv: string[]) => runFn(argv, { cwd, env });

/** The oldest is the last by the alphabet. */
const templates = ['pt-BR', 'en', 'de'].map((language) => ({
  name: 'ready',
  language,
  category: 'utility',
  body: `Ready in ${language}`,
}));
const customers = [{ name: 'Ann', phone: '+4930901821', language: 'EN' }];

before(async () => {
  const made = await fn('init', 'refund', '--type', 'tool', '--yes', '--app', cwd);
  assert.equal(made.exitCode, 0, made.err);
  const channels = [{ kind: 'messaging-app', name: 'Messages' }];
  writeFileSync(join(cwd, 'seed.json'), JSON.stringify({ version: 1, channels, customers, templates }));
});

test('a template is shown in the language in which it is sent', async () => {
  assert.equal(JSON.parse((await fn('template', 'show', 'ready', '--json')).out).language, 'pt_BR');
  const sent = await fn('template', 'send', 'ready', '--to', '+4930901899', '--json');
  assert.equal(sent.exitCode, 0, sent.err);
  const { conversationId } = JSON.parse(sent.out);
  const { out } = await fn('api', 'messages.list', '-f', `conversationId=${conversationId}`);
  assert.match(out, /Ready in pt-BR/);
});

test('a template is shown with its other languages', async () => {
  assert.match((await fn('template', 'show', 'ready', '--lang', 'en')).out, /also in de, pt_BR/);
});

test('a language may be spelled as a send takes it', async () => {
  for (const lang of ['pt-br', 'PT_BR']) {
    assert.match((await fn('template', 'show', 'ready', '--lang', lang)).out, /Ready in pt-BR/);
    const tried = await fn('template', 'send', 'ready', '--to', '+4930901899', '--lang', lang, '--dry-run');
    assert.match(tried.out, /Ready in pt-BR/);
  }
});

test('a send that is only tried shows the language of the customer', async () => {
  assert.match((await fn('template', 'send', 'ready', '--to', '+4930901821', '--dry-run')).out, /Ready in en/);
  assert.match((await fn('template', 'send', 'ready', '--to', '+4930901899', '--dry-run')).out, /Ready in pt-BR/);
});

test('a send that is only tried says which template was probably meant', async () => {
  const { exitCode, err } = await fn('template', 'send', 'redy', '--to', '+4930901899', '--dry-run');
  assert.equal(exitCode, 1);
  assert.match(err, /Did you mean "ready"\?/);
});
