import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fetchLimits, outgoingFetch } from '../../../src/emulator/invoke/fetch/outgoing-fetch.ts';
import type { FetchRequest } from '../../../src/sandbox/index.ts';
import { weather } from '../../client/server.ts';
import { until } from '../../until.ts';

const piece = Buffer.alloc(9 * 1024 * 1024);

const other = await weather(({ headers }, response) => void response.end(JSON.stringify(headers)));
const server = await weather(({ path, body }, response) => {
  if (path === '/nowhere') response.writeHead(302, { Location: 'http://[' }).end();
  else if (path === '/elsewhere') response.writeHead(307, { Location: `${other.url}/` }).end();
  else response.end(`${path} ${body}`);
});
after(() => Promise.all([server.close(), other.close()]));

const never = new AbortController().signal;

function send(path: string, { allow, ...given }: Partial<FetchRequest> & { allow?: readonly string[] } = {}) {
  return outgoingFetch({ url: `${server.url}${path}`, method: 'GET', headers: [], ...given }, allow, never);
}

const whole = async (answer: ReturnType<typeof send>) => new Response((await answer).body as ReadableStream);
const textOf = async (answer: ReturnType<typeof send>) => (await whole(answer)).text();

for (const length of ['3', '5', '9', 'x']) {
  test(`a body goes with its own length, not with a given one of ${length}`, async () => {
    const headers = [['content-length', length]] as const;
    assert.equal(await textOf(send('/a', { method: 'POST', headers, body: Buffer.from('hello') })), '/a hello');
  });
}

test('headers without end are refused before they are put into order', async () => {
  const most = fetchLimits.headerBytes / 8;
  const headers = Array.from({ length: most }, (_, i) => [`x-${i.toString(36).padStart(4, '0')}`, 'ab'] as const);
  await assert.rejects(
    send('/a', { headers: [...headers, ['a', 'b']] }),
    /^Error: fetch failed: the headers of the request are larger than \d+ bytes$/,
  );
});

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

test('a redirect to an address that is none is an error that names both', async () => {
  await assert.rejects(send('/nowhere'), {
    message: `fetch failed: ${new URL(server.url).origin} redirects to an invalid address: http://[`,
  });
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

test('what has come of answers and nobody has taken is bounded together, and there is room again afterwards', async () => {
  const begun = async () => new Response(new ReadableStream({ start: (stream) => stream.enqueue(piece) }));
  const ask = (signal: AbortSignal) =>
    outgoingFetch({ url: server.url, method: 'GET', headers: [] }, undefined, signal, begun);
  const most = Math.floor(fetchLimits.heldBytes / piece.length);
  const wants = Array.from({ length: most }, () => new AbortController());
  const [taken] = await Promise.all(wants.map(({ signal }) => ask(signal)));
  await assert.rejects(ask(never), /^Error: fetch failed: too many large answers are on their way at once$/);
  wants[1]?.abort();
  assert.equal((await ask(never)).status, 200);
  await assert.rejects(ask(never));
  assert.ok(taken?.body && Symbol.asyncIterator in taken.body);
  for await (const bytes of taken.body) {
    assert.equal(bytes.byteLength, piece.length);
    break;
  }
  assert.equal((await ask(never)).status, 200);
});

for (const [what, asked] of Object.entries({
  'that has to be what was promised': { integrity: `sha256-${'A'.repeat(43)}=` },
  'that is wanted as a whole': { whole: true },
})) {
  test(`an answer ${what} counts until its end`, async () => {
    let taken = 0;
    const endless = async () =>
      new Response(
        new ReadableStream(
          { start: (stream) => stream.enqueue(piece), pull: () => new Promise(() => taken++) },
          { highWaterMark: 1 },
        ),
      );
    const ask = (signal: AbortSignal) =>
      outgoingFetch({ url: server.url, method: 'GET', headers: [], ...asked }, undefined, signal, endless);
    const most = Math.floor(fetchLimits.heldBytes / piece.length);
    const wants = new AbortController();
    for (let i = 0; i < most; i++) ask(wants.signal).catch(() => {});
    await until('all have come', () => taken === most);
    await assert.rejects(ask(never), /too many large answers/);
    wants.abort();
  });
}

test('a verb in small letters goes as it is, and nothing is said of it on the terminal', async () => {
  const said: Error[] = [];
  const hear = (warning: Error) => void said.push(warning);
  process.on('warning', hear);
  // Node's server knows no such verb.
  assert.equal((await send('/d', { method: 'patch' })).status, 400);
  process.off('warning', hear);
  assert.deepEqual(said, []);
});

test('what goes on arriving is handed out as it comes, and left when nobody wants it any more', async () => {
  const wants = new AbortController();
  let left = false;
  const slow = await weather((_, response) => {
    response.on('close', () => {
      left = true;
    });
    response.write('first');
  });
  const request = { url: slow.url, method: 'GET', headers: [] };
  const { body } = await outgoingFetch(request, undefined, wants.signal);
  assert.ok(body && Symbol.asyncIterator in body);
  const pieces = body[Symbol.asyncIterator]();
  assert.equal(String(Buffer.from((await pieces.next()).value ?? [])), 'first');
  const waiting = pieces.next();
  wants.abort();
  await assert.rejects(waiting);
  await until('the connection is closed', () => left);
  await slow.close();
});

test('a network that fails is told in words that libraries know, its cause in ours', async () => {
  const closed = await weather((_, response) => void response.destroy());
  const failure: Error = await send('', { url: closed.url }).then(
    () => assert.fail('it was answered'),
    (error) => error,
  );
  await closed.close();
  const code = 'UND_ERR_SOCKET';
  assert.equal(failure.message, 'fetch failed');
  assert.deepEqual({ ...(failure.cause as Error) }, { code });
  assert.equal((failure.cause as Error).message, `${new URL(closed.url).host} (${code})`);
});

for (const [metadata, matches] of [
  ['sha256-zNWemW7ozEKxx/6eNbhP5b6isHwPiYvU1g9808PHYWs=', true],
  ['sha256-AAAA', false],
  ['sha256-AAAA sha256-zNWemW7ozEKxx/6eNbhP5b6isHwPiYvU1g9808PHYWs=?x', true],
  ['sha512-AAAA sha256-zNWemW7ozEKxx/6eNbhP5b6isHwPiYvU1g9808PHYWs=', false],
  ['md5-AAAA', true],
] as const) {
  test(`an answer ${matches ? 'matches' : 'does not match'} ${metadata}`, async () => {
    const answer = send('/a', { integrity: metadata });
    if (matches) assert.equal(await textOf(answer), '/a ');
    else await assert.rejects(answer, /does not match sha/);
  });
}

test('who wants nothing from a cache says so to those on the way', async () => {
  const headers = await textOf(send('', { url: other.url, cache: 'no-store' }));
  assert.match(headers, /"cache-control":"no-cache"/);
});
