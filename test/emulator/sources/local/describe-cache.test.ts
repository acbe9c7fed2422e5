import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DescribeCache } from '../../../../src/emulator/sources/local/describe-cache.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

const folder = temporaryFolder('fn-descriptions');

const program = (id: string) => ({ id, app: 'shop', name: id, code: '' });
const never = () => assert.fail('it was described already');
const as = (type: string) => async () => ({ config: { type }, hasDefault: true, exports: [], logs: [] });

test('what one process was told the next one knows, also beside a third one', async () => {
  const file = join(folder, 'cache/descriptions.json');
  const [one, other] = [new DescribeCache(file), new DescribeCache(file)];
  await one.of(program('a'), as('ai-tool'));
  await other.of(program('b'), as('cron-job'));
  one.settle();
  other.settle();
  const next = new DescribeCache(file);
  assert.deepEqual(await next.of(program('a'), never), { config: { type: 'ai-tool' }, hasDefault: true });
  assert.deepEqual(await next.of(program('b'), never), { config: { type: 'cron-job' }, hasDefault: true });
  assert.deepEqual(readdirSync(join(folder, 'cache')), ['descriptions.json']);
});

test('a program without a config keeps that it has none', async () => {
  const file = join(folder, 'none.json');
  const one = new DescribeCache(file);
  await one.of(program('a'), async () => ({ config: null, hasDefault: false, exports: [], logs: [] }));
  one.settle();
  assert.deepEqual(await new DescribeCache(file).of(program('a'), never), { config: null, hasDefault: false });
});

test('what is damaged is described again, and what cannot be written is no failure', async () => {
  const damaged = join(folder, 'damaged.json');
  writeFileSync(damaged, '{"a":{"config":1}');
  assert.deepEqual(await new DescribeCache(damaged).of(program('a'), as('ai-tool')), {
    config: { type: 'ai-tool' },
    hasDefault: true,
  });
  const nowhere = new DescribeCache(join(damaged, 'descriptions.json'));
  await nowhere.of(program('a'), as('ai-tool'));
  nowhere.settle();
});

test('an app that was moved away meanwhile is not made again', async () => {
  const gone = join(folder, 'gone');
  const one = new DescribeCache(join(gone, '.fn/cache/descriptions.json'));
  await one.of(program('a'), as('ai-tool'));
  one.settle();
  assert.equal(existsSync(gone), false);
});

test('what was kept elsewhere and came with a copy of the folder is not believed', async () => {
  const [here, elsewhere] = [join(folder, 'here'), join(folder, 'elsewhere')];
  const one = new DescribeCache(join(elsewhere, 'descriptions.json'));
  await one.of(program('a'), as('ai-tool'));
  one.settle();
  cpSync(elsewhere, here, { recursive: true });
  const next = new DescribeCache(join(here, 'descriptions.json'));
  assert.deepEqual(await next.of(program('a'), as('cron-job')), { config: { type: 'cron-job' }, hasDefault: true });
  next.settle();
  const last = new DescribeCache(join(here, 'descriptions.json'));
  assert.deepEqual(await last.of(program('a'), never), { config: { type: 'cron-job' }, hasDefault: true });
});

test('of all saves in one process only the last are remembered, and what is in use is among them', async () => {
  const one = new DescribeCache();
  await one.of(program('first'), as('ai-tool'));
  await one.of(program('in use'), as('ai-tool'));
  for (let i = 0; i < 1_999; i++) {
    await one.of(program(`save ${i}`), as('cron-job'));
    await one.of(program('in use'), never);
  }
  let described = 0;
  await one.of(program('first'), async () => {
    described++;
    return as('ai-tool')();
  });
  assert.equal(described, 1);
});
