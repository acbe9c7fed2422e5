/**
 * Runs Web Platform Tests inside the sandbox: `node scripts/wpt.ts FOLDER [--area url,streams] [--test TEXT] [--verbose] [--save]`.
 * The folder stays outside the project; it holds run.mjs (which writes one function a test), manifest.json and reference.json.
 * Ends 1 when an area falls below test/conformance/wpt-score.json or the whole below 97 % of what Node itself reaches.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { type Host, type Limits, openSandbox, type Program, type Sandbox } from '../src/sandbox/index.ts';
import { type AreaScore, complaints, rises, type Score, totalOf } from './wpt-score.ts';

const scoreFile = join(dirname(fileURLToPath(import.meta.url)), '../test/conformance/wpt-score.json');

interface Reference {
  node: string;
  scores: Record<string, { pass: number; total: number }>;
}

interface GeneratedTest {
  area: string;
  test: string;
  body: string;
}

interface TestResult {
  pass: number;
  fail: number;
  failures: string[];
}

const limits: Limits = {
  wallMs: 60_000,
  cpuMs: 60_000,
  memoryMb: 256,
  resultBytes: 4 * 1024 * 1024,
  bodyBytes: 1024 * 1024,
  logLines: 1_000,
  logBytes: 1024 * 1024,
  pendingCalls: 100_000,
};

const prelude = `globalThis.__prelude = {
  open: (request) => request,
  close: async (value) => ({ json: JSON.stringify(value) }),
};0;`;

const noHost: Host = {
  call: async (operation) => ({ error: { code: 'not_available', message: `no ${operation} here`, status: 404 } }),
  fetch: async () => {
    throw new TypeError('fetch failed: nothing here reaches a network');
  },
};

async function generate(folder: string, choice: string[]): Promise<GeneratedTest[]> {
  const out = await mkdtemp(join(tmpdir(), 'fn-wpt-'));
  try {
    const adapter = join(out, 'adapter.mjs');
    await writeFile(
      adapter,
      "export const ext = 'json'; export const wrap = (body, { area, test }) => JSON.stringify({ area, test, body });\n",
    );
    const tests = join(out, 'tests');
    const args = [join(folder, 'run.mjs'), '--out', tests, '--generate-only', '--no-package', '--adapter', adapter];
    await promisify(execFile)(process.execPath, [...args, ...choice]);
    const names = (await readdir(tests)).sort();
    return await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(tests, name), 'utf8'))));
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function programOf({ body, test }: GeneratedTest): Program {
  const code = `(async (register) => { "use strict"; register({ default: async (sdk) => {\n${body}\n} }); })`;
  return { id: createHash('sha256').update(code).digest('hex'), app: 'wpt', name: test, code };
}

/**
 * Some files define subtests only after keys were imported, and the collection's harness ends at the first moment without a
 * running one: a run that saw fewer subtests than the reference is repeated, the fullest counts. A failed subtest is not.
 */
async function runWhole(sandbox: Sandbox, test: GeneratedTest, expected: number): Promise<TestResult> {
  let best: TestResult | undefined;
  for (let attempt = 0; attempt < 4; attempt++) {
    const result = await runTest(sandbox, test);
    if (!best || result.pass > best.pass) best = result;
    if (result.pass + result.fail >= expected) break;
  }
  return best as TestResult;
}

async function runTest(sandbox: Sandbox, test: GeneratedTest): Promise<TestResult> {
  const program = programOf(test);
  const outcome = await sandbox.invoke(program, { argument: null, isolation: 'fresh', limits }, noHost);
  sandbox.retire(program.id);
  if (outcome.status !== 'ok') {
    return { pass: 0, fail: 0, failures: [`${outcome.status} :: ${outcome.error.name}: ${outcome.error.message}`] };
  }
  return outcome.result as TestResult;
}

function print(areas: Record<string, AreaScore>): void {
  const row = (name: string, { pass, reference }: AreaScore) => {
    const share = reference === 0 ? '-' : `${((100 * pass) / reference).toFixed(1)} %`;
    console.log(name.padEnd(18) + String(pass).padStart(8) + String(reference).padStart(8) + share.padStart(9));
  };
  console.log(`${'area'.padEnd(18)}${'sandbox'.padStart(8)}${'Node'.padStart(8)}${'share'.padStart(9)}`);
  for (const area of Object.keys(areas).sort()) row(area, areas[area] as AreaScore);
  row('all', totalOf(areas));
}

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      area: { type: 'string' },
      test: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
    },
  });
  const folder = resolve(positionals[0] ?? '../shared/wpt');
  if (!existsSync(join(folder, 'run.mjs'))) {
    console.log(`skipped: there are no Web Platform Tests in ${folder}`);
    return 0;
  }
  const choice = [
    ...(values.area === undefined ? [] : ['--area', values.area]),
    ...(values.test === undefined ? [] : ['--test', values.test]),
  ];
  const reference: Reference = JSON.parse(await readFile(join(folder, 'reference.json'), 'utf8'));
  const tests = await generate(folder, choice);
  const areas: Record<string, AreaScore> = {};
  const sandbox = openSandbox({ prelude });
  let next = 0;
  const work = async () => {
    for (let test = tests[next++]; test; test = tests[next++]) {
      const known = reference.scores[test.test];
      if (!known) continue;
      const result = await runWhole(sandbox, test, known.total);
      areas[test.area] ??= { pass: 0, reference: 0 };
      const area = areas[test.area] as AreaScore;
      area.pass += Math.min(result.pass, known.total);
      area.reference += known.pass;
      if (!values.verbose && result.pass >= known.pass) continue;
      console.log(`${result.pass} of Node's ${known.pass}: ${test.test}`);
      if (values.verbose) for (const failure of result.failures) console.log(`    ${failure}`);
    }
  };
  try {
    await sandbox.ready;
    await Promise.all([work(), work()]);
  } finally {
    await sandbox.close();
  }
  print(areas);
  return choice.length > 0 ? 0 : judge(areas, reference.node, values.save);
}

/** Only a run of everything is compared. */
async function judge(areas: Record<string, AreaScore>, node: string, save: boolean): Promise<number> {
  const before: Score | undefined = existsSync(scoreFile) ? JSON.parse(await readFile(scoreFile, 'utf8')) : undefined;
  const wrong = complaints(before, areas);
  for (const sentence of wrong) console.error(`error: ${sentence}`);
  if (wrong.length > 0) return 1;
  const better = rises(before, areas);
  if (better.length === 0) return 0;
  if (!save) {
    console.log(`better than the kept score: ${better.join(', ')}; keep it with --save`);
    return 0;
  }
  const sorted = Object.fromEntries(Object.entries(areas).sort(([a], [b]) => (a < b ? -1 : 1)));
  const score: Score = { node, areas: sorted, exceptions: before?.exceptions ?? {} };
  await writeFile(scoreFile, `${JSON.stringify(score, null, 2)}\n`);
  console.log(`kept in ${scoreFile}`);
  return 0;
}

process.exitCode = await main();
