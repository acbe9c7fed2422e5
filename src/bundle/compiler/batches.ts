import { basename } from 'node:path';
import type { BuildOptions, Message, Metafile, OutputFile, Plugin } from 'esbuild';
import { type Stamp, stampsTakenOnce } from '../freshness/stamps.ts';
import { importRules, type UnavailableUse } from '../resolve.ts';
import type { BundleLimits, Place } from '../types.ts';
import { type Result, withCompiler } from './compiler.ts';
import { buildOptions, entryName, entryText, placeOf } from './options.ts';

/** Larger batches save little, and their results arrive later. */
export const mostInBatch = 8;

/** What the compiler made of one function, as if it had been asked for it alone. */
export interface BatchResult extends Result {
  readonly unavailable: readonly UnavailableUse[];
  /** Stamps of files, each taken once since the batch was built. */
  readonly stampOf: (path: string) => Stamp;
}

/** What the compiler made of a batch, with its files by their names. */
type Together = Result & { readonly files: ReadonlyMap<string, OutputFile> };

interface Asked {
  readonly place: Place;
  answer(result: BatchResult | undefined): void;
  fail(error: unknown): void;
}

/** Placeholder for what a function's code may know about its own location, which differs within a batch; also its object form. */
const ownPlace = '__fn_own_place__';
const ownPlaceObject = JSON.stringify({ [ownPlace]: 0 });

/**
 * Runs the compiler once for several functions that are built at the same time, and distributes the results. It reads a shared file
 * once and links each function separately: the output is byte for byte the same as if each were built alone. This does not hold for
 * minified code, whose names depend on the order in which files were read.
 */
export class Batches {
  readonly #limits: BundleLimits;
  #asked: Asked[] = [];

  constructor(limits: BundleLimits) {
    this.#limits = limits;
  }

  /**
   * Builds a function of kind `server` together with those requested in the same turn of the event loop.
   * @returns undefined if it must be built alone: no others were requested, one of them has errors, or its code uses its location
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
      for (let at = 0; at < together.length; at += mostInBatch) void this.#build(together.slice(at, at + mostInBatch));
    }
  }

  async #build(batch: readonly Asked[]): Promise<void> {
    try {
      const results = batch.length > 1 ? await this.#compile(batch.map(({ place }) => place)) : [];
      for (const [index, { answer }] of batch.entries()) answer(results[index]);
    } catch (error) {
      // Building them one by one finds out which function is at fault, with its own message.
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
  // Objects stay objects: the compiler makes a file of each, which leaves traces even if unused.
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
 * What belongs to one function of all that was made; undefined where its code knows its place, or a warning has none.
 * @param meta what its `import.meta` is: the source map tells that of code which could have asked for it
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

/** The files that one function imports, directly or not. */
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
