import assert from 'node:assert/strict';
import test from 'node:test';
import type { FetchRequest } from '../../src/sandbox/index.ts';
import { echoHost, type RequestChanges } from './support/sandbox.ts';
import { invoke, linesOf, resultOf } from './support/web.ts';

const pieceOf = (text: string) => Buffer.from(text);

/** A server whose answers are said piece by piece: each when it is asked for. */
function arrivingFrom(pieces: (request: FetchRequest, signal: AbortSignal) => AsyncIterable<Uint8Array>) {
  const signals: AbortSignal[] = [];
  const host: typeof echoHost = {
    ...echoHost,
    async fetch(request, signal) {
      signals.push(signal);
      return { status: 200, headers: [['content-type', 'application/json']], body: pieces(request, signal) };
    },
  };
  return { host, signals };
}

/** Three words, and no end. */
async function* endless(_: FetchRequest, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for (const word of ['one ', 'two ', 'three ']) yield pieceOf(word);
  await new Promise((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}

async function* threeWords(): AsyncGenerator<Uint8Array> {
  for (const word of ['["one",', '"two",', '"three"]']) yield pieceOf(word);
}

const get = `const response = await fetch('http://shop.example/'); const text = (bytes) => new TextDecoder().decode(bytes);`;

test('each piece is there before the next has come', async () => {
  const { host } = arrivingFrom(endless);
  const body = `${get} const reader = response.body.getReader(); const said = [];
    for (let i = 0; i < 3; i++) said.push(text((await reader.read()).value));
    await reader.cancel(); return [said, (await reader.read()).done];`;
  assert.deepEqual(await resultOf(body, { host }), [['one ', 'two ', 'three '], true]);
});

for (const [how, read] of Object.entries({
  text: 'response.text()',
  json: 'response.json()',
  blob: 'response.blob().then((blob) => blob.text())',
  bytes: 'response.bytes().then(text)',
  'two branches': 'Promise.all([response.clone().text(), response.text()])',
  'a loop': 'Array.fromAsync(response.body, text)',
  'the body of another response': 'new Response(response.body).text()',
  'a reader of own buffers':
    "response.body.getReader({ mode: 'byob' }).read(new Uint8Array(4)).then(({ value }) => text(value))",
})) {
  test(`what arrives is read as ${how}, like what has come already`, async () => {
    const whole = {
      ...echoHost,
      fetch: async () => ({ status: 200, headers: [], body: pieceOf('["one","two","three"]') }),
    };
    const joined = `${get} const read = await ${read}; return '${how}' === 'a loop' ? read.join('') : read;`;
    assert.deepEqual(await resultOf(joined, arrivingFrom(threeWords)), await resultOf(joined, { host: whole }));
  });
}

const unhurried: RequestChanges = { limits: { wallMs: 30_000 } };

test('who cancels, aborts or ends wants no more of it, and the connection is given up', async () => {
  for (const end of [
    'await response.body.cancel();',
    'const reader = response.body.getReader(); await reader.read(); await reader.cancel();',
    'for await (const piece of response.body) break;',
    'controller.abort();',
    '',
  ]) {
    const { host, signals } = arrivingFrom(endless);
    const body = `const controller = new AbortController();
      const response = await fetch('http://shop.example/', { signal: controller.signal }); ${end} return 'done';`;
    assert.equal(await resultOf(body, { host, ...unhurried }), 'done');
    assert.deepEqual([end, signals.map(({ aborted }) => aborted)], [end, [true]]);
  }
});

test('who aborts while it arrives hears why', async () => {
  const { host } = arrivingFrom(endless);
  const body = `const controller = new AbortController();
    const { body } = await fetch('http://shop.example/', { signal: controller.signal });
    const reader = body.getReader(); for (let i = 0; i < 3; i++) await reader.read();
    const waiting = reader.read().catch((error) => error.name);
    controller.abort(); return [await waiting, await reader.read().catch((error) => error.name)];`;
  assert.deepEqual(await resultOf(body, { host, ...unhurried }), ['AbortError', 'AbortError']);
});

test('a network that fails in the middle is told with its cause, after what had come', async () => {
  async function* breaks() {
    yield pieceOf('one');
    throw new TypeError('terminated', {
      cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
    });
  }
  const body = `${get} const reader = response.body.getReader(); const first = text((await reader.read()).value);
    const error = await reader.read().catch((error) => error);
    return [first, error instanceof TypeError, error.message, error.cause.message, error.cause.code];`;
  const told = ['one', true, 'terminated', 'other side closed', 'UND_ERR_SOCKET'];
  assert.deepEqual(await resultOf(body, arrivingFrom(breaks)), told);
});

test('who has many open at once gets the others as a whole', async () => {
  const most = 64;
  const body = `const all = await Promise.all(Array.from({ length: ${most + 4} }, () => fetch('http://shop.example/')));
    return Promise.all(all.map((response) => response.json()));`;
  const words = ['one', 'two', 'three'];
  assert.deepEqual(
    await resultOf(body, arrivingFrom(threeWords)),
    Array.from({ length: most + 4 }, () => words),
  );
});

test('a body that nobody waited for is named in the log', async () => {
  const { host } = arrivingFrom(endless);
  const [line] = await linesOf(
    `${get} const reader = response.body.getReader();
    for (let i = 0; i < 3; i++) await reader.read(); void reader.read();`,
    { host, ...unhurried },
  );
  assert.match(
    line ?? '',
    /the function ended before these calls were answered: GET http:\/\/shop\.example\/\. Add "await"/,
  );
});

test('one that never ends takes the time of the function, and no more', async () => {
  const { host, signals } = arrivingFrom(endless);
  const outcome = await invoke(`${get} return response.text();`, { host, limits: { wallMs: 200 } });
  assert.equal(outcome.status, 'timeout');
  assert.equal(signals[0]?.aborted, true);
});
