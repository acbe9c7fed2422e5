import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatcher } from '../../src/cli/dev/dispatch.ts';
import type { DevEvent } from '../../src/dev/index.ts';
import { aContext } from './context.ts';

const start = {
  url: 'http://127.0.0.1:4400',
  openUrl: 'http://127.0.0.1:4400/open',
  port: 4400,
  app: 'desk',
  workspace: { slug: 'dev', url: 'http://127.0.0.1:4400/api/dev' },
  token: 'local',
};
const listening: DevEvent = { type: 'listening', ...start };
const ready: DevEvent = { type: 'ready', ...start, functions: [], ms: 12 };
const log = (text: string): DevEvent => ({
  type: 'log',
  app: 'desk',
  function: 'greet',
  invocationId: 'inv_1',
  level: 'info',
  atMs: 0,
  text,
});

/** Both streams as one, as a terminal shows them. */
function aTerminal(flags = {}) {
  const { context } = aContext({ flags });
  const lines: string[] = [];
  const io = {
    ...context.io,
    out: (text: string) => lines.push(text),
    err: (text: string) => lines.push(...text.split('\n')),
    item: (value: unknown) => lines.push((value as { type: string }).type),
  };
  const { hear, terminal } = dispatcher({ ...context, io }, false);
  /** What is told in one turn of the event loop is written at its end. */
  const written = () => {
    terminal.flush();
    return lines;
  };
  const at = (text: string) => written().findIndex((line) => line.includes(text));
  return { hear, written, at };
}

test('what is invoked while the start is told waits for its end', () => {
  const { hear, at } = aTerminal();
  for (const event of [listening, log('first'), log('second'), ready, log('third')]) hear(event);
  assert.ok(at('ready') > at('http://127.0.0.1:4400'));
  assert.deepEqual(
    [at('ready'), at('first'), at('second'), at('third')].toSorted((a, b) => a - b),
    [at('ready'), at('first'), at('second'), at('third')],
  );
});

test('a start that is stopped half way says what has happened until then', () => {
  const { hear, at } = aTerminal();
  for (const event of [listening, log('first'), { type: 'stopped' } as const]) hear(event);
  assert.ok(at('first') >= 0);
  assert.ok(at('stopped') > at('first'));
});

test('a start that takes too long does not hoard lines', () => {
  const { hear, written } = aTerminal();
  hear(listening);
  for (let n = 0; n <= 1001; n++) hear(log(`line ${n}`));
  assert.ok(written().some((line) => line.includes('line 1001')));
});

test('with --json every event is told at once', () => {
  const { hear, written } = aTerminal({ json: true });
  for (const event of [listening, log('first'), ready]) hear(event);
  assert.deepEqual(written(), ['log', 'ready']);
});
