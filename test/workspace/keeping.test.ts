/** What an app keeps (store, secrets, variables), API tokens, and Development Packs. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import { newTokenValue } from '../../src/workspace/tokens/tokens.ts';
import fc from '../properties.ts';
import { admin, allPages, aWorkspace, codeOf, functionOf, withScopes } from './support.ts';

const desk = functionOf('desk');

test('store.get gives back any JSON value that store.set was given', async (t) => {
  const { call } = await aWorkspace(t);
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1, maxLength: 50 }), fc.jsonValue({ maxDepth: 4 }), async (key, value) => {
      await call('store.set', { key, value: value as never }, desk);
      // What JSON cannot tell apart (0 and -0) comes back as JSON has it; what could be taken for a prototype is left out.
      const kept = JSON.parse(JSON.stringify(value), (name, inner) => (name === '__proto__' ? undefined : inner));
      assert.deepEqual((await call('store.get', { key }, desk)).value, kept);
    }),
    { numRuns: 50, examples: [['a', JSON.parse('{"__proto__": {"a": 1}, "b": {"__proto__": 1}}')]] },
  );
  assert.deepEqual(await call('store.get', { key: 'nothing here' }, functionOf('other')), { value: null });
});

test('each app has a store of its own, and nobody but an app has one', async (t) => {
  const { call, refused } = await aWorkspace(t);
  await call('store.set', { key: 'a', value: 1 }, desk);
  assert.equal((await call('store.get', { key: 'a' }, functionOf('shop'))).value, null);
  assert.deepEqual((await call('store.list', {}, functionOf('shop'))).items, []);
  assert.equal((await refused('store.get', { key: 'a' })).code, 'operation_not_allowed');
});

test('a value with a time to live is gone when its time is over, by the workspace clock', async (t) => {
  const { call, clock } = await aWorkspace(t);
  const { expiresAt } = await call('store.set', { key: 'session', value: 'x', ttlSeconds: 60 }, desk);
  assert.equal(Date.parse(expiresAt ?? '') - clock.now(), 60_000);
  clock.advance(59_999);
  assert.equal((await call('store.get', { key: 'session' }, desk)).value, 'x');
  clock.advance(1);
  assert.equal((await call('store.get', { key: 'session' }, desk)).value, null);
  assert.deepEqual((await call('store.list', {}, desk)).items, []);
  assert.deepEqual(await call('store.delete', { key: 'session' }, desk), { deleted: false });
  assert.equal((await call('store.increment', { key: 'session' }, desk)).value, 1);
});

test('store.list goes through the keys with a prefix in order', async (t) => {
  const { call } = await aWorkspace(t);
  for (const key of ['b', 'a:2', 'a:1', 'a_1', 'A:1', 'ä:1', '%', 'a%'])
    await call('store.set', { key, value: key }, desk);
  const keys = async (prefix?: string) =>
    (
      await allPages((cursor) =>
        call(
          'store.list',
          { limit: 2, ...(prefix === undefined ? {} : { prefix }), ...(cursor === undefined ? {} : { cursor }) },
          desk,
        ),
      )
    ).map((entry) => entry.key);
  assert.deepEqual(await keys('a:'), ['a:1', 'a:2']);
  assert.deepEqual(await keys('a%'), ['a%']);
  assert.deepEqual(await keys('ä'), ['ä:1']);
  assert.equal((await keys()).length, 8);
  for (const key of ['\u{d7ff}1', '\u{e000}1', '\u{10ffff}', '\u{10ffff}1', 'a\u{10ffff}1', 'a😀1'])
    await call('store.set', { key, value: key }, desk);
  assert.deepEqual(await keys('\u{d7ff}'), ['\u{d7ff}1']);
  assert.deepEqual(await keys('\u{10ffff}'), ['\u{10ffff}', '\u{10ffff}1']);
  assert.deepEqual(await keys('a\u{10ffff}'), ['a\u{10ffff}1']);
  assert.deepEqual(await keys('a😀'), ['a😀1']);
});

test('store.delete says whether there was something', async (t) => {
  const { call } = await aWorkspace(t);
  await call('store.set', { key: 'a', value: null }, desk);
  assert.deepEqual(await call('store.delete', { key: 'a' }, desk), { deleted: true });
  assert.deepEqual(await call('store.delete', { key: 'a' }, desk), { deleted: false });
});

test('store.increment loses nothing under 200 parallel calls', async (t) => {
  const { workspace, call } = await aWorkspace(t, { onDisk: true });
  await Promise.all(Array.from({ length: 200 }, () => workspace.call('store.increment', { key: 'n', by: 2 }, desk)));
  assert.equal((await call('store.get', { key: 'n' }, desk)).value, 400);
});

test('store.increment keeps the time to live, and refuses what is no number', async (t) => {
  const { call, refused, clock } = await aWorkspace(t);
  await call('store.set', { key: 'n', value: 1, ttlSeconds: 10 }, desk);
  assert.equal((await call('store.increment', { key: 'n', by: 0.5 }, desk)).value, 1.5);
  clock.advance(10_000);
  assert.equal((await call('store.get', { key: 'n' }, desk)).value, null);
  await call('store.set', { key: 'text', value: '1' }, desk);
  assert.equal((await refused('store.increment', { key: 'text' }, desk)).code, 'store_not_a_number');
  await call('store.set', { key: 'huge', value: Number.MAX_VALUE }, desk);
  assert.equal(
    (await refused('store.increment', { key: 'huge', by: Number.MAX_VALUE }, desk)).code,
    'store_not_a_number',
  );
});

test('a value beyond the limit is refused, and the old one stays', async (t) => {
  const { call, refused } = await aWorkspace(t);
  await call('store.set', { key: 'a', value: 'small' }, desk);
  const value = 'x'.repeat(limits.store.valueBytes);
  assert.equal((await refused('store.set', { key: 'a', value }, desk)).code, 'store_value_too_large');
  await call('store.set', { key: 'b', value: value.slice(2) }, desk);
  assert.equal((await call('store.get', { key: 'a' }, desk)).value, 'small');
});

test('a full store takes no new key, but what has expired makes room', async (t) => {
  const { workspace, file, call, clock } = await aWorkspace(t, { onDisk: true });
  await call('store.set', { key: 'first', value: 1 }, desk);
  await workspace.close();
  const { DatabaseSync } = await import('node:sqlite');
  const db = new DatabaseSync(file);
  db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limits.store.keysPerApp - 1})
    INSERT INTO store_entry SELECT 'desk', 'key' || i, '1', CASE i WHEN 1 THEN ${clock.now() + 1000} END FROM n`);
  db.close();
  const again = await aWorkspace(t, { file, clock });
  assert.equal((await again.refused('store.set', { key: 'new', value: 1 }, desk)).code, 'store_full');
  assert.equal((await again.refused('store.increment', { key: 'new' }, desk)).code, 'store_full');
  await again.call('store.set', { key: 'first', value: 2 }, desk);
  await again.call('store.set', { key: 'new', value: 1 }, functionOf('shop'));
  clock.advance(1000);
  await again.call('store.set', { key: 'new', value: 1 }, desk);
});

test('a secret’s value goes to functions of its app and nobody else', async (t) => {
  const { workspace, call, heard } = await aWorkspace(t);
  const value = 'sk-very-secret-value';
  const answer = await call('secrets.set', { app: 'desk', name: 'CRM_KEY', value });
  assert.ok(!JSON.stringify(answer).includes(value));
  assert.deepEqual(
    (await call('secrets.list', { app: 'desk' })).items.map((item) => item.name),
    ['CRM_KEY'],
  );
  assert.deepEqual(await call('secrets.get', { name: 'CRM_KEY' }, desk), { value });
  assert.deepEqual(await call('secrets.get', { name: 'CRM_KEY' }, functionOf('shop')), { value: null });
  assert.deepEqual([...(await workspace.secrets.ofApp('desk'))], [['CRM_KEY', value]]);
  assert.deepEqual([...(await workspace.secrets.ofApp('shop'))], []);
  const shown = [await call('secrets.list', { app: 'desk' }), await call('workspace.export', {}), heard];
  assert.ok(!JSON.stringify(shown).includes(value));
});

test('secrets are replaced and deleted; what is not there cannot be', async (t) => {
  const { call, refused } = await aWorkspace(t);
  await call('secrets.set', { app: 'desk', name: 'KEY', value: 'one' });
  await call('secrets.set', { app: 'desk', name: 'KEY', value: 'two' });
  assert.equal((await call('secrets.get', { name: 'KEY' }, desk)).value, 'two');
  await call('secrets.delete', { app: 'desk', name: 'KEY' });
  assert.equal((await refused('secrets.delete', { app: 'desk', name: 'KEY' })).code, 'secret_not_found');
  assert.equal((await refused('secrets.set', { app: 'desk', name: '1 KEY', value: 'x' })).code, 'input_invalid');
  assert.equal(
    (await refused('secrets.set', { app: 'desk', name: 'KEY', value: 'x' }, withScopes('write'))).code,
    'token_scope',
  );
});

test('vars.set, vars.get, vars.list and vars.delete keep JSON by app and name', async (t) => {
  const { call, refused } = await aWorkspace(t);
  await call('vars.set', { app: 'desk', name: 'HOURS', value: { open: 9, close: 18 } });
  await call('vars.set', { app: 'desk', name: 'GREETING', value: 'Hello' });
  await call('vars.set', { app: 'desk', name: 'GREETING', value: 'Moin' });
  assert.deepEqual((await call('vars.get', { app: 'desk', name: 'HOURS' })).value, { open: 9, close: 18 });
  assert.deepEqual(
    (await call('vars.list', { app: 'desk' })).items.map((item) => [item.name, item.value]),
    [
      ['GREETING', 'Moin'],
      ['HOURS', { open: 9, close: 18 }],
    ],
  );
  await call('vars.delete', { app: 'desk', name: 'HOURS' });
  assert.equal((await refused('vars.get', { app: 'desk', name: 'HOURS' })).code, 'var_not_found');
  assert.equal((await refused('vars.delete', { app: 'desk', name: 'HOURS' })).code, 'var_not_found');
});

test('each wrong Authorization header has its own answer', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const { token, id } = await call('tokens.create', { name: 'CRM' });
  const authenticate = (header: string | undefined) => codeOf(workspace.authenticate(header));
  assert.equal(await authenticate(undefined), 'token_missing');
  assert.equal(await authenticate('  '), 'token_missing');
  for (const header of [
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    token,
    `Bearer ${token} ${token}`,
    'Bearer ä',
    `Bearer ${'x'.repeat(1000)}`,
  ]) {
    assert.equal(await authenticate(header), 'token_malformed', header);
  }
  assert.equal(await authenticate('Bearer fnt_unknown'), 'token_invalid');
  assert.equal(await authenticate(`Bearer ${newTokenValue('acme')}`), 'token_invalid');
  assert.equal(await authenticate(`Bearer ${newTokenValue('another')}`), 'token_foreign');
  assert.equal(await authenticate(`Bearer ${newTokenValue('another').slice(0, -1)}_`), 'token_invalid');
  const caller = await workspace.authenticate(`bearer ${token}`);
  assert.deepEqual(caller, { type: 'token', id, name: 'CRM', scopes: ['read', 'write', 'send'] });
  await call('tokens.revoke', { id });
  assert.equal(await authenticate(`Bearer ${token}`), 'token_revoked');
});

test('a revoked token stays revoked after opening again; revoking twice changes nothing', async (t) => {
  const first = await aWorkspace(t, { onDisk: true });
  const { token, id } = await first.call('tokens.create', { name: 'CRM', scopes: ['read', 'read'] });
  const revoked = await first.call('tokens.revoke', { id });
  first.clock.advance(1000);
  assert.deepEqual(await first.call('tokens.revoke', { id }), revoked);
  assert.equal((await first.refused('tokens.revoke', { id: 'tok_none' })).code, 'token_not_found');
  const second = await first.reopened();
  assert.equal(await codeOf(second.workspace.authenticate(`Bearer ${token}`)), 'token_revoked');
  assert.deepEqual(revoked.scopes, ['read']);
});

test('a token’s last use is told at once, and kept', async (t) => {
  const first = await aWorkspace(t, { onDisk: true });
  const { token, id } = await first.call('tokens.create', { name: 'CRM' });
  assert.equal((await first.call('tokens.list', {})).items[0]?.lastUsedAt, null);
  first.clock.advance(60_000);
  await first.workspace.authenticate(`Bearer ${token}`);
  const used = new Date(first.clock.now()).toISOString();
  assert.equal((await first.call('tokens.list', {})).items[0]?.lastUsedAt, used);
  const second = await first.reopened();
  assert.deepEqual(
    (await second.call('tokens.list', {})).items.map((item) => [item.id, item.lastUsedAt]),
    [[id, used]],
  );
});

test('no token stands in the files of the workspace, not even one that was asked for with a key', async (t) => {
  const { workspace, file, call } = await aWorkspace(t, { onDisk: true });
  const key = { idempotencyKey: 'the-key-of-the-test' };
  const { token, id } = await call('tokens.create', { name: 'CRM' }, admin, key);
  let replayed = false;
  const again = await call('tokens.create', { name: 'CRM' }, admin, { ...key, onReplay: () => (replayed = true) });
  assert.deepEqual([again.id, again.token, replayed], [id, token, true]);
  await workspace.installLocalToken('local-token-of-the-test');
  await workspace.close();
  const folder = dirname(file);
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    for (const secret of [token, token.slice(4), 'local-token-of-the-test']) {
      assert.ok(!bytes.includes(secret), `${name} has ${secret}`);
    }
  }
});

test('the local token has all scopes, and installing it again makes no second one', async (t) => {
  const { workspace, call } = await aWorkspace(t, { onDisk: true });
  await workspace.installLocalToken('local-1234567890');
  await workspace.installLocalToken('local-1234567890');
  const caller = await workspace.authenticate('Bearer local-1234567890');
  assert.ok(caller.scopes.includes('admin'));
  assert.equal((await call('tokens.list', {})).items.length, 1);
});

test('token values are long, differ, and say which workspace they are of', async () => {
  const values = new Set(Array.from({ length: 200 }, () => newTokenValue('acme')));
  assert.equal(values.size, 200);
  for (const value of values) assert.match(value, /^fnt_[0-9A-Za-z]{46}$/);
});

test('packs are used up from the oldest, in quarters of days, and the history says so', async (t) => {
  const { call, refused, clock } = await aWorkspace(t);
  const first = await call('packs.add', { days: 1.5, name: 'First' });
  clock.advance(1000);
  const second = await call('packs.add', { days: 2 });
  assert.equal(second.name, 'Pack of 2 days');
  const booked = await call('packs.use', { days: 2.75, note: 'Import' });
  assert.deepEqual(booked.packs, [
    { id: first.id, days: 1.5 },
    { id: second.id, days: 1.25 },
  ]);
  assert.deepEqual(
    (await call('packs.list', {})).items.map((pack) => pack.daysLeft),
    [0, 0.75],
  );
  const history = (await call('packs.history', {})).items;
  assert.deepEqual(
    history.map((entry) => [entry.kind, entry.days, entry.balanceAfter, entry.note]),
    [
      ['used', 2.75, 0.75, 'Import'],
      ['added', 2, 3.5, 'Pack of 2 days'],
      ['added', 1.5, 1.5, 'First'],
    ],
  );
  const error = await refused('packs.use', { days: 1 });
  assert.equal(error.code, 'pack_days_insufficient');
  assert.deepEqual(error.details, { left: 0.75, asked: 1 });
  for (const days of [0, -1, 0.3, 10_001])
    assert.equal((await refused('packs.add', { days })).errors?.[0]?.path, 'days');
});

test('two hundred bookings at once never take more than there is', async (t) => {
  const { workspace, call } = await aWorkspace(t, { onDisk: true });
  for (let n = 0; n < 7; n++) await call('packs.add', { days: 5.25 });
  const bookings = await Promise.allSettled(
    Array.from({ length: 200 }, () => workspace.call('packs.use', { days: 0.75 }, admin)),
  );
  const done = bookings.filter((booking) => booking.status === 'fulfilled').length;
  assert.equal(done, (7 * 5.25) / 0.75);
  assert.deepEqual(await call('packs.balance', {}), { days: 36.75, used: 36.75, left: 0 });
  const history = await allPages((cursor) => call('packs.history', cursor === undefined ? {} : { cursor }));
  assert.equal(history.length, 7 + done);
  assert.ok(history.every((entry) => entry.balanceAfter >= 0));
});

test('whatever is added and booked, the balance is the sum of what the packs have left', async (t) => {
  const { workspace, call } = await aWorkspace(t);
  const quarters = fc.integer({ min: 1, max: 40 }).map((count) => count / 4);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.boolean(), quarters), { maxLength: 15 }), async (steps) => {
      let expected = (await call('packs.balance', {})).left;
      for (const [add, days] of steps) {
        if (add) {
          await call('packs.add', { days });
          expected += days;
        } else if (days <= expected) {
          const { packs } = await call('packs.use', { days });
          assert.equal(
            packs.reduce((sum, part) => sum + part.days, 0),
            days,
          );
          expected -= days;
        } else assert.equal(await codeOf(workspace.call('packs.use', { days }, admin)), 'pack_days_insufficient');
      }
      const packs = await allPages((cursor) => call('packs.list', cursor === undefined ? {} : { cursor }));
      assert.equal((await call('packs.balance', {})).left, expected);
      assert.equal(
        packs.reduce((sum, pack) => sum + pack.daysLeft, 0),
        expected,
      );
    }),
    { numRuns: 15 },
  );
});
