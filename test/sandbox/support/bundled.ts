import assert from 'node:assert/strict';
import { build } from 'esbuild';
import type { Program } from '../../../src/sandbox/index.ts';
import { programOf } from './sandbox.ts';

/**
 * Built as `bundle` builds: minified, in the wrapper, with a map whose sources are relative to the app's root.
 * @param name its path below `functions/`
 * @param lines whether what stood in a line of its own still does, for breakpoints
 * @param minify false: as for the workspace of this machine
 */
export async function bundled(source: string, name: string, { lines = false, minify = true } = {}): Promise<Program> {
  const { outputFiles } = await build({
    stdin: { contents: source, sourcefile: `functions/${name}.ts`, loader: 'ts' },
    write: false,
    bundle: true,
    minifyWhitespace: minify,
    minifyIdentifiers: minify,
    minifySyntax: minify && !lines,
    keepNames: minify,
    format: 'iife',
    globalName: '__ns',
    sourcemap: 'external',
    outfile: 'out.js',
    banner: { js: '(async function (register) { "use strict";' },
    footer: { js: 'register(__ns);\n})' },
  });
  const [map, code] = outputFiles;
  assert.ok(map && code);
  return programOf(code.text, name, map.text);
}
