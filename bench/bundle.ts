/**
 * What building costs beside esbuild's bare API doing the same work (no rules, no policy, no warnings), in turn: one function, 100
 * functions, one edit among them, a look whether anything is stale, an answer from the cache on disk.
 * Run: `node bench/bundle.ts [rounds]`
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { Bundler, type FunctionSource } from '../src/bundle/index.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const rounds = Number(process.argv[2] ?? 7);
const root = temporaryFolder('bundle');
mkdirSync(join(root, 'functions'));
writeFileSync(join(root, 'package.json'), '{"name":"bench"}');
writeFileSync(join(root, 'functions/_shared.ts'), 'export const greet = (name: string): string => "Hello " + name;\n');
const sources = Array.from({ length: 100 }, (_, index): FunctionSource => {
  const name = `f${index}`;
  const file = join(root, 'functions', `${name}.ts`);
  save(index, 0);
  return { app: 'bench', name, file, root, kind: 'server' };
});

function save(index: number, version: number): void {
  const text = `import { greet } from './_shared.ts';\nexport const config = { type: 'server-side-method' };\nexport default async (sdk: { name: string }) => ({ text: greet(sdk.name), n: ${index}, version: ${version} });\n`;
  writeFileSync(join(root, 'functions', `f${index}.ts`), text);
}

/** The least that makes the same text: bundle, map, hash-free. */
function bare({ file }: FunctionSource): Promise<esbuild.BuildContext> {
  return esbuild.context({
    entryPoints: [file],
    outdir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'node24',
    sourcemap: 'external',
    logLevel: 'silent',
  });
}

const samples = new Map<string, { ours: number[]; theirs: number[] }>();

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function compare(name: string, ours: () => Promise<unknown>, theirs: () => Promise<unknown>): Promise<void> {
  const sample = samples.get(name) ?? { ours: [], theirs: [] };
  samples.set(name, sample);
  sample.theirs.push(await timed(theirs));
  sample.ours.push(await timed(ours));
}

async function bareAll(some: readonly FunctionSource[]): Promise<esbuild.BuildContext[]> {
  return Promise.all(
    some.map(async (source) => {
      const context = await bare(source);
      await context.rebuild();
      return context;
    }),
  );
}

await esbuild.transform(''); // both sides find the process started
await new Bundler().prepare();
let version = 0;
for (let round = 0; round <= rounds; round++) {
  if (round === 1) samples.clear(); // the first warms both up
  for (const count of [1, 100]) {
    const some = sources.slice(0, count);
    const bundler = new Bundler();
    let contexts: esbuild.BuildContext[] = [];
    await compare(
      `build of ${count}`,
      () => Promise.all(some.map((source) => bundler.build(source))),
      async () => {
        contexts = await bareAll(some);
      },
    );
    for (let edit = 0; edit < 10; edit++) {
      const index = edit % count;
      save(index, ++version);
      const [source, context] = [some[index], contexts[index]];
      if (!source || !context) throw new Error('no such function');
      await compare(
        `one edit among ${count}`,
        () => bundler.build(source),
        () => context.rebuild(),
      );
    }
    await Promise.all([bundler.close(), ...contexts.map((context) => context.dispose())]);
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
for (const [name, { ours, theirs }] of samples) {
  const ratio = median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN)));
  console.log(
    `${name}: ${median(ours).toFixed(1)} ms, bare esbuild ${median(theirs).toFixed(1)} ms, ratio ${ratio.toFixed(2)}`,
  );
}

const bundler = new Bundler({ cacheDir: join(root, '.fn/bundles') });
const first = sources[0];
if (!first) throw new Error('no function');
await new Promise((done) => setTimeout(done, 50));
await bundler.build(first);
const start = performance.now();
for (let i = 0; i < 10_000; i++) bundler.staleSince(first);
console.log(`a look whether it is stale: ${((performance.now() - start) / 10).toFixed(1)} µs`);
await bundler.close();
const again = new Bundler({ cacheDir: join(root, '.fn/bundles') });
console.log(`from the cache on disk: ${(await timed(() => again.build(first))).toFixed(1)} ms`);
