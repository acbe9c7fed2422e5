/**
 * Functions that go for the server that runs them: by what they return, by what they fetch, by calling themselves. After each: the
 * server answers, nothing went wrong in it unforeseen, and its memory stayed within bounds.
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after } from 'node:test';
import { gzipSync } from 'node:zlib';
import { anEmulator, method } from '../emulator/an-emulator.ts';
import { until } from '../until.ts';
import { watchForCrashes } from './crashes.ts';

const mb = 1024 * 1024;
const answers: Record<string, Buffer> = {
  '/big': Buffer.alloc(9 * mb, 'a'),
  '/bomb': gzipSync(Buffer.alloc(100 * mb)),
};
const elsewhere = createServer(({ url = '' }, response) => {
  if (url === '/bomb') response.setHeader('content-encoding', 'gzip');
  response.on('error', () => {});
  response.end(answers[url] ?? 'plain');
});
await new Promise<void>((listening) => elsewhere.listen(0, '127.0.0.1', listening));
after(() => {
  elsewhere.closeAllConnections();
  elsewhere.close();
});
const there = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;

/** Puts something else in the place of what the platform reads of a Response. */
const pretending = (member: string, value: string) =>
  `Object.defineProperty(Response.prototype, '${member}', { get() { return ${value}; } }); return new Response('x');`;
const headers = (each: string) => pretending('headers', `{ forEach(each) { ${each} } }`);

interface Attack {
  readonly body: string;
  readonly status: readonly number[];
  readonly answer: RegExp;
}

const residentMb = () => process.memoryUsage.rss() / mb;
const noResponse = { status: [502], answer: /result_invalid/ };
const attacks: Record<string, Attack> = {
  'a Response without parts': {
    body: 'Object.prototype.toJSON = () => null; return new Response("x");',
    ...noResponse,
  },
  'a Response whose headers are a number': {
    body: 'Array.prototype.toJSON = () => 5; return new Response("x");',
    ...noResponse,
  },
  'a Response with a status that is text': { body: pretending('status', '"abc"'), ...noResponse },
  'a Response with a status of a thousand million': { body: pretending('status', '1e9'), ...noResponse },
  'a Response that changes the protocol': {
    body: pretending('status', '101'),
    status: [500],
    answer: /function_failed/,
  },
  'a header with a line of its own': { body: headers('each("a\\r\\nSet-Cookie: x=1", "x-a")'), ...noResponse },
  'a header name with a line of its own': { body: headers('each("a", "x-a\\r\\nset-cookie")'), ...noResponse },
  'a header that is no text': { body: headers('each({}, null)'), ...noResponse },
  'sixty big answers at once, all of them kept': {
    body: `const all = await Promise.all(Array.from({ length: 60 }, async () => (await fetch('${there}/big')).arrayBuffer())); return all.length;`,
    status: [500, 507],
    answer: /function_(failed|memory)/,
  },
  'an answer that unpacks to a hundred megabytes': {
    body: `return fetch('${there}/bomb').then((answer) => answer.text()).catch(({ message }) => message);`,
    status: [200],
    answer: /larger than 10485760 bytes/,
  },
  'an error of many errors, each with a stack of blank lines': {
    body: `const make = (depth) => {
      const held = depth > 0 ? Array.from({ length: 5 }, () => make(depth - 1)) : [];
      return Object.assign(new AggregateError(held, 'x'.repeat(8_000), { cause: held[0] && make(depth - 1) }), { stack: '\\n'.repeat(16_000) });
    }; throw make(4);`,
    status: [500],
    answer: /function_failed/,
  },
  'an error that tells how a method failed thirty times over, which told it thirty times over': {
    body: `const failed = await sdk.methods.call(sdk.context.function).catch((error) => error);
    const { invocationId } = failed.details ?? {};
    const one = (i) => Object.assign(new Error(i + 'x'.repeat(8_000)), { details: { invocationId, error: {} } });
    throw Object.assign(new AggregateError([1, 2, 3, 4, 5].map(one)), { cause: one(0) });`,
    status: [500],
    answer: /function_failed/,
  },
  'headers of a megabyte': { body: headers('each("a".repeat(1e6), "x-a")'), ...noResponse },
};

const { ask, events } = await anEmulator({
  functions: {
    ...Object.fromEntries(
      Object.values(attacks).map(({ body }, number) => [`api/attack-${number}`, method(body, ['GET'])]),
    ),
    'api/canary': method('return { well: true };', ['GET']),
  },
});
const at = (name: string) => `/custom-functions/shop/${name}.js`;

const crashes = watchForCrashes();

for (const [number, [name, { status, answer }]] of Object.entries(attacks).entries()) {
  test(`${name} does the server no harm`, { timeout: 60_000 }, async (t) => {
    const before = residentMb();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, residentMb());
    }, 20);
    t.after(() => clearInterval(watch));
    const response = await ask(at(`api/attack-${number}`));
    assert.match(await response.text(), answer);
    assert.ok(status.includes(response.status), `${response.status}`);
    await until('the record', () =>
      events.some((event) => event.type === 'invoked' && event.function === `api/attack-${number}`),
    );
    assert.deepEqual(await (await ask(at('api/canary'))).json(), { well: true });
    assert.deepEqual(
      events.filter(({ type }) => type === 'problem'),
      [],
    );
    assert.deepEqual(crashes, []);
    assert.ok(most - before < 500, `${Math.round(before)} → ${Math.round(most)} MB`);
  });
}
