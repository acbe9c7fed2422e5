import assert from 'node:assert/strict';
import test from 'node:test';
import { createContext, Script } from 'node:vm';
import { cachedLayer } from '../../src/sandbox/web/build.ts';
import { resultOf } from './support/web.ts';

const layer = new Script(await cachedLayer());

/** Runs a program with the layer's timers. The host fires each at once. @returns the delays that it was asked for */
async function delaysOf(program: string): Promise<number[]> {
  const context = createContext({ end: undefined });
  layer.runInContext(context);
  const delays: number[] = [];
  const handles = context['__layer']({
    sync() {},
    log() {},
    start(id: number, name: string, json: string) {
      if (name !== 'timer') return;
      delays.push(JSON.parse(json).ms);
      setImmediate(() => handles.settle(id));
    },
  });
  await new Promise((resolve) => {
    context['end'] = resolve;
    new Script(program).runInContext(context);
  });
  return delays;
}

test('a chain of setImmediate never waits, however long it is', async () => {
  const delays = await delaysOf(
    'let left = 40; const next = () => { if (--left === 0) end(); else setImmediate(next); }; next();',
  );
  assert.deepEqual(new Set(delays), new Set([0]));
});

test('setTimeout waits a millisecond at least, and not at all longer for being nested', async () => {
  const delays = await delaysOf(
    'let left = 10; const next = () => { if (--left === 0) end(); else setTimeout(next); }; next();',
  );
  assert.ok(Math.max(...delays) <= 1, `${delays}`);
});

test('what a callback leaves behind is done before the next one begins', async () => {
  const result = await resultOf(`
    const order = [];
    const later = async (name) => { order.push(name); for (let i = 0; i < 30; i++) await null; order.push(name + ' done'); };
    setTimeout(() => later('a'), 1); setTimeout(() => later('b'), 1); setImmediate(() => later('c'));
    let gone; setTimeout(async () => { await null; await null; clearTimeout(gone); }, 1); gone = setTimeout(() => order.push('never'), 2);
    for (const end = Date.now() + 5; Date.now() < end; );
    await new Promise((done) => setTimeout(done, 20));
    return order;
  `);
  assert.deepEqual([...(result as string[])].sort(), ['a', 'a done', 'b', 'b done', 'c', 'c done']);
  for (const name of ['a', 'b', 'c'])
    assert.equal((result as string[]).indexOf(`${name} done`), (result as string[]).indexOf(name) + 1);
});
