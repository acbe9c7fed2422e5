import assert from 'node:assert/strict';
import { SourceMap } from 'node:module';
import { test } from 'node:test';
import { withClassNames } from '../../src/bundle/compiler/class-names.ts';
import { aBundler, anApp, evaluate } from './helpers.ts';

/** What the function `go` of a built app returns. */
async function resultOf(t: Parameters<typeof aBundler>[0], files: Record<string, string>): Promise<unknown> {
  const app = anApp(files);
  const { code } = await aBundler(t).build(app.source('go', { file: 'functions/go.ts' }));
  return structuredClone(await (await evaluate(code)).default());
}

test('a class that uses itself keeps its name', async (t) => {
  const result = await resultOf(t, {
    'functions/go.ts': `import { OrderError } from './_errors.ts';
class Money { static type = Money.name; static zero() { return new Money(); } }
export default () => [OrderError.missing('A-1').name, Money.type, Money.zero().constructor.name, String(OrderError.missing('A-1'))];`,
    'functions/_errors.ts': `export class OrderError extends Error {
  static missing(id: string) { return new OrderError(id); }
  constructor(message: string) { super(message); this.name = new.target.name; }
}`,
  });
  assert.deepEqual(result, ['OrderError', 'Money', 'Money', 'OrderError: A-1']);
});

test('classes of one name in several files keep it', async (t) => {
  const refused = 'export class Refused extends Error { static again() { return new Refused(); } }';
  const result = await resultOf(t, {
    'functions/go.ts': `import * as a from './_a.ts';
import * as b from './_b.ts';
import * as c from 'c';
export default () => [a.Refused, b.Refused, c.Refused, c.inner()].map((type) => type.name);`,
    'functions/_a.ts': refused,
    'functions/_b.ts': 'export class Refused extends Error { code = 1 }',
    'node_modules/c/package.json': '{"name":"c","main":"index.js"}',
    'node_modules/c/index.js': `${refused.replace('export ', '')}
exports.Refused = Refused;
exports.inner = () => { class Refused { code = 2 } return Refused; };`,
  });
  assert.deepEqual(result, ['Refused', 'Refused', 'Refused', 'Refused']);
});

test('a class of a package compiled to functions keeps its name', async (t) => {
  const result = await resultOf(t, {
    'functions/go.ts': `import { NotFound, Plain } from 'old';
export default () => [NotFound.name, new NotFound('x').name, new Plain().constructor.name, Plain.said(), Plain.text];`,
    'node_modules/old/package.json': '{"name":"old","main":"index.js"}',
    'node_modules/old/index.js': `var NotFound = /** @class */ (function (_super) {
    Object.setPrototypeOf(NotFound, _super);
    NotFound.prototype = Object.create(_super.prototype);
    function NotFound(message) {
        this.name = new.target.name;
    }
    return NotFound;
}(Error));
exports.NotFound = NotFound;
exports.Plain = function () {
  var Plain = exports.Hidden = /*#__PURE__*/function () {
    function Plain() {}
    Plain.said = function () {
      if (Plain)
        return [Plain].map(function (of) { return of.name; });
    };
    Plain.text = \`;
    function Plain2() {\`;
    return Plain;
  }();
  return Plain;
}();`,
  });
  assert.deepEqual(result, ['NotFound', 'NotFound', 'Plain', ['Plain'], ';\n    function Plain2() {']);
});

test('a class is called what its source calls it, with an underscore, a number or a name of its own', async (t) => {
  const result = await resultOf(t, {
    'functions/go.ts': `import { Step as Other } from './_step.ts';
class Step { static self = () => Step; code = 1 }
class Step2 extends Other { static self = () => Step2; }
class _Hidden { static self = () => _Hidden; }
class Row { static name = 'rows'; static self = () => Row; }
class Cell { static get name() { return 'cells'; } static self = () => Cell; }
const mixed = (options: { base: typeof Step }) => options.base;
class Wide extends mixed({
  base: Step,
}) { static self = () => Wide; }
const text = \`
var Shown = class _Shown {
  // not a class
\`;
export default () => [...[Step, Step2, _Hidden, Row, Cell, Other].map((type) => type.name), text];`,
    'functions/_step.ts': 'export class Step { code = 1 }',
  });
  const text = '\nvar Shown = class _Shown {\n  // not a class\n';
  assert.deepEqual(result, ['Step', 'Step2', '_Hidden', 'rows', 'cells', 'Step', text]);
});

test('lines and columns still map to the source of a class that got its name back', async (t) => {
  const app = anApp({
    'functions/go.js': `class Refused extends Error { static at(id) { return new Refused(id); } }
export default (id) => { throw Refused.at(id); };`,
  });
  const { code, sourceMap } = await aBundler(t).build(app.source('go'));
  const module = await evaluate(code);
  const error = await Promise.resolve()
    .then(() => module.default('A-1'))
    .catch((reason: unknown) => reason as Error);
  const [, line, column] = /bundle\.js:(\d+):(\d+)/.exec((error as Error).stack ?? '') ?? [];
  const origin = new SourceMap(JSON.parse(sourceMap)).findOrigin(Number(line), Number(column));
  assert.deepEqual('lineNumber' in origin && [origin.lineNumber, origin.columnNumber], [1, 54]);
});

test('a string that holds megabytes of minified classes does not hold up the build', () => {
  const worker = `(async (register) => {\n// worker.js\nvar text = "${'class A2 extends B{}'.repeat(150_000)}";\n})`;
  assert.equal(
    withClassNames(worker, () => 'class A {}'),
    worker,
  );
  const marks = `(async (register) => {\nvar text = \`${'\n// worker.js\nclass A3 {\n'.repeat(30_000)}\`;\n})`;
  assert.equal(
    withClassNames(marks, () => `class A3 {}${' '.repeat(1_000_000)}`),
    marks,
  );
});
