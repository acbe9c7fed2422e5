import { basename } from 'node:path';
import type { BuildOptions, Message, Metafile, OutputFile, Plugin } from 'esbuild';
import { type Stamp, stampsTakenOnce } from '../freshness/stamps.ts';
import { importRules, type UnavailableUse } from '../resolve.ts';
import type { BundleLimits, Place } from '../types.ts';
import { type Result, withCompiler } from './compiler.ts';
import { buildOptions, entryName, entryText, placeOf } from './options.ts';

/** Larger batches save little more, and their results come later. */
export const maxInBatch = 8;

/** The compiler's result for one function, as if it had been built alone. */
export interface BatchResult extends Result {
  readonly unavailable: readonly UnavailableUse[];
  /** Stamps of files, taken once after the batch was built. */
  readonly stampOf: (path: string) => Stamp;
}

/** The compiler's result for a batch, with its output files by name. */
type Together = Result & { readonly files: ReadonlyMap<string, OutputFile> };

interface Asked {
  readonly place: Place;
  answer(result: BatchResult | undefined): void;
  fail(error: unknown): void;
}

/** Placeholder for what a function's code can learn about its own location, which differs within a batch. */
const ownPlace = '__fn_own_place__';
const ownPlaceObject = JSON.stringify({ [ownPlace]: 0 });

/**
 * Builds several functions with one call of the compiler and splits the result. The compiler reads a shared file once, and links each
 * function separately, so the output is byte for byte what it would be for each function alone. This does not hold for minified code, where
 * names depend on the order of the files.
 */
export class Batches {
  readonly #limits: BundleLimits;
  #asked: Asked[] = [];

  constructor(limits: BundleLimits) {
    this.#limits = limits;
  }

  /**
   * Builds a function of kind `server` together with the others that are requested in the same turn.
   * @returns undefined if it has to be built alone: there are no others, one of them fails, or its code depends on its location
   */
  build(place: Place): Promise<BatchResult | undefined> {
    return new Promise((answer, fail) => {
      if (this.#asked.push({ place, answer, fail }) === 1) process.nextTick(() => this.#begin());
    });
  }

  #begin(): void {
    const asked = this.#asked;
    this.#asked = [];
    for (const together of Map.groupBy(asked, ({ place: { root, limit } }) => `${root}\0${limit}`).values()) {
      for (let at = 0; at < together.length; at += maxInBatch) void this.#build(together.slice(at, at + maxInBatch));
    }
  }

  async #build(batch: readonly Asked[]): Promise<void> {
    try {
      const results = batch.length > 1 ? await this.#compile(batch.map(({ place }) => place)) : [];
      for (const [index, { answer }] of batch.entries()) answer(results[index]);
    } catch (error) {
      // Building them one by one shows which function fails, and how.
      const isFailure = error instanceof Error && 'errors' in error;
      for (const { answer, fail } of batch) isFailure ? answer(undefined) : fail(error);
    }
  }

  async #compile(places: readonly Place[]): Promise<(BatchResult | undefined)[]> {
    const unavailable: UnavailableUse[] = [];
    const rules = importRules('server', this.#limits, { unavailable });
    const settings = batchOptions(places, rules);
    const together = (await withCompiler(({ build }) => build(settings))) as Result;
    const stampOf = stampsTakenOnce();
    const files = new Map(together.outputFiles.map((output) => [basename(output.path), output]));
    return places.map(({ file }, index) => {
      const result = partOf({ ...together, files }, index, placeOf(file)['import.meta']);
      return result && { ...result, unavailable, stampOf };
    });
  }
}

/** Names of the virtual files that import the functions' own: those of `buildOptions`, numbered. */
const namespace = entryName.slice(0, entryName.indexOf(':'));
const entryOf = (index: number) => `${entryName}:${ownPlace}${index}`;
const outputOf = (index: number) => `bundle-${index}.js`;

function batchOptions(places: readonly Place[], rules: Plugin): BuildOptions {
  const { root = '', limit = '' } = places[0] ?? {};
  const alone = buildOptions({
    kind: 'server',
    root,
    limit,
    file: '',
    minify: false,
    plugins: [entries(places), rules],
  });
  const { stdin: _, outfile: __, define, ...settings } = alone;
  // Objects stay objects: the compiler creates a file for them, which leaves traces even if nothing uses it.
  const marked = Object.entries(placeOf('')).map(([name, value]) => [
    name,
    value.startsWith('{') ? ownPlaceObject : ownPlace,
  ]);
  return {
    ...settings,
    entryPoints: places.map((_place, index) => ({ in: entryOf(index), out: `bundle-${index}` })),
    outdir: root,
    define: { ...define, ...Object.fromEntries(marked) },
  };
}

function entries(places: readonly Place[]): Plugin {
  return {
    name: 'entries',
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${entryOf(0).slice(0, -1)}`) }, ({ path, kind }) =>
        kind === 'entry-point' ? { path: path.slice(namespace.length + 1), namespace } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace }, ({ path }) => {
        const { root = '', file = '' } = places[Number(path.slice(path.lastIndexOf('_') + 1))] ?? {};
        return { contents: entryText(file), resolveDir: root, loader: 'js' };
      });
    },
  };
}

/**
 * Extracts the result of one function; undefined if its code depends on its location, or a warning has no position.
 * @param meta name of its `import.meta`: the source map shows it for code that could have used it
 */
function partOf(together: Together, index: number, meta: string | undefined): Result | undefined {
  const { metafile, files, warnings, ...rest } = together;
  const code = files.get(outputOf(index));
  const map = files.get(`${outputOf(index)}.map`);
  const output = metafile.outputs[outputOf(index)];
  if (!code || !map || !output || warnings.some(({ location }) => location === null)) return undefined;
  const numbered = entryOf(index);
  const text = code.text.replaceAll(`// ${numbered}\n`, `// ${entryName}\n`);
  if (text.includes(ownPlace)) return undefined;
  const sourceMap = map.text
    .replace(JSON.stringify(numbered), JSON.stringify(`./${entryName}`))
    .replace(JSON.stringify(ownPlaceObject), () => JSON.stringify(meta));
  const inputs = reachedFrom(numbered, metafile);
  return {
    ...rest,
    warnings: once(warnings.filter(({ location }) => location !== null && location.file in inputs)),
    metafile: { inputs: renamed(inputs, numbered), outputs: { 'bundle.js': output } },
    outputFiles: [
      { ...code, path: 'bundle.js', text },
      { ...map, path: 'bundle.js.map', text: sourceMap },
    ],
  };
}

/** All files that one function is built from. */
function reachedFrom(entry: string, { inputs }: Metafile): Metafile['inputs'] {
  const reached = new Set<string>();
  const open = [entry];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (reached.has(key)) continue;
    reached.add(key);
    for (const { path } of inputs[key]?.imports ?? []) if (path in inputs) open.push(path);
  }
  return Object.fromEntries(Object.entries(inputs).filter(([key]) => reached.has(key)));
}

function renamed(inputs: Metafile['inputs'], numbered: string): Metafile['inputs'] {
  const { [numbered]: entry, ...others } = inputs;
  return entry ? { ...others, [entryName]: entry } : others;
}

/** Removes duplicates: a file shared by several functions causes its warning once for each. */
function once(warnings: readonly Message[]): Message[] {
  const byText = new Map(warnings.map((warning) => [JSON.stringify([warning.text, warning.location]), warning]));
  return [...byText.values()];
}
