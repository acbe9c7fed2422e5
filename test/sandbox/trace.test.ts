import assert from 'node:assert/strict';
import test from 'node:test';
import type { Host } from '../../src/sandbox/index.ts';
import { Trace } from '../../src/sandbox/trace.ts';
import { FunctionError } from '../../src/std/index.ts';
import { bundled } from './support/bundled.ts';
import { aRequest, aSandbox, echoHost, programOf } from './support/sandbox.ts';

const sandbox = aSandbox();

const throwing = `type Order = { id: string };
const longNameOfNoUse = 1;

function find(order: Order): never {
  throw new RangeError(\`no order \${order.id}\`);
}

export default async function main(sdk: unknown) {
  await Promise.resolve();
  return [1].map(() => find({ id: 'A-' + longNameOfNoUse }));
}
`;

test('a stack names lines of the author’s TypeScript, and nothing of ours', async () => {
  const outcome = await sandbox.invoke(await bundled(throwing, 'api/deep'), aRequest(), echoHost);
  const stack = outcome.status === 'ok' ? '' : (outcome.error.stack ?? '');
  assert.match(stack, /^RangeError: no order A-1\n/);
  assert.match(stack, /functions\/api\/deep\.ts:5:9/);
  assert.match(stack, /functions\/api\/deep\.ts:10:/);
  assert.match(stack, /at Array\.map \(<anonymous>\)/);
  assert.doesNotMatch(stack, /fn:sandbox|isolated-vm|file:|node:|\/work|\/home|src\/sandbox/);
});

test('a file is named as it is on disk, whatever a source map makes of its name', async () => {
  const source = 'export default () => { throw new Error("here"); };';
  const outcome = await sandbox.invoke(await bundled(source, 'api/größe [1] 5%'), aRequest(), echoHost);
  assert.match(outcome.status === 'ok' ? '' : (outcome.error.stack ?? ''), /functions\/api\/größe \[1\] 5%\.ts:1:/);
});

test('the promise that we make of a result is no frame, one of the author’s own is', async () => {
  const source = (body: string) => `export default function main(sdk: unknown) {\n  ${body}\n}\n`;
  const stackOf = async (body: string) => {
    const outcome = await sandbox.invoke(await bundled(source(body), 'api/deep'), aRequest(), echoHost);
    return outcome.status === 'ok' ? '' : (outcome.error.stack ?? '');
  };
  assert.doesNotMatch(await stackOf("throw new Error('at once');"), /new Promise/);
  assert.match(
    await stackOf("return new Promise(() => { throw new Error('in a promise'); });"),
    /deep\.ts:2:\d+\)?\n\s+at new Promise \(<anonymous>\)\n\s+at .*deep\.ts:2:/,
  );
});

test('a stack in a log line and in a cause is mapped as well', async () => {
  const source = `${throwing}
export const x = 1;`.replace(
    'return [1]',
    'try { find({ id: "log" }); } catch (e) { console.error(e); throw new Error("outer", { cause: e }); }\n  return [1]',
  );
  const outcome = await sandbox.invoke(await bundled(source, 'api/deep'), aRequest(), echoHost);
  assert.match(outcome.logs[0]?.text ?? '', /no order log\n\s+at .*functions\/api\/deep\.ts:5:9/);
  assert.match(outcome.status === 'ok' ? '' : (outcome.error.cause?.stack ?? ''), /functions\/api\/deep\.ts:5:9/);
});

test('a module that throws while it loads is located, with its source line', async () => {
  await assert.rejects(
    sandbox.describe(
      await bundled('const a: number = 1;\n\nif (a) throw new Error("at load");\nexport default 1;\n', 'api/deep'),
    ),
    (error: unknown) => {
      assert.ok(error instanceof FunctionError);
      assert.deepEqual(error.location, {
        file: 'functions/api/deep.ts',
        line: 3,
        column: 14,
        text: 'if (a) throw new Error("at load");',
      });
      return true;
    },
  );
});

test('without a map the bundle’s own lines are named', async () => {
  const program = programOf(
    '(async (register) => {\n register({ default: async () => {\n throw new Error("x"); } }); })',
    'api/unmapped',
  );
  const outcome = await sandbox.invoke(program, aRequest(), echoHost);
  assert.match(outcome.status === 'ok' ? '' : (outcome.error.stack ?? ''), /api\/unmapped\.js:3:8/);
});

test('a map that is none, or that names files of this machine, is no way to read them', async () => {
  for (const map of [
    '{',
    '[]',
    '{"version":3,"sources":["/etc/passwd"],"mappings":"AAAA"}',
    '{"version":3,"sources":["file:///etc/hostname"],"sourcesContent":[null],"mappings":";;AAAA"}',
  ]) {
    const program = programOf(
      `(async (register) => { /* ${map.length} */\n throw new Error("x"); })`,
      'api/hostile',
      map,
    );
    await assert.rejects(sandbox.describe(program), (error: unknown) => {
      assert.ok(error instanceof FunctionError);
      assert.equal(error.location?.text, undefined);
      return true;
    });
  }
});

test('what fails outside of the sandbox names the line of the author who waits for it', async () => {
  const host: Host = { ...echoHost, fetch: () => Promise.reject(new TypeError('fetch failed: connection refused')) };
  const failureOf = async (body: string) => {
    const source = `async function work() {\n  ${body}\n}\nexport default async () => await work();\n`;
    const outcome = await sandbox.invoke(await bundled(source, 'api/outside'), aRequest(), host);
    assert.equal(outcome.status, 'error');
    return outcome.status === 'error' ? outcome.error : assert.fail();
  };
  const failures = [
    await failureOf("await fetch('https://shop.example/');"),
    await failureOf("await Promise.all([1, fetch('https://shop.example/')]);"),
    await failureOf("await new Response('a').formData();"),
    await failureOf(
      "await new Request('https://shop.example/', { method: 'POST', body: 'a', headers: { 'content-type': 'multipart/form-data; boundary=b' } }).formData();",
    ),
    await failureOf("await crypto.subtle.digest('SHA-0', new Uint8Array(1));"),
    await failureOf(
      'const signal = AbortSignal.timeout(0); while (true) { signal.throwIfAborted(); await new Promise((go) => setTimeout(go)); }',
    ),
  ];
  for (const { stack } of failures) assert.match(stack ?? '', /functions\/api\/outside\.ts:2:\d+/);
  assert.deepEqual(
    failures.map(({ name }) => name),
    ['TypeError', 'TypeError', 'TypeError', 'TypeError', 'NotSupportedError', 'TimeoutError'],
  );
});

test('a reason of the author’s own is thrown as it is, from where it was made', async () => {
  const source = `const early = () => new Error('given up');
export default async () => {
  const stop = new AbortController();
  stop.abort(early());
  await fetch('https://shop.example/', { signal: stop.signal }).catch((error) => {
    if (error !== stop.signal.reason) throw new Error('another');
  });
  stop.signal.throwIfAborted();
};
`;
  const outcome = await sandbox.invoke(await bundled(source, 'api/reason'), aRequest(), echoHost);
  assert.match(outcome.status === 'error' ? (outcome.error.stack ?? '') : '', /^Error: given up\n.*reason\.ts:1:/);
});

const failing = async (body: string, before = '') => {
  const source = `${before}\nexport default async () => {\n  ${body}\n};\n`;
  const outcome = await sandbox.invoke(await bundled(source, 'api/price', { minify: false }), aRequest(), echoHost);
  assert.equal(outcome.status, 'error');
  return outcome.error;
};

test('an error goes by its class where it gives itself no name', async () => {
  const classes = `class PriceError extends TypeError {}
class Refused extends Error {}
class Named extends Error { name = 'Given'; }
`;
  const namesOf = async (body: string) => {
    const { name, stack = '' } = await failing(body, classes);
    return [name, stack.split('\n')[0]];
  };
  assert.deepEqual(await namesOf("throw new Refused('no');"), ['Refused [Error]', 'Refused [Error]: no']);
  assert.deepEqual(await namesOf("throw new Named('no');"), ['Given', 'Given: no']);
  assert.deepEqual(await namesOf("throw new DOMException('no', 'AbortError');"), ['AbortError', 'AbortError: no']);
  const own = await failing("throw new PriceError('no');", 'class PriceError extends Error {}');
  assert.equal(own.name, 'PriceError');
  assert.match(own.stack ?? '', /^PriceError: no\n/);
});

test('an anonymous default export is called default, and a second class of a name as its source calls it', async () => {
  const { stack = '', name } = await failing(
    "inner(() => { class PriceError extends Error {} throw new PriceError('no'); });",
    'class PriceError extends Error {}\nconst inner = (go: () => void) => go();\nexport const other = PriceError;',
  );
  assert.equal(name, 'PriceError');
  assert.match(stack, /at (?:async )?default \(functions\/api\/price\.ts:5:/);
  assert.doesNotMatch(stack, /price_default/);
});

test('frames call a class that uses itself as its source calls it', async () => {
  const { stack = '', name } = await failing(
    'PriceError.refuse();',
    "class PriceError extends Error { static refuse() { throw new PriceError('no'); } }",
  );
  assert.equal(name, 'PriceError');
  assert.match(stack, /^PriceError: no\n\s+at PriceError\.refuse \(functions\/api\/price\.ts:1:/);
});

test('what an error says of itself beside its message is told, briefly and without running getters', async () => {
  const { fields } = await failing(
    "throw Object.assign(new Error('no'), { code: 'no_price', lines: [{ sku: 'A-1' }] });",
  );
  assert.equal(fields, "code: 'no_price',\n  lines: [ { sku: 'A-1' } ]");
  const lazy = await failing(
    "throw Object.defineProperty(new Error('no'), 'later', { enumerable: true, get() { throw 1; } });",
  );
  assert.equal(lazy.fields, 'later: [Getter]');
  const large = await failing("throw Object.assign(new Error('no'), { all: Array(100).fill('x'.repeat(400)) });");
  assert.ok((large.fields ?? '').length < 5_000);
  assert.equal((await failing("throw new Error('no');")).fields, undefined);
});

test('of what Promise.any holds, also what is no error is told', async () => {
  const { errors = [], fields } = await failing(
    "await Promise.any([Promise.reject(new Error('a')), Promise.reject('b')]);",
  );
  assert.deepEqual(
    errors.map(({ message }) => message),
    ['a', 'b'],
  );
  assert.equal(fields, undefined);
});

test('a list of errors that a class keeps is told once, a list of facts as it is', async () => {
  const errors = await failing("throw Object.assign(new Error('no'), { errors: [new Error('a')] });");
  assert.deepEqual([errors.fields, errors.errors?.[0]?.message], [undefined, 'a']);
  const facts = await failing("throw Object.assign(new Error('no'), { errors: [{ path: '/a' }] });");
  assert.deepEqual([facts.fields, facts.errors], ["errors: [ { path: '/a' } ]", undefined]);
});

test('a cause that is not an error, and was not thrown, is told as it is', async () => {
  const { cause } = await failing("throw new Error('refused', { cause: 'The shop is closed' });");
  assert.deepEqual([cause?.name, cause?.message], ['', 'The shop is closed']);
  const { cause: facts } = await failing("throw new Error('refused', { cause: { status: 503 } });");
  assert.deepEqual([facts?.name, facts?.message], ['', '{ status: 503 }']);
  const { errors } = await failing("return Promise.any([Promise.reject('late'), Promise.reject(new Error('a'))]);");
  assert.deepEqual(
    errors?.map(({ message }) => message),
    ['late', 'a'],
  );
});

test('an object that only looks like an error is told with its fields', async () => {
  const { name, message, fields } = await failing("throw { name: 'AxiosError', message: 'no', status: 404 };");
  assert.deepEqual([name, message, fields], ['AxiosError', 'no', 'status: 404']);
});

test('a module that fails while it loads says what caused it', async () => {
  const source = `const read = () => { throw Object.assign(new Error('no file'), { code: 'ENOENT' }); };
let config: unknown;
try { config = read(); } catch (cause) { throw new Error('no config', { cause }); }
export default () => config;
`;
  await assert.rejects(sandbox.describe(await bundled(source, 'api/loading', { minify: false })), (error) => {
    assert.ok(error instanceof FunctionError);
    assert.equal(error.run?.frames[0], 'at functions/api/loading.ts:3:48');
    assert.deepEqual(error.run?.causes, ["caused by Error: no file (functions/api/loading.ts:1:42)\n  code: 'ENOENT'"]);
    return true;
  });
});

const good = { version: 3, sources: ['a.ts'], sourcesContent: ['x'], names: [], mappings: 'AAAA;AAAAA' };
for (const [what, map] of Object.entries({
  'no JSON': '{',
  null: null,
  'sources that are null': { ...good, sources: null },
  'sources that are numbers': { ...good, sources: [5] },
  'texts that are one': { ...good, sourcesContent: 'x' },
  'texts that are objects': { ...good, sourcesContent: [{}] },
  'mappings that are none': { ...good, mappings: 5 },
  'sections that are none': { ...good, sections: [null] },
})) {
  test(`a source map with ${what} costs a failure its places, nothing else`, async () => {
    // Of its own: what is known of a program is known by its code.
    const code = `(async (register) => register({ default() { class Fault2 extends Error {} console.log(new Fault2("logged ${what}")); throw new Fault2("no"); } }))`;
    const sourceMap = typeof map === 'string' ? map : JSON.stringify(map);
    const outcome = await sandbox.invoke({ ...programOf(code, `map-${what}`), sourceMap }, aRequest(), echoHost);
    assert.equal(outcome.status === 'ok' ? '' : outcome.error.message, 'no');
    assert.match(outcome.logs[0]?.text ?? '', /logged/);
  });
}

test('a log line of forty thousand frames is mapped without a search through the source for each', () => {
  const source = 'price '.padEnd(2_000_000, 'q');
  const sourceMap = JSON.stringify({
    version: 3,
    sources: ['x.js'],
    sourcesContent: [source],
    names: [],
    mappings: 'AAAA',
  });
  const trace = new Trace({ id: 'x', app: 'shop', name: 'x', code: '', sourceMap });
  const frames = Array.from({ length: 40_000 }, (_, i) => `    at q${i}z9 (${trace.url}:2:1)`);
  const lines = trace.text([`    at price2 (${trace.url}:2:1)`, ...frames].join('\n')).split('\n');
  assert.deepEqual([lines.length, lines[0], lines[1]], [40_001, '    at price (x.js:1:1)', '    at q0z9 (x.js:1:1)']);
});
