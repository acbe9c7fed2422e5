import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { invoke, linesOf } from './support/web.ts';

test('values are shown as Node shows them', async () => {
  const lines = await linesOf(`
    console.log({ a: 1, b: 'two', c: [1, 2, 3], d: null, e: undefined, f() {}, g: class A extends Map {} });
    console.log([1, , 'x'], new Map([['k', { v: 1 }]]), new Set([1n]));
    console.log(new Date(0), /x/gi, Symbol('s'), -0, 'text', ['text']);
    console.log(new Uint8Array([1, 2]), new ArrayBuffer(3), Object.create(null), Promise.resolve(1));
    console.log({ deep: { er: { than: { shown: 1 } } } });
    class Order { constructor() { this.id = 7; } get total() { return 1; } }
    console.log(new Order(), new Number(3), [undefined, null], { get a() { return 1; }, set a(v) {} });
  `);
  assert.deepEqual(lines, [
    "{\n  a: 1,\n  b: 'two',\n  c: [ 1, 2, 3 ],\n  d: null,\n  e: undefined,\n  f: [Function: f],\n  g: [class A extends Map]\n}",
    "[ 1, <1 empty item>, 'x' ] Map(1) { 'k' => { v: 1 } } Set(1) { 1n }",
    "1970-01-01T00:00:00.000Z /x/gi Symbol(s) -0 text [ 'text' ]",
    'Uint8Array(2) [ 1, 2 ] ArrayBuffer { [Uint8Contents]: <00 00 00>, [byteLength]: 3 } [Object: null prototype] {} Promise {}',
    '{ deep: { er: { than: [Object] } } }',
    'Order { id: 7 } [Number: 3] [ undefined, null ] { a: [Getter/Setter] }',
  ]);
});

test('objects of the web show what they hold, not how they are made', async () => {
  const lines = await linesOf(`
    console.log(new Headers({ a: 'b' }), new URLSearchParams('a=1&a=2'), new ReadableStream(), new Blob(['x'], { type: 't/x' }), crypto);
    console.log(new URL('http://a.b/c?d').href, new URL('http://a.b'));
    const form = new FormData(); form.append('a', '1'); console.log(form, AbortSignal.abort());
    const response = new Response('x', { status: 201 }); console.log(response);
  `);
  assert.equal(
    lines[0],
    "Headers { a: 'b' } URLSearchParams { 'a' => '1', 'a' => '2' } ReadableStream { locked: false } Blob { size: 1, type: 't/x' } Crypto {}",
  );
  assert.match(lines[1] ?? '', /^http:\/\/a.b\/c\?d URL \{\n {2}href: 'http:\/\/a.b\/',/);
  assert.equal(lines[2], "FormData { a: '1' } AbortSignal { aborted: true }");
  assert.match(lines[3] ?? '', /^Response \{\n {2}status: 201,/);
});

test('an error with fields keeps its braces when frames of the platform are left out', async () => {
  const [line = ''] = await linesOf(`try { new URL('nope'); } catch (error) { error.more = 1; console.log(error); }`);
  assert.match(line, / \{\n {2}code: 'ERR_INVALID_URL',\n {2}more: 1\n\}$/);
  assert.doesNotMatch(line, /fn:sandbox/);
});

test('a long list of numbers stands in columns as wide as its numbers', async () => {
  const numbers = Array.from({ length: 104 }, (_, i) => i);
  const [line] = await linesOf('console.log(Array.from({ length: 104 }, (_, i) => i));');
  assert.equal(line, inspect(numbers));
});

test('lists share lines in columns, and levels share a line, as in Node', async () => {
  const values = [
    "['apple', 'banana', 'cherry', 'date', 'elder', 'fig', 'grape', 'honeydew']",
    "Array.from({ length: 120 }, (_, i) => 'item' + i)",
    "Array.from({ length: 10 }, (_, i) => [i, 'x'])",
    "['日本', 'x', 'y', 'z', '日本日本', 'u', 'v', '日', 'ab']",
    "[1, 'a', 2, 'b', 3, 'c', 4, 'd']",
    "['much longer than all the others are together', 'b', 'c', 'd', 'e', 'f', 'g']",
    "Object.assign(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], { x: 1 })",
    "new Set(['apple', 'banana', 'cherry', 'date', 'elder', 'fig', 'grape', 'honeydew'])",
    'new Uint8Array(30)',
    "{ a: 'x'.repeat(28), b: 'y'.repeat(28) }",
    "{ a: 'x'.repeat(30), b: 'y'.repeat(30) }",
    '{ a: { b: { c: {} } }, list: [[], [[[[]]]]] }',
    '{ a: { b: { c: [new Map(), new Set(), new Set([1])] } } }',
    "[{ a: new Map([[new Set(), 'x']]) }]",
    "[[['x', new Map()]]]",
  ];
  const lines = await linesOf(values.map((value) => `console.log(${value});`).join('\n'));
  const { runInThisContext } = await import('node:vm');
  const expected = values.map((value) => inspect(runInThisContext(`(${value})`), { breakLength: 80 }));
  assert.deepEqual(lines, expected);
});

test('text of several lines, tags, dates of a class and fields of a list are shown as in Node', async () => {
  const values = [
    "{ a: 'a line that is rather long and goes on for a while\\nand another line that is as long as the first' }",
    "{ list: ['short\\nlines', 'x'.repeat(70) + '\\ny'], map: new Map([['k', 'x'.repeat(80) + '\\ny']]) }",
    "['\\ud800', '\\u001b[0m']",
    "{ [Symbol.toStringTag]: 'own', a: 1 }",
    "new (class Tagged { get [Symbol.toStringTag]() { return 'inherited'; } })()",
    'new (class Day extends Date {})(0)',
    "new (class Pattern extends RegExp {})('a', 'g')",
    'new (class Bytes extends Uint8Array {})(2)',
    "Object.assign(new Error('no frames'), { stack: 'Error: no frames' })",
  ];
  const lines = await linesOf(values.map((value) => `console.log(${value});`).join('\n'));
  const { runInThisContext } = await import('node:vm');
  assert.deepEqual(
    lines,
    values.map((value) => inspect(runInThisContext(`(${value})`), { breakLength: 80 })),
  );
});

test('buffers show their bytes', async () => {
  const lines = await linesOf(`
    console.log(new DataView(new ArrayBuffer(3), 1)); console.log(new ArrayBuffer(200)); console.log(Buffer.alloc(51));
    const gone = new ArrayBuffer(2); gone.transfer(); console.log(gone);
  `);
  assert.deepEqual(lines, [
    'DataView {\n  [byteLength]: 2,\n  [byteOffset]: 1,\n  [buffer]: ArrayBuffer { [Uint8Contents]: <00 00 00>, [byteLength]: 3 }\n}',
    `ArrayBuffer {\n  [Uint8Contents]: <${'00 '.repeat(99)}00 ... 100 more bytes>,\n  [byteLength]: 200\n}`,
    `<Buffer ${'00 '.repeat(49)}00 ... 1 more byte>`,
    'ArrayBuffer { [Uint8Contents]: <>, [byteLength]: 0 }',
  ]);
});

test('console.dir shows an object itself, not what the object would show', async () => {
  const lines = await linesOf(`
    console.dir({ [Symbol.for('nodejs.util.inspect.custom')]: () => 'shown', a: 1 }, { depth: 0 });
  `);
  assert.match(lines[0] ?? '', /^\{\n {2}a: 1,\n {2}Symbol\(nodejs\.util\.inspect\.custom\): \[Function/);
});

test('an object that shows itself is told what Node tells it', async () => {
  const lines = await linesOf(`
    const custom = Symbol.for('nodejs.util.inspect.custom');
    class Money {
      constructor(amount) { this.amount = amount; }
      [custom](depth, options, inspect) {
        return options.stylize('Money<' + inspect(this.amount, options) + '>', 'special') + depth + options.breakLength;
      }
    }
    console.log({ price: new Money({ eur: 3 }) });
    console.log({ [custom]: () => 7 });
  `);
  assert.deepEqual(lines, ['{ price: Money<{ eur: 3 }>180 }', '7']);
});

test('an error is shown by the name of its class, and a name that its stack tells is told once', async () => {
  const lines = await linesOf(`
    class Refused extends Error {}
    class NotFoundError extends Error {}
    class ShopError extends Error { constructor(message) { super(message); this.name = 'ShopError'; this.status = 404; } }
    for (const error of [new Refused('a'), new NotFoundError('b'), new ShopError('c')]) console.log(error);
  `);
  const withoutFrames = lines.map((line) => line.replace(/\n {4}at [\s\S]*?(?= \{|$)/, ''));
  assert.deepEqual(withoutFrames, ['Refused [Error]: a', 'NotFoundError: b', 'ShopError: c {\n  status: 404\n}']);
});

test('a cycle is shown once and then named', async () => {
  const lines = await linesOf(`const a = { name: 'a' }; a.self = a; a.list = [a]; console.log(a);`);
  assert.deepEqual(lines, ["<ref *1> { name: 'a', self: [Circular *1], list: [ [Circular *1] ] }"]);
});

test('an error is shown with its stack, its cause and its own fields', async () => {
  const [line = ''] = await linesOf(`
    const error = new TypeError('outer', { cause: new RangeError('inner') });
    error.code = 'E_OUTER';
    console.error(error);
  `);
  assert.match(line, /^error TypeError: outer\n\s+at /);
  assert.match(line, /code: 'E_OUTER'/);
  assert.match(line, /\[cause\]: RangeError: inner\n\s+at /);
});

test('formats of the first argument are filled in', async () => {
  const lines = await linesOf(`
    console.log('%s is %d years, %i, %f, %j %o %O %% %c done', 'Ada', 36.5, 36.9, '1.50', { a: 1 }, [1], { b: 2 }, 'color: red');
    console.log('%s', { toString() { return 'own'; } }, 'rest', 1);
    console.log('%d %s', 5n);
    console.log('100%', 'of', '%s');
  `);
  assert.deepEqual(lines, [
    'Ada is 36.5 years, 36, 1.5, {"a":1} [ 1, [length]: 1 ] { b: 2 } %  done',
    'own rest 1',
    '5n %s',
    '100% of %s',
  ]);
});

test('formats convert objects as in Node: an error with its stack, a date to a number, a value that is not JSON to a note', async () => {
  const lines = await linesOf(`
    class Money { [Symbol.toPrimitive]() { return '3 EUR'; } }
    const circle = {}; circle.self = circle;
    console.log('%s|%s|%s', new Money(), new Date(0), { a: { b: 1 } });
    console.log('%d|%i|%d|%d', new Date(5), ['7'], {}, Object.create(null));
    console.log('%j|%j', circle, { toJSON() { throw new Error('no price'); } });
    console.log('failed: %s', new Error('broken'));
  `);
  assert.deepEqual(lines.slice(0, 3), [
    '3 EUR|1970-01-01T00:00:00.000Z|{ a: [Object] }',
    '5|7|NaN|NaN',
    '[Circular]|[not JSON: no price]',
  ]);
  assert.match(lines[3] ?? '', /^failed: Error: broken\n {4}at /);
});

test('levels are kept and lines come in the order in which they were written', async () => {
  const lines = await linesOf(`
    console.debug('a'); console.info('b'); console.warn('c'); console.error('d'); console.log('e');
    await null; console.trace('f');
  `);
  assert.deepEqual(lines.slice(0, 5), ['debug a', 'b', 'warn c', 'error d', 'e']);
  assert.match(lines[5] ?? '', /^debug Trace: f/);
});

test('a table is drawn', async () => {
  const lines = await linesOf(`
    console.table([{ name: 'Ada', age: 36 }, { name: 'Bo', city: 'Oslo' }]);
    console.table([{ a: 1, b: 2 }], ['b']);
    console.table(5); console.table(new Set(['x']));
  `);
  assert.deepEqual(lines, [
    [
      '┌─────────┬───────┬─────┬────────┐',
      '│ (index) │ name  │ age │ city   │',
      '├─────────┼───────┼─────┼────────┤',
      "│ 0       │ 'Ada' │ 36  │        │",
      "│ 1       │ 'Bo'  │     │ 'Oslo' │",
      '└─────────┴───────┴─────┴────────┘',
    ].join('\n'),
    ['┌─────────┬───┐', '│ (index) │ b │', '├─────────┼───┤', '│ 0       │ 2 │', '└─────────┴───┘'].join('\n'),
    '5',
    [
      '┌───────────────────┬────────┐',
      '│ (iteration index) │ Values │',
      '├───────────────────┼────────┤',
      "│ 0                 │ 'x'    │",
      '└───────────────────┴────────┘',
    ].join('\n'),
  ]);
});

test('groups indent, counts count, assertions speak only when they fail', async () => {
  const lines = await linesOf(`
    console.group('outer'); console.log('in'); console.group(); console.log('two\\nlines'); console.groupEnd(); console.groupEnd(); console.groupEnd();
    console.log('out');
    console.count(); console.count('x'); console.count(); console.countReset(); console.count(); console.countReset('nobody');
    console.assert(true, 'silent'); console.assert(false, 'loud %s', 'word'); console.assert(); console.assert(false, { a: 1 });
  `);
  assert.deepEqual(lines, [
    'outer',
    '  in',
    '    two\n    lines',
    'out',
    'default: 1',
    'x: 1',
    'default: 2',
    'default: 1',
    "warn Count for 'nobody' does not exist",
    'error Assertion failed: loud word',
    'error Assertion failed',
    'error Assertion failed { a: 1 }',
  ]);
});

test('timers of the console measure and complain', async () => {
  const lines = await linesOf(
    `console.time('t'); console.timeLog('t', 1); console.timeEnd('t'); console.timeEnd('t');`,
  );
  assert.match(lines[0] ?? '', /^t: [\d.]+ms 1$/);
  assert.match(lines[1] ?? '', /^t: [\d.]+ms$/);
  assert.equal(lines[2], "warn Timer 't' does not exist");
});

test('what cannot be shown never throws', async () => {
  const lines = await linesOf(`
    console.log(new Proxy({}, { ownKeys() { throw 1; }, get() { throw 2; }, getPrototypeOf() { throw 3; } }));
    console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('x'); } });
    const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); console.log(proxy);
    console.log('%s', { toString() { throw 1; } });
  `);
  assert.equal(lines.length, 4);
  for (const line of lines) assert.match(line, /cannot be inspected|could not be shown/);
});

test('a huge value is shown in part', async () => {
  const lines = await linesOf(`
    console.log(Array.from({ length: 5000 }, (_, i) => i));
    console.log('x'.repeat(50_000));
    console.log([['x'.repeat(50_000)]]);
    const wide = {}; for (let i = 0; i < 100_000; i++) wide['k' + i] = i; console.log(wide);
    const array = []; array.length = 4_000_000_000; console.log(array);
  `);
  assert.match(lines[0] ?? '', /\.\.\. 4900 more items/);
  assert.equal(lines[1]?.length, 50_000);
  assert.match(lines[2] ?? '', /\.\.\. 40000 more characters/);
  assert.ok((lines[3]?.length ?? 0) < 300_000);
  assert.equal(lines[4], '[ <4000000000 empty items> ]');
});

test('log lines above the limit are dropped with one word about it', async () => {
  const outcome = await invoke(`for (let i = 0; i < 100; i++) console.log('line ' + i); return 1;`, {
    limits: { logLines: 10 },
  });
  assert.equal(outcome.status, 'ok');
  assert.equal(outcome.logs.length, 11);
  assert.match(outcome.logs[10]?.text ?? '', /limit/);
});

test('log bytes above the limit are cut', async () => {
  const outcome = await invoke(`for (let i = 0; i < 100; i++) console.log('x'.repeat(1000)); return 1;`, {
    limits: { logBytes: 5_000 },
  });
  assert.equal(outcome.status, 'ok');
  const characters = outcome.logs.reduce((sum, { text }) => sum + text.length, 0);
  assert.ok(characters < 5_200, `${characters} characters were kept`);
});
