import assert from 'node:assert/strict';
import test from 'node:test';
import type { SandboxOptions, SourceCoverage } from '../../src/sandbox/index.ts';
import { bundled } from './support/bundled.ts';
import { aProgram, aRequest, aSandbox, echoHost } from './support/sandbox.ts';

const source = `interface Input { amount: number; kind?: string }

const half = (amount: number): number => amount / 2;

export default async function (sdk: { argument: Input }) {
  const { amount, kind }: Input = sdk.argument;
  if (amount < 0) {
    throw new Error('negative');
  }
  if (kind === 'half') return half(amount);
  return [amount].map((one) => one * 2);
}
`;

/** A sandbox that counts, and what it has told. */
function counting(): { sandbox: ReturnType<typeof aSandbox>; told: SourceCoverage[] } {
  const told: SourceCoverage[] = [];
  const onCoverage: SandboxOptions['onCoverage'] = (sources) => told.push(...sources);
  return { sandbox: aSandbox({ processes: 1, onCoverage }), told };
}

/** Each range as its author wrote it, with how often it ran. */
function written({ functions }: SourceCoverage): [string, number][] {
  return functions.flatMap(({ ranges }) =>
    ranges.map(({ startOffset, endOffset, count }): [string, number] => [source.slice(startOffset, endOffset), count]),
  );
}

for (const minify of [false, true]) {
  test(`what runs is told at the places of its source${minify ? ', also of minified code' : ''}`, async () => {
    const { sandbox, told } = counting();
    const program = await bundled(source, 'größe', { minify });
    await sandbox.invoke(program, aRequest({ argument: { amount: 4 } }), echoHost);
    await sandbox.invoke(program, aRequest({ argument: { amount: 4, kind: 'half' } }), echoHost);

    const [first, second] = told;
    assert.ok(first && second);
    assert.equal(first.source, 'functions/größe.ts');
    assert.deepEqual(written(first)[0], [source, 1]);
    const ran = (one: SourceCoverage, beginning: string) =>
      written(one).find(([text]) => text.replace(/^\(/, '').startsWith(beginning));
    if (!minify) {
      assert.deepEqual(ran(first, '{\n    throw'), ["{\n    throw new Error('negative');\n  }", 0]);
      assert.deepEqual(ran(first, 'one) =>'), ['(one) => one * 2', 1]);
    }
    assert.equal(ran(first, 'amount: number)')?.[1], 0);
    assert.equal(ran(second, 'amount: number)')?.[1], 1);
  });
}

for (const [limit, body, status] of [
  ['time', 'while (sdk.argument.forever);', 'timeout'],
  ['memory', 'for (const kept = []; sdk.argument.forever; ) kept.push(new Array(1e5).fill(kept.length));', 'memory'],
] as const) {
  test(`what an invocation ran that was ended at its limit of ${limit} is not known, and the next one is counted again`, async () => {
    const { sandbox, told } = counting();
    const program = await bundled(`export default (sdk) => { ${body} return 1; };`, 'loop');
    const limits = { ...aRequest().limits, wallMs: 5_000, cpuMs: limit === 'time' ? 50 : 5_000, memoryMb: 16 };
    for (let round = 0; round < 12; round++) {
      const ended = await sandbox.invoke(program, aRequest({ argument: { forever: true }, limits }), echoHost);
      assert.equal(ended.status, status);
      const before = told.length;
      const outcome = await sandbox.invoke(program, aRequest({ argument: {}, limits }), echoHost);
      assert.equal(outcome.status, 'ok');
      assert.equal(told.length, before + 1);
    }
    assert.equal(sandbox.stats().killed, 0);
  });
}

test('programs that are replaced while they are counted go, and their process stays', async () => {
  const { sandbox, told } = counting();
  for (let round = 0; round < 6; round++) {
    const program = await bundled(`export default () => ${round};`, 'saved', { minify: false });
    const outcome = await sandbox.invoke(program, aRequest({ isolation: round % 2 ? 'warm' : 'fresh' }), echoHost);
    assert.equal(outcome.status === 'ok' && outcome.result, round);
    sandbox.retire(program.id);
  }
  assert.equal(told.length, 6);
  assert.equal(sandbox.stats().killed, 0);
});

test('a program without a source map runs, and nothing is told of it', async () => {
  const { sandbox, told } = counting();
  const outcome = await sandbox.invoke(aProgram('return 7;'), aRequest(), echoHost);
  assert.equal(outcome.status === 'ok' && outcome.result, 7);
  assert.deepEqual(told, []);
});
