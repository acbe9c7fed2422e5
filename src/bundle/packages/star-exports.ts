import type { Metafile, PluginBuild } from 'esbuild';

/**
 * Finds files with `export *` that a build omitted although the file behind them is evaluated lazily, because an `import()` or `require`
 * leads to it as well. The compiler drops a file without side effects (`"sideEffects": false`), together with the call that evaluates the
 * file behind it, so the export would be undefined (evanw/esbuild#1490).
 * @returns keys of the metafile
 */
export function forgottenStars({ inputs, outputs }: Metafile, textOf: (key: string) => string): string[] {
  const late = evaluatedLate(inputs);
  if (late.size === 0) return [];
  const bundled = new Set(Object.values(outputs).flatMap((output) => Object.keys(output.inputs)));
  const left = Object.keys(inputs).filter((key) => !bundled.has(key) && leadsTo(inputs[key], late));
  const stars = new Set(left.filter((key) => /\bexport\s*\*/.test(textOf(key))));
  // Files that re-export from such a file were omitted as well.
  for (const star of stars) {
    for (const [key, input] of Object.entries(inputs))
      if (!bundled.has(key) && leadsTo(input, new Set([star]))) stars.add(key);
  }
  return [...stars];
}

type Inputs = Metafile['inputs'];

/** Files reached by `import()` or `require` of ES modules, with their imports. */
function evaluatedLate(inputs: Inputs): Set<string> {
  const late = new Set<string>();
  for (const { imports } of Object.values(inputs)) {
    for (const { path, kind } of imports)
      if (kind === 'dynamic-import' || (kind === 'require-call' && inputs[path]?.format === 'esm')) late.add(path);
  }
  for (const key of late) for (const path of importedBy(inputs[key])) late.add(path);
  return late;
}

function leadsTo(input: Inputs[string] | undefined, keys: ReadonlySet<string>): boolean {
  return importedBy(input).some((path) => keys.has(path));
}

function importedBy(input: Inputs[string] | undefined): string[] {
  return (input?.imports ?? []).flatMap(({ path, kind, external }) =>
    kind === 'import-statement' && !external ? path : [],
  );
}

const looking = Symbol('looking where it leads');

/** Keeps the files in the bundle. */
export function keepStars(build: PluginBuild, filter: RegExp, files: ReadonlySet<string>): void {
  build.onResolve({ filter }, async ({ path, importer, resolveDir, kind, namespace, pluginData }) => {
    if (pluginData === looking) return undefined;
    const found = await build.resolve(path, { importer, resolveDir, kind, namespace, pluginData: looking });
    return files.has(found.path) ? { path: found.path, sideEffects: true } : undefined;
  });
}
