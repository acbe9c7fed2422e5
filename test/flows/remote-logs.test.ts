import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFn } from '../cli/context.ts';
import { json, weather } from '../client/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** What is said when the connection breaks once before a line has come; a line that is none ends it. */
async function brokenOnce(page: object): Promise<string> {
  const folder = temporaryFolder('fn-logs');
  let streams = 0;
  const server = await weather((request, response, socket) => {
    if (request.headers.accept !== 'text/event-stream') return json(response, 200, { items: [], ...page });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    if (++streams === 1) response.write(': open\n\n', () => socket.destroy());
    else response.end('event: gap\ndata: {"missed": null}\n\nevent: log\ndata: {\n\n');
  });
  try {
    const env = { XDG_CONFIG_HOME: folder, FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 'tok_live_1' };
    return (await runFn(['logs', '--follow', '--of', 'shop'], { cwd: folder, env })).err;
  } finally {
    await server.close();
  }
}

test('what is followed from a place of the list goes on there after a break: nothing is said to be missing', async () => {
  const err = await brokenOnce({ nextCursor: null, resumeCursor: 'c1' });
  assert.match(err, /connected again after \d+ s$/m);
  assert.doesNotMatch(err, /missing/);
  assert.match(err, /lines may have been missed/, 'a gap of which nobody knows whether anything was in it');
});

test('what is followed from no place misses what came meanwhile, and says so', async () => {
  assert.match(await brokenOnce({ nextCursor: null }), /lines of that time are missing here/);
});

for (const [answer, said] of [
  [200, /answered functions\.logs with other JSON, which no workspace does/],
  [302, /redirects the request to/],
] as const) {
  test(`what answers the first event stream with ${answer} and no stream ends it, with the cause`, async () => {
    const folder = temporaryFolder('fn-logs');
    const server = await weather((request, response) => {
      if (request.headers.accept !== 'text/event-stream') return json(response, 200, { items: [], nextCursor: null });
      response.writeHead(answer, { 'content-type': 'application/json', location: 'http://portal.test/' });
      response.end('{"hello":"portal"}');
    });
    try {
      const env = { XDG_CONFIG_HOME: folder, FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 'tok_live_1' };
      const { exitCode, err } = await runFn(['logs', '--follow', '--of', 'shop'], { cwd: folder, env });
      assert.equal(exitCode, 7);
      assert.match(err, said);
      assert.doesNotMatch(err, /connection lost/);
    } finally {
      await server.close();
    }
  });
}

test('a listed line that is none is refused before anything is printed', async () => {
  const folder = temporaryFolder('fn-logs');
  const line = { at: '2026-11-20T08:00:00.000Z', level: 'info', text: { of: 'another version' }, function: 'api/pay' };
  const server = await weather((_, response) => json(response, 200, { items: [line], nextCursor: null }));
  try {
    const env = { XDG_CONFIG_HOME: folder, FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 'tok_live_1' };
    const { exitCode, out, err } = await runFn(['logs', '--of', 'shop'], { cwd: folder, env });
    assert.deepEqual([exitCode, out], [7, ''], err);
    assert.match(err, /something else than a line of a log/);
  } finally {
    await server.close();
  }
});

test('nothing that a function logs can look like another line of the log', async () => {
  const folder = temporaryFolder('fn-logs');
  const at = '2026-11-20T08:00:00.000Z';
  const text = `paid\r\n${at} info  api/pay refunded\r${at} info  api/pay refunded\n\u001b[2J${at} info  api/pay refunded`;
  const line = { at, level: 'info', text, function: 'api/pay' };
  const server = await weather((_, response) => json(response, 200, { items: [line], nextCursor: null }));
  try {
    const env = { XDG_CONFIG_HOME: folder, FN_BASE_URL: server.url, FN_WORKSPACE: 'acme', FN_TOKEN: 'tok_live_1' };
    const { out } = await runFn(['logs', '--of', 'shop'], { cwd: folder, env });
    assert.match(out, /^2026\S+ info {2}api\/pay paid\n/);
    assert.equal(out.match(/refunded/g)?.length, 3);
    assert.equal(out.match(/^\S/gm)?.length, 1, out);
  } finally {
    await server.close();
  }
});
