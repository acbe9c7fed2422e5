import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dispatcher } from '../../../src/cli/dev/dispatch.ts';
import type { DevEvent } from '../../../src/dev/index.ts';
import { ProjectError } from '../../../src/std/index.ts';
import { aContext } from '../context.ts';

const start = {
  url: 'http://127.0.0.1:4400',
  openUrl: 'http://127.0.0.1:4400/open',
  port: 4400,
  app: 'desk',
  workspace: { slug: 'dev', url: 'http://127.0.0.1:4400/api/dev' },
  token: 'local',
};
const listening: DevEvent = { type: 'listening', ...start };
const ready: DevEvent = { type: 'ready', ...start, functions: [], flows: [], agents: [], ms: 12 };
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

test('with --json ready comes first, and then what happened until then', () => {
  const { hear, written } = aTerminal({ json: true });
  for (const event of [listening, log('first'), broken('f1'), ready, { type: 'stopped' } as const]) hear(event);
  assert.deepEqual(written(), ['ready', 'log', 'build-failed', 'stopped']);
});

const names = ['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7'];
const broken = (name: string, code = 'build_failed'): DevEvent => ({
  type: 'build-failed',
  name,
  serving: true,
  error: new ProjectError(
    code,
    `${name} does not build\n\n_shared.js:1:1: ${code === 'build_failed' ? 'Unexpected' : name}`,
  ),
});
const built = (name: string): DevEvent => ({
  type: 'built',
  name,
  ms: 5,
  bytes: 1,
  again: true,
  mended: false,
  inputs: [],
  warnings: [],
  logs: [],
});
const untimed = (lines: string[]) => lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));

/** What is told of these events from the end of the start on. */
function toldOf(events: readonly DevEvent[]): string[] {
  const { hear, written } = aTerminal();
  for (const event of [listening, ready]) hear(event);
  const before = written().length;
  for (const event of [...events, log('the end')]) hear(event);
  return untimed(written().slice(before, -1));
}

test('a mistake that keeps many functions from building is told once', () => {
  for (const code of ['build_failed', 'packages_not_installed'])
    assert.deepEqual(toldOf(names.map((name) => broken(name, code))), [
      'error f1 does not build',
      '',
      `_shared.js:1:1: ${code === 'build_failed' ? 'Unexpected' : 'f1'}`,
      'serving the last good version of f1 until this is fixed',
      'error 6 more do not build for the same reason: f2, f3, f4, f5, f6 …',
    ]);
});

test('what is wrong with the machine is told once, what is wrong with each function for each', () => {
  const failed = (message: (name: string) => string) =>
    toldOf(
      names.slice(0, 2).map((name) => ({
        type: 'build-failed',
        name,
        serving: false,
        error: new ProjectError('some_code', message(name)),
      })),
    );
  assert.deepEqual(
    failed(() => 'Nothing can be run here'),
    ['error Nothing can be run here', 'error 1 more does not build for the same reason: f2'],
  );
  assert.deepEqual(
    failed((name) => `${name} is wrong`),
    ['error f1 is wrong', 'error f2 is wrong'],
  );
});

test('at the start, too', () => {
  const { hear, written } = aTerminal();
  const functions = names.map((name) => {
    const event = broken(name);
    return { name, ...(event.type === 'build-failed' && { problem: event.error }) };
  });
  for (const event of [listening, { ...ready, functions } as DevEvent]) hear(event);
  assert.deepEqual(written().slice(-5, -1), [
    'error f1 does not build',
    '',
    '_shared.js:1:1: Unexpected',
    'error 6 more do not build for the same reason: f2, f3, f4, f5, f6 …',
  ]);
});

test('of many functions that are reloaded, come or go at once the first is told, and the others together', () => {
  assert.deepEqual(toldOf(names.map(built)), ['reloaded f1 in 5 ms', 'reloaded 6 more: f2, f3, f4, f5, f6 …']);
  const changes = (['added', 'removed'] as const).flatMap((type) => names.map((name) => ({ type, name })));
  assert.deepEqual(toldOf(changes), [
    'new f1',
    'gone f1',
    'new 6 more: f2, f3, f4, f5, f6 …',
    'gone 6 more: f2, f3, f4, f5, f6 …',
  ]);
  assert.deepEqual(toldOf(names.slice(0, 2).map(built)), ['reloaded f1 in 5 ms', 'reloaded f2 in 5 ms']);
});

test('what happens after many reloads stands after them', () => {
  const { hear, at } = aTerminal();
  for (const event of [listening, ready, ...names.map(built), log('asked')]) hear(event);
  assert.ok(at('6 more') < at('asked'));
});

test('a function that builds at last is told, though it was never there before', () => {
  assert.deepEqual(toldOf([{ ...built('f1'), again: false, mended: true } as DevEvent]), ['reloaded f1 in 5 ms']);
  assert.deepEqual(toldOf([{ ...built('f1'), again: false } as DevEvent]), []);
});

test('a build that takes seconds is told at once, while the start is still told', () => {
  const { hear, at } = aTerminal();
  const names = ['api/a', 'api/b', 'api/c', 'api/d', 'api/e'];
  for (const event of [listening, { type: 'building', names, ms: 2004 } as const]) hear(event);
  assert.ok(at('still building api/a, api/b, api/c and 2 more after 2 s') >= 0);
});
