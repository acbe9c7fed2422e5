import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { functionTypeNames, functionTypes, operationNames, operationOf } from '../contract/index.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = 'dist/console';

/** Names that the document refers to; the others are found from there. */
const entries = { main: 'src/console/browser/main.tsx', console: 'src/console/styles/all.css' };

/**
 * Makes what the browser loads: `main.js` and its parts, `console.css`, and the sprite of icons.
 * @param record told what went into it
 * @returns file name → contents
 */
export async function buildConsole(record: (metafile: Metafile) => void): Promise<ReadonlyMap<string, Uint8Array>> {
  const routes = Object.fromEntries(operationNames.map((name) => [name, operationOf(name).route]));
  const titles = Object.fromEntries(functionTypeNames.map((type) => [type, functionTypes[type].title]));
  const options: BuildOptions = {
    absWorkingDir: root,
    entryPoints: entries,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2024', 'chrome123', 'firefox120', 'safari17.5'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    // A file that changes has another name, so that browsers may keep it.
    chunkNames: '[name]-[hash]',
    define: { OPERATION_ROUTES: JSON.stringify(routes), TYPE_TITLES: JSON.stringify(titles) },
    metafile: true,
    write: false,
    logLevel: 'warning',
  };
  const { outputFiles = [], metafile } = await build(options);
  if (metafile) record(metafile);
  const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(join(root, folder).length + 1), contents]));
  files.set('icons.svg', await readFile(join(import.meta.dirname, 'styles', 'icons.svg')));
  return files;
}
