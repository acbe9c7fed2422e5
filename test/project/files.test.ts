import assert from 'node:assert/strict';
import { chmod, mkdir, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { findProject, parseSeed, readFixture, readLocalSecrets, readSeed } from '../../src/project/index.ts';
import { aFolder, anApp, refusalOf, write } from './an-app.ts';

test('a seed is read as it stands', async () => {
  const seed = { version: 1, customers: [{ name: 'Ann', phone: '+4930901820' }] };
  const project = await anApp({ 'seed.json': seed, 'other.json': { agents: [] } });
  assert.deepEqual(await readSeed(project), seed);
  assert.deepEqual(await readSeed(project, 'other.json'), { agents: [] });
});

test('an app need not have a seed, but one that is named must be there', async () => {
  const project = await anApp();
  assert.equal(await readSeed(project), undefined);
  assert.equal((await refusalOf(readSeed(project, 'mine.json'))).code, 'seed_missing');
});

test('a seed that is nested deeper than anything can look at is one that does not fit', async () => {
  const text = `{ "vars": { "desk": { "deep": ${'['.repeat(5_000)}${']'.repeat(5_000)} } } }`;
  const error = await refusalOf(parseSeed(JSON.parse(text), text, 'big.json'));
  assert.equal(error.code, 'seed_invalid');
  assert.equal(error.message, 'big.json: the seed is nested more than 200 levels deep');
});

test('a seed that does not fit names the field and its line', async () => {
  const project = await anApp({
    'seed.json': '{\n  "agents": [\n    { "name": "Ann", "email": "a@b.example", "role": "boss" }\n  ]\n}',
    'typo.json': '{\n  "custommers": []\n}',
    'wrong.json': '{ "customers": [\n  { "phone": 49 }\n] }',
  });
  const surplus = await refusalOf(readSeed(project));
  assert.equal(surplus.code, 'seed_invalid');
  assert.equal(surplus.message, 'seed.json: agents[0].role is not a known field; known: name, email, workgroups');
  assert.equal(surplus.location?.line, 3);
  assert.equal(surplus.location.column, 46);
  const typo = await refusalOf(readSeed(project, 'typo.json'));
  assert.equal(typo.message, 'typo.json: custommers is not a known field; did you mean "customers"?');
  const wrong = await refusalOf(readSeed(project, 'wrong.json'));
  assert.match(wrong.message, /^wrong\.json: customers\[0\]\.phone must be a text, not a number$/);
  assert.equal(wrong.location?.line, 2);
});

test('a seed nested 100,000 levels deep is refused, and nothing overflows', async () => {
  const project = await anApp({ 'seed.json': `{"vars":{"a":{"b":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}` });
  const error = await refusalOf(readSeed(project));
  assert.equal(error.code, 'json_broken');
  assert.match(error.message, /deeper than 200/);
});

test('a fixture is found by the name of its function', async () => {
  const project = await anApp({
    'fixtures/tools/refund/default.json': { args: { orderId: 'A-17' } },
    'fixtures/tools/refund/late.json': [1],
  });
  assert.deepEqual(await readFixture(project, 'tools/refund'), { args: { orderId: 'A-17' } });
  assert.deepEqual(await readFixture(project, 'tools/refund', 'late'), [1]);
  assert.equal(await readFixture(project, 'api/other'), undefined);
});

test('a fixture that is not there is refused with those that are', async () => {
  const project = await anApp({ 'fixtures/tools/refund/late.json': '1' });
  const near = await refusalOf(readFixture(project, 'tools/refund', 'latte'));
  assert.equal(near.code, 'fixture_missing');
  assert.equal(near.message, 'There is no fixtures/tools/refund/latte.json');
  assert.equal(near.hint, 'Did you mean late?');
  assert.equal((await refusalOf(readFixture(project, 'tools/refund', 'default'))).hint, 'This function has: late.');
  assert.match((await refusalOf(readFixture(project, 'none', 'x'))).hint ?? '', /-d/);
  assert.equal((await refusalOf(readFixture(project, 'tools/refund', '../../seed'))).code, 'name_invalid');
});

test('a broken fixture shows its line', async () => {
  const project = await anApp({ 'fixtures/a/default.json': '{\n  "a": undefined\n}' });
  const error = await refusalOf(readFixture(project, 'a'));
  assert.equal(error.message, 'fixtures/a/default.json is not JSON: undefined where a value should be');
  assert.deepEqual(error.location, {
    file: 'fixtures/a/default.json',
    line: 2,
    column: 8,
    text: '  "a": undefined',
  });
});

test('local secrets come from the file and, above it, from FN_SECRET_ variables', async () => {
  const project = await anApp({ '.fn/secrets.json': { SHOP_KEY: 'from file', OTHER: 'x' } });
  const secrets = await readLocalSecrets(project, { FN_SECRET_SHOP_KEY: 'from variable', FN_SECRET_: 'no', PATH: '/' });
  assert.deepEqual(Object.fromEntries(secrets), { SHOP_KEY: 'from variable', OTHER: 'x' });
});

test('a file of secrets that others may read is closed to them', { skip: process.platform === 'win32' }, async () => {
  const project = await anApp({ '.fn/secrets.json': { A: 'b' } });
  const file = join(project.stateDir, 'secrets.json');
  await chmod(file, 0o644);
  await readLocalSecrets(project);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test('no message about a file of secrets shows a line of it', async () => {
  for (const text of ['{"KEY": "hush"', '{"KEY": 7, "B": "hush"}', '{"no name": "hush"}']) {
    const project = await anApp({ '.fn/secrets.json': text });
    const error = await refusalOf(readLocalSecrets(project));
    assert.doesNotMatch(JSON.stringify([error.message, error.hint, error.location]), /hush/);
  }
});

test('no message quotes a file outside of the app to which a link in it leads', async () => {
  const elsewhere = aFolder();
  await write(elsewhere, {
    '.npmrc': '//registry.example/:_authToken=hush',
    'token.json': '{ "refresh_token": "hush" }',
  });
  for (const name of ['.npmrc', 'token.json']) {
    const project = await anApp();
    await symlink(join(elsewhere, name), join(project.root, 'seed.json'));
    const ofSeed = await refusalOf(readSeed(project));
    await rm(join(project.root, 'fn.config.json'));
    await symlink(join(elsewhere, name), join(project.root, 'fn.config.json'));
    const ofConfig = await refusalOf(findProject(project.root));
    for (const { code, message, hint, location } of [ofSeed, ofConfig]) {
      assert.equal(code, 'file_outside_app');
      assert.doesNotMatch(JSON.stringify([message, hint, location]), /hush/);
    }
    // Whoever names a file means it.
    assert.equal(
      (await refusalOf(readSeed(project, join(elsewhere, name)))).code,
      name === '.npmrc' ? 'json_broken' : 'seed_invalid',
    );
  }
});

test('no link leads a function to a file outside of the app', { skip: process.platform === 'win32' }, async () => {
  const elsewhere = aFolder();
  await write(elsewhere, { 'credentials.json': { refresh_token: 'hush' } });
  const outside = join(elsewhere, 'credentials.json');
  const project = await anApp({ 'fixtures/a/other.json': [1] });
  await symlink('other.json', join(project.root, 'fixtures/a/late.json'));
  await symlink(outside, join(project.root, 'fixtures/a/default.json'));
  await symlink(elsewhere, join(project.root, 'fixtures/b'));
  await mkdir(project.stateDir);
  await symlink(outside, join(project.stateDir, 'secrets.json'));
  await chmod(outside, 0o644);

  for (const read of [readFixture(project, 'a'), readFixture(project, 'b', 'credentials'), readLocalSecrets(project)]) {
    const error = await refusalOf(read);
    assert.equal(error.code, 'file_outside_app');
    assert.match(error.message, /^(fixtures|\.fn)\/\S+ is a link that points outside the app$/);
  }
  assert.equal((await stat(outside)).mode & 0o777, 0o644, 'not even its mode is changed');
  assert.deepEqual(await readFixture(project, 'a', 'late'), [1]);
});
