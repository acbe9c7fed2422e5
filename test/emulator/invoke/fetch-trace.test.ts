import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { after, test } from 'node:test';
import { parseTraceparent, spanIdOf } from '../../../src/std/index.ts';
import { anEmulator, method } from '../an-emulator.ts';

const received: IncomingHttpHeaders[] = [];
const server = createServer((request, response) => {
  received.push(request.headers);
  if (request.url === '/moved') return void response.writeHead(302, { location: '/here' }).end();
  response.end('{}');
}).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
after(() => {
  server.close();
  server.closeAllConnections();
});
const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;

const here = await anEmulator({
  functions: {
    'api/ask': method(
      'const { path, headers } = await sdk.request.json(); await fetch(path, { headers }); return sdk.context.invocationId;',
    ),
  },
});

async function ask(path: string, headers: Record<string, string> = {}, sent: Record<string, string> = {}) {
  received.length = 0;
  const response = await here.post('/custom-functions/shop/api/ask.js', { path: `${url}${path}`, headers }, sent);
  assert.equal(response.status, 200);
  return { invocationId: String(await response.json()), received: [...received] };
}

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

test('the fetch of a function passes its trace on, with the invocation as its span', async () => {
  const asked = await ask('/', {}, { traceparent, tracestate: 'fn=2' });
  const [{ traceparent: passed, tracestate } = {}] = asked.received;
  assert.equal(passed, `00-${'a'.repeat(32)}-${spanIdOf(asked.invocationId)}-01`);
  assert.equal(tracestate, 'fn=2');
});

test('a function that was called without a trace begins one', async () => {
  const [first, second] = [await ask('/'), await ask('/')];
  const ids = [first, second].map(({ received: [headers] }) => parseTraceparent(String(headers?.['traceparent'])));
  assert.notEqual(ids[0], undefined);
  assert.notEqual(ids[0], ids[1]);
});

test('each request of a redirect passes it on', async () => {
  const { received: requests } = await ask('/moved');
  assert.equal(requests.length, 2);
  assert.equal(requests[0]?.['traceparent'], requests[1]?.['traceparent']);
});

test('a function that sends its own traceparent or tracestate speaks for itself', async () => {
  const own = `00-${'c'.repeat(32)}-${'d'.repeat(16)}-00`;
  const [{ traceparent: sent, tracestate } = {}] = (await ask('/', { TraceParent: own })).received;
  assert.deepEqual([sent, tracestate], [own, undefined]);
  const [other] = (await ask('/', { tracestate: 'mine=1' })).received;
  assert.deepEqual([other?.['traceparent'], other?.['tracestate']], [undefined, 'mine=1']);
});
