import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openLocal } from '../../src/emulator/index.ts';
import { requireProject } from '../../src/project/index.ts';
import { App, aMethod } from '../flows/app.ts';
import { everyone } from './an-emulator.ts';

const broken = `${aMethod('1')}const = 1;\n`;
const app = new App({ 'functions/good.js': aMethod('1'), 'functions/broken.js': broken });
const local = await openLocal({ project: await requireProject(app.root), database: 'memory', processes: 1 });
after(() => local.close());
const { url } = await local.emulator.listen({ port: 0, strict: true });
const call = local.door(everyone);
const invoke = (name: string) => call('functions.invoke', { app: 'flow', name });

test('builds.list tells of each function whether it builds, and what is wrong, with its line', async () => {
  const { items } = await call('builds.list', { app: 'flow' });
  const [bad, good] = items;
  assert.deepEqual(
    [good?.function, good?.type, good?.file, good?.state, good?.problem],
    ['good', 'server-side-method', 'functions/good.js', 'ready', null],
  );
  assert.deepEqual([bad?.function, bad?.type, bad?.state], ['broken', null, 'failed']);
  const { file, line, text } = bad?.problem ?? {};
  assert.deepEqual([file, line, text?.trim()], ['functions/broken.js', 4, 'const = 1;']);
  const first = await call('builds.list', { app: 'flow', limit: 1 });
  assert.equal(first.items[0]?.function, 'broken');
  const second = await call('builds.list', { app: 'flow', limit: 1, cursor: first.nextCursor ?? '' });
  assert.deepEqual([second.items[0]?.function, second.nextCursor], ['good', null]);
  assert.ok((await call('builds.list', {})).items.some((build) => build.app === 'template-app' && build.file === null));
  await assert.rejects(call('builds.list', { app: 'nothing' }), { code: 'app_unknown' });
});

test('live.build shows what became of a save', async () => {
  await invoke('good');
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${local.token}` };
  const response = await fetch(`${url}/api/dev/events/stream?live=build,seed,clock&type=note.created`, {
    headers,
    signal: stop.signal,
  });
  const text = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail();
  let read = '';
  const frame = async (fits: (data: { function?: string; state?: string }) => boolean, type = 'live.build') => {
    for (;;) {
      for (const block of read.split('\n\n')) {
        const [, kind, data] = /event: (\S+)\ndata: (.*)$/.exec(block) ?? [];
        if (kind === type && fits(JSON.parse(data ?? '{}'))) return JSON.parse(data ?? '{}');
      }
      const { value, done } = await text.read();
      if (done) return assert.fail(read);
      read += value;
    }
  };
  app.write('functions/good.js', broken);
  await invoke('good');
  const stale = await frame(({ state }) => state === 'stale');
  assert.deepEqual([stale.function, stale.problem.line, stale.problem.text.trim()], ['good', 4, 'const = 1;']);
  app.write('functions/good.js', aMethod('2'));
  await invoke('good');
  const ready = await frame(({ state }) => state === 'ready');
  assert.equal(ready.function, 'good');
  assert.equal(typeof ready.ms, 'number');
  await call('workspace.reset', { seed: {} });
  await frame(() => true, 'live.seed');
  await call('clock.advance', { ms: 60_000 });
  assert.equal((await frame(() => true, 'live.clock')).offsetMs, 60_000);
  stop.abort();
});
