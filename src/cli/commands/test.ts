import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { flowCoverageVariable } from '../../contract/index.ts';
import { type Project, writeEditorFiles } from '../../project/index.ts';
import {
  assetPath,
  isBuilt,
  isGitHubActions,
  nearest,
  packageFile,
  packageRoot,
  toSlashes,
  UsageError,
} from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { testLines } from '../functions/test-lines.ts';

export const command = defineCommand({
  description: `Runs the tests of the app with Node's own test runner: every test/**/*.test.js (or .ts). Tests import { aWorkspace, invoke } from 'convo-fn/testing': each test gets its own in-memory workspace, in which the functions run in the real sandbox.

Arguments after -- are passed on to node --test.`,
  arguments: {
    files: { summary: 'Test files or folders; default: all below test/', many: true, optional: true },
  },
  options: {
    coverage: {
      flag: '--coverage',
      summary: 'Report which lines ran, including those of functions, and which ways of flows were never taken',
    },
  },
  passThrough: true,
  examples: [
    { line: 'fn test', does: 'runs every test', runs: true },
    { line: 'fn test -- --watch', does: 'reruns them on each save' },
    { line: 'fn test --coverage', does: 'reports which lines ran, and which nodes and ways of flows never did' },
    { line: 'fn test test/refund.test.js -- --test-name-pattern=refuses', does: 'runs some of the tests' },
  ],
  json: 'One object per line: {type: passed, failed or skipped, name, file, line, ms, error?} for each test, at last {type: summary, tests, passed, failed, …}, and with --coverage {type: flows, nodes, ways, never: [{flow, node, outcome?, to?}]}. What tests print themselves is left out. With a -- --test-reporter of your own: what that prints',
  see: ['testing'],
  async run(context, { files, coverage, rest }) {
    const project = await context.requireProject();
    const { root } = project;
    // A type check in CI comes after the tests, and nobody has run "fn dev" there.
    writeEditorFiles(project);
    const found = files?.length
      ? (await Promise.all(files.map((file) => asked(file, context.cwd, root)))).flat()
      : await testFiles(root, 'test');
    const hook = isBuilt ? assetPath('testing-hook.js') : packageFile('src/testing/resolve-self.ts');
    const args = [
      '--import',
      pathToFileURL(hook).href,
      '--test',
      ...lines(context, rest),
      ...(coverage ? ['--experimental-test-coverage'] : []),
      ...leftOut(coverage, rest),
      ...rest,
      ...found,
    ];
    const { io } = context;
    const flows = coverage ? mkdtempSync(join(tmpdir(), 'fn-flows-')) : undefined;
    // A pipe is passed on by this process, because the runner fails with a stack when nobody reads it any more (`| head`).
    const stdout = io.outIsTerminal ? 'inherit' : 'pipe';
    // On GitHub Actions lines of functions must not become commands; those of a reporter that the author chose are meant to.
    const harmless = isGitHubActions(context.env) && !choosesReporter(rest);
    const runner = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['inherit', stdout, harmless ? 'pipe' : 'inherit'],
      env: { ...context.env, ...(flows !== undefined && { [flowCoverageVariable]: flows }) },
    });
    const stop = AbortSignal.any([context.signal, io.closed]);
    stop.addEventListener('abort', () => runner.kill('SIGINT'), { once: true });
    const ended = once(runner, 'exit');
    const told = tellLines(runner.stderr, (line) => io.err(line));
    if (harmless && !io.json) await tellLines(runner.stdout, (line) => io.out(line));
    else for await (const part of runner.stdout ?? []) await io.write(part);
    await told;
    const [code] = await ended;
    if (flows !== undefined) await tellFlows(context, project, flows, choosesReporter(rest));
    context.signal.throwIfAborted();
    return code === 0 || io.closed.aborted ? 0 : 5;
  },
});

/** What the tests left out of the app's flows. What a reporter of the author's own prints stays as it is. */
async function tellFlows({ io }: Context, project: Project, folder: string, ownReporter: boolean): Promise<void> {
  const { flowCoverageText, readFlowCoverage } = await import('../functions/flow-coverage.ts');
  const found = await readFlowCoverage(project, folder).finally(() => rmSync(folder, { recursive: true, force: true }));
  if (found === undefined || io.closed.aborted) return;
  if (ownReporter || !io.json) io.err(flowCoverageText(found));
  else io.item({ type: 'flows', ...found }, () => undefined);
}

const choosesReporter = (rest: readonly string[]) => rest.some((flag) => flag.startsWith('--test-reporter'));

async function tellLines(stream: Readable | null, tell: (line: string) => void): Promise<void> {
  if (stream === null) return;
  for await (const line of createInterface({ input: stream })) tell(line);
}

/** With --json the runner tells each test in a line, unless it was told how to report. */
function lines({ io }: Context, rest: readonly string[]): string[] {
  return io.json && !choosesReporter(rest)
    ? [`--test-reporter=${testLines}`, '--test-reporter-destination=stdout']
    : [];
}

/** Installed as a package we are none of the author's code to Node; run from a checkout we have to say so ourselves. */
function leftOut(coverage: boolean, rest: readonly string[]): string[] {
  const asked = coverage || rest.includes('--experimental-test-coverage');
  const chosen = rest.some((flag) => /^--test-coverage-(?:in|ex)clude\b/.test(flag));
  if (!asked || chosen || /[\\/]node_modules[\\/]/.test(packageRoot())) return [];
  // One pattern of ours, and Node leaves out no tests any more by itself.
  return [`${toSlashes(packageRoot())}/**`, '**/*.test.?(c|m)[jt]s', 'test/**'].map(
    (out) => `--test-coverage-exclude=${out}`,
  );
}

/**
 * As typed: from the current folder, which need not be the app's. A pattern is matched here: the runner is content when none fits, and
 * would read the names of the folders above as patterns, too.
 */
async function asked(file: string, cwd: string, root: string): Promise<string[]> {
  const path = resolve(cwd, file);
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) return await testFiles(root, relative(root, path));
  if (there) return [relative(root, path)];
  const found = /[*?[{]/.test(file) ? await matching(file, cwd) : [];
  if (found.length > 0) return found.map((each) => relative(root, resolve(cwd, each)));
  const meant = await meantTest(file, root);
  throw new UsageError('test_missing', `There is no ${file}`, {
    hint:
      meant === undefined
        ? `The path is relative to the current folder: ${cwd}`
        : `Did you mean ${relative(cwd, join(root, meant))}?`,
  });
}

/** The test of a function that was named as other commands name it, or one with a similar path. */
async function meantTest(typed: string, root: string): Promise<string | undefined> {
  const tests = (await matching(allTests, root)).map(toSlashes);
  const tested = (test: string) => test.replace(/^test\/|\.test\.\w+$/g, '');
  return tests.find((test) => `/${tested(test)}`.endsWith(`/${typed}`)) ?? nearest(typed, tests);
}

const allTests = '**/*.test.{js,mjs,ts,mts}';

async function testFiles(root: string, folder: string): Promise<string[]> {
  const found = await matching(allTests, join(root, folder));
  if (found.length > 0) return found.map((each) => join(folder, each));
  throw new UsageError('tests_missing', `There are no tests in ${folder}/`, {
    hint: 'A test is a file like test/refund.test.js; "fn init" writes one for every function it creates.',
  });
}

async function matching(pattern: string, cwd: string): Promise<string[]> {
  const found: string[] = [];
  // By name: a pattern to leave out would read brackets in the names of the folders above.
  const exclude = (path: string) => basename(path) === 'node_modules';
  for await (const file of glob(pattern, { cwd, exclude })) found.push(file);
  return found.sort();
}
