import { posix } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

/** Files that are loaded together: what the entries reach by static imports, without what an earlier group holds. */
export interface Group {
  /** Below dist. */
  readonly file: string;
  /** Sources of entries, also of those that are loaded by `import()`. */
  readonly entries: readonly string[];
  /** Only some commands load it: a chunk that many others want as well moves to the group before. */
  readonly special?: true;
}

interface Part {
  readonly path: string;
  readonly text: string;
  readonly entry: string | undefined;
  readonly exports: readonly string[];
  readonly imports: readonly string[];
}

/** Entries outside of a special group that are many. */
const wantedByMany = 8;

/**
 * Merges chunks into the files that a start loads. The bundler cuts a chunk for every set of entries that share it; each file costs most of
 * a millisecond, and `fn dev` would load forty before it answers.
 * @param texts  path below dist → text, as the bundler gave it
 * @param inputs what the bundler told of them
 * @returns path → text; chunks that were merged are gone, and whoever named them names the merged file
 */
export async function mergeChunks(
  texts: ReadonlyMap<string, string>,
  inputs: Metafile['outputs'],
  groups: readonly Group[],
  options: BuildOptions,
): Promise<Map<string, string>> {
  const parts = partsOf(texts, inputs);
  const place = placesOf(parts, groups);
  const rewritten = new Map<string, string>();
  for (const part of parts.values()) {
    const home = place.get(part.path)?.file ?? part.path;
    rewritten.set(part.path, renamed(part, home, parts, place));
  }
  const merged = new Map<string, string>();
  for (const group of groups) {
    const members = [...parts.values()].filter(({ path }) => place.get(path) === group);
    merged.set(group.file, await mergedText(group, members, rewritten, options));
  }
  for (const [path, text] of rewritten) if (!place.has(path)) merged.set(path, text);
  return merged;
}

function partsOf(texts: ReadonlyMap<string, string>, outputs: Metafile['outputs']): Map<string, Part> {
  const parts = new Map<string, Part>();
  for (const [path, text] of texts) {
    const output = Object.entries(outputs).find(([name]) => name.endsWith(`dist/${path}`))?.[1];
    if (!output) throw new Error(`the bundler told nothing of ${path}`);
    const imports = output.imports
      .filter(({ kind, external }) => kind === 'import-statement' && !external)
      .map((imported) => imported.path.slice(imported.path.indexOf('dist/') + 'dist/'.length));
    parts.set(path, { path, text, entry: output.entryPoint, exports: output.exports, imports });
  }
  return parts;
}

function closureOf(parts: ReadonlyMap<string, Part>, paths: readonly string[], found = new Set<string>()): Set<string> {
  for (const path of paths) {
    if (found.has(path)) continue;
    found.add(path);
    closureOf(parts, parts.get(path)?.imports ?? [], found);
  }
  return found;
}

/** Where each chunk goes; those that stay are missing. */
function placesOf(parts: ReadonlyMap<string, Part>, groups: readonly Group[]): Map<string, Group> {
  const place = new Map<string, Group>();
  for (const [i, group] of groups.entries()) {
    const roots = group.entries.map((entry) => {
      const part = [...parts.values()].find((one) => one.entry === entry);
      if (!part) throw new Error(`${entry} is no entry of a chunk`);
      return part.path;
    });
    const before = group.special && groups[i - 1];
    const members = [...closureOf(parts, roots)].filter((path) => !place.has(path));
    const others = [...parts.values()].filter(
      ({ path, entry }) => entry && !place.has(path) && !members.includes(path),
    );
    const wanted = others.map(({ path }) => closureOf(parts, [path]));
    for (const path of members) {
      const many = before && !roots.includes(path) && wanted.filter((all) => all.has(path)).length >= wantedByMany;
      for (const one of many ? closureOf(parts, [path]) : [path])
        if (!place.has(one)) place.set(one, many ? before : group);
    }
  }
  return place;
}

const nameIn = (path: string, name: string): string => `${namespaceOf(path)}_${name}`;
const namespaceOf = (path: string): string => `all_${posix.basename(path, '.js').replace(/\W/g, '_')}`;

function relativeTo(home: string, file: string): string {
  const path = posix.relative(posix.dirname(home), file);
  return path.startsWith('.') ? path : `./${path}`;
}

/** The text of a chunk that will stand in `home`, with every chunk that went elsewhere named by its new place. */
function renamed(
  { path, text }: Part,
  home: string,
  parts: ReadonlyMap<string, Part>,
  place: ReadonlyMap<string, Group>,
) {
  const target = (specifier: string): Part | undefined => parts.get(posix.join(posix.dirname(path), specifier));
  const late = text.replaceAll(/\bimport\("(\.[^"]+\.js)"\)/g, (whole, specifier: string) => {
    const part = target(specifier);
    if (!part) return whole;
    const group = place.get(part.path);
    return group
      ? `import("${relativeTo(home, group.file)}").then((it)=>it.${namespaceOf(part.path)})`
      : `import("${relativeTo(home, part.path)}")`;
  });
  return late.replaceAll(
    /\bimport(?:\{([^{}]*)\}from)?"(\.[^"]+\.js)"/g,
    (whole, names: string | undefined, specifier: string) => {
      const part = target(specifier);
      const group = part && place.get(part.path);
      if (!part || !group || group.file === home) return whole;
      const from = `"${relativeTo(home, group.file)}"`;
      if (names === undefined) return `import${from}`;
      const specifiers = names.split(',').map((each) => {
        const [name = '', local = name] = each.trim().split(' as ');
        return `${nameIn(part.path, name)} as ${local}`;
      });
      return `import{${specifiers.join(',')}}from${from}`;
    },
  );
}

async function mergedText(
  group: Group,
  members: readonly Part[],
  texts: ReadonlyMap<string, string>,
  options: BuildOptions,
): Promise<string> {
  const lines = members.flatMap(({ path, entry, exports }) => {
    const names = exports.map((name) => `${name} as ${nameIn(path, name)}`);
    if (path === group.file) names.push(...exports);
    const from = JSON.stringify(`part:${path}`);
    return [
      `export { ${names.join(', ')} } from ${from};`,
      ...(entry ? [`export * as ${namespaceOf(path)} from ${from};`] : []),
    ];
  });
  const inMemory: Plugin = {
    name: 'parts',
    setup(setup) {
      setup.onResolve({ filter: /^part:/ }, ({ path }) => ({ path: path.slice('part:'.length), namespace: 'part' }));
      setup.onResolve({ filter: /^\./, namespace: 'part' }, ({ path, importer, kind }) => {
        const found = posix.join(posix.dirname(importer), path);
        return kind === 'import-statement' && members.some((part) => part.path === found)
          ? { path: found, namespace: 'part' }
          : { path, external: true };
      });
      setup.onLoad({ filter: /.*/, namespace: 'part' }, ({ path }) => ({
        contents: texts.get(path) ?? '',
        loader: 'js',
      }));
    },
  };
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: lines.join('\n'), resolveDir: '.', sourcefile: group.file },
    splitting: false,
    outfile: posix.basename(group.file),
    plugins: [inMemory],
    metafile: false,
    write: false,
  });
  return outputFiles?.[0]?.text ?? '';
}
