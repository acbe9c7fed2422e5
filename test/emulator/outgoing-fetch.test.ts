import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fetchLimits, outgoingFetch } from '../../src/emulator/outgoing-fetch.ts';
import type { FetchRequest } from '../../src/sandbox/index.ts';
import { weather } from '../client/server.ts';
import { until } from '../until.ts';

const piece = Buffer.alloc(9 * 1024 * 1024);
const held: (() => void)[] = [];

const other = await weather(({ headers }, response) => void response.end(JSON.stringify(headers)));
const server = await weather(({ path, body }, response) => {
  if (path === '/elsewhere') response.writeHead(307, { Location: `${other.url}/` }).end();
  else if (path === '/piece') {
    response.write(piece);
    held.push(() => response.end());
  } else response.end(`${path} ${body}`);
});
after(() => Promise.all([server.close(), other.close()]));

const never = new AbortController().signal;

function send(path: string, { allow, ...given }: Partial<FetchRequest> & { allow?: readonly string[] } = {}) {
  return outgoingFetch({ url: `${server.url}${path}`, method: 'GET', headers: [], ...given }, allow, never);
}

const textOf = async (answer: ReturnType<typeof send>) => Buffer.from((await answer).body ?? '').toString();

for (const length of ['3', '5', '9', 'x']) {
  test(`a body goes with its own length, not with a given one of ${length}`, async () => {
    const headers = [['content-length', length]] as const;
    assert.equal(await textOf(send('/a', { method: 'POST', headers, body: Buffer.from('hello') })), '/a hello');
  });
}

test('a redirect to another origin takes no credentials along, and goes where it may', async () => {
  const headers = [
    ['authorization', 'Bearer hush'],
    ['cookie', 'a=hush'],
    ['x-shop', '7'],
  ] as const;
  const got = await textOf(send('/elsewhere', { method: 'POST', headers, body: Buffer.from('x') }));
  assert.match(got, /"x-shop":"7"/);
  assert.doesNotMatch(got, /hush/);
  const { host } = new URL(server.url);
  await assert.rejects(send('/elsewhere', { allow: [host] }), /is not in fetch\.allow/);
  assert.equal(await textOf(send('/b', { allow: [host] })), '/b ');
});

test('however a host is written, it is the one that may be reached or another', async () => {
  const { port } = new URL(server.url);
  for (const name of ['0x7f.1', '2130706433', '127.1', '①②⑦.⓪.⓪.①'])
    assert.equal(await textOf(send('', { url: `http://${name}:${port}/c`, allow: ['127.0.0.1'] })), '/c ');
  for (const name of ['[::ffff:127.0.0.1]', 'localhost', '127.0.0.1.', '0', '127.0.0.1.shop.example'])
    await assert.rejects(
      send('', { url: `http://${name}:${port}/`, allow: ['127.0.0.1:1', '*.example.com'] }),
      /allow/,
    );
  await assert.rejects(send('', { url: 'file:///etc/hosts' }), /scheme file:/);
});

test('answers that are on their way at once are bounded together, and there is room again afterwards', async () => {
  const most = Math.floor(fetchLimits.heldBytes / piece.length);
  const answers = Array.from({ length: most + 1 }, () => send('/piece').then((answer) => answer.body?.byteLength));
  await assert.rejects(Promise.race(answers), /^Error: fetch failed: too many large answers are on their way at once$/);
  await until('all of them', () => held.length === answers.length);
  for (const end of held) end();
  const ended = await Promise.allSettled(answers);
  assert.deepEqual(
    ended.filter(({ status }) => status === 'fulfilled').map((one) => (one as { value: number }).value),
    Array.from({ length: most }, () => piece.length),
  );
  const again = send('/piece');
  await until('another', () => held.length > answers.length);
  held.at(-1)?.();
  assert.equal((await again).status, 200);
});

test('a verb in small letters goes as it is, and nothing is said of it on the terminal', async () => {
  const said: Error[] = [];
  const hear = (warning: Error) => void said.push(warning);
  process.on('warning', hear);
  // Node's server knows no such verb.
  assert.equal((await send('/d', { method: 'patch' })).status, 400);
  process.off('warning', hear);
  assert.deepEqual(said, []);
});
