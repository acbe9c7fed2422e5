/**
 * Makes what is published: `dist/` (one bundle for each lazy command, the sandbox's child, the texts that are put into sandboxes)
 * and THIRD-PARTY-LICENSES.txt, and prints how large it is. `node scripts/build.ts`
 */
import { createHash } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { buildLayer } from '../src/sandbox/web/build.ts';
import { packageRoot, removeLeftovers } from '../src/std/index.ts';
import { assetFolders, assets } from './build/assets.ts';
import { compiledDraft } from './build/compiled-draft.ts';
import { licencesOf } from './build/licences.ts';
import { ownTimers } from './build/own-timers.ts';
import { quickBuiltins } from './build/quick-builtins.ts';
import { sizeReport } from './build/sizes.ts';
import { testingFaces } from './build/testing-faces.ts';

const root = packageRoot();

/** What is installed beside us, because it brings a binary. Everything else is bundled. */
const external = ['esbuild', 'isolated-vm'];

/** `ws` asks for them and does without. */
const neverThere = ['bufferutil', 'utf-8-validate'];

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  external: [...external, ...neverThere],
  // Names stay: a stack in a bug report can then be read without source maps, which are not published.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  write: false,
  logLevel: 'warning',
};

export interface Built {
  /** Path below dist → bytes. */
  readonly files: ReadonlyMap<string, number>;
}

/** @param dist the folder to make; what was there is replaced at the end, in one step */
export async function buildPackage(
  dist = join(root, 'dist'),
  licences = join(root, 'THIRD-PARTY-LICENSES.txt'),
): Promise<Built> {
  const { version }: { version: string } = (await import('../package.json', { with: { type: 'json' } })).default;
  const metafiles: Metafile[] = [];
  const layer = await buildLayer((metafile) => metafiles.push(metafile));
  const define = {
    BUILT_INTO_DIST: 'true',
    PACKAGE_VERSION: JSON.stringify(version),
    BUILD_STAMP: '""',
    TIMEZONE_NAMES: JSON.stringify(` ${['UTC', ...Intl.supportedValuesOf('timeZone')].join(' ')} `),
  };
  const [parent, mark] = [dirname(dist), `.${basename(dist)}-`];
  removeLeftovers(parent, mark);
  const draft = join(parent, mark + process.pid);
  const files = new Map<string, number>();
  const put = async (path: string, contents: string | Uint8Array) => {
    await mkdir(dirname(join(draft, path)), { recursive: true });
    await writeFile(join(draft, path), contents);
    files.set(path, Buffer.byteLength(contents));
  };
  try {
    for (const [folder, options] of Object.entries(bundles(define))) {
      const result = await build({ ...common, ...options, outdir: join(root, 'dist', folder) });
      metafiles.push(result.metafile as Metafile);
      const texts = new Map(
        (result.outputFiles ?? []).map(({ path, text }) => [relative(join(root, 'dist'), path), text]),
      );
      if (folder === 'sandbox') {
        for (const [path, text] of texts) await put(path, text);
        // Made first: the others name what V8 made of its first script (src/sandbox/layer-code.ts).
        define.BUILD_STAMP = JSON.stringify(stampOf(layer, ...texts.values()));
        continue;
      }
      for (const [path, text] of texts) await put(path, text);
      const names = result.metafile?.outputs['dist/testing-main.js']?.exports ?? [];
      for (const [path, text] of Object.entries(testingFaces(names))) await put(path, text);
    }
    await put('sandbox/layer.js', layer);
    for (const [path, make] of Object.entries(assets))
      await put(path, await make((metafile) => metafiles.push(metafile)));
    for (const [path, make] of Object.entries(assetFolders)) {
      const made = await make(join(draft, path), (metafile) => metafiles.push(metafile));
      for (const [name, bytes] of made) files.set(join(path, name), bytes);
    }
    await rm(dist, { recursive: true, force: true });
    await rename(draft, dist);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  await writeFile(licences, await licencesOf(metafiles, root));
  return { files };
}

function stampOf(...texts: string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 16);
}

/** Folder below dist → what is bundled into it. The child of the sandbox may read its own folder only. */
function bundles(define: Record<string, string>): Record<string, BuildOptions> {
  return {
    sandbox: {
      entryPoints: { child: 'src/sandbox/child/main.ts' },
      splitting: false,
      define,
      plugins: [requiredLate('isolated-vm'), quickBuiltins],
    },
    '': {
      entryPoints: {
        main: 'src/main.ts',
        index: 'src/index.ts',
        'testing-main': 'src/testing/index.ts',
        'testing-hook': 'src/testing/resolve-self.ts',
      },
      chunkNames: 'chunks/[name]-[hash]',
      banner: { js: ownTimers },
      define,
      plugins: [leaveOutBuilders, compiledDraft, quickBuiltins],
    },
  };
}

/** A room's `build.ts` makes an asset from source; the package holds the asset. */
const leaveOutBuilders: Plugin = {
  name: 'leave-out-builders',
  setup(setup) {
    setup.onLoad({ filter: /[\\/]src[\\/].*[\\/]build\.ts$/ }, ({ path }) =>
      path.includes(join('cli', 'commands'))
        ? undefined
        : { contents: `throw new Error('made by the build: ${path.slice(root.length + 1)}');` },
    );
  },
};

/**
 * A package that is loaded when the module that imports it is evaluated, by `require`: where it is missing that module can be told, and
 * nobody reads its text for names first, as an `import` of CommonJS does.
 */
function requiredLate(name: string): Plugin {
  return {
    name: 'required-late',
    setup(setup) {
      setup.onResolve({ filter: new RegExp(`^${name}$`) }, ({ namespace }) =>
        namespace === 'required-late' ? undefined : { path: name, namespace: 'required-late' },
      );
      setup.onLoad({ filter: /.*/, namespace: 'required-late' }, () => ({
        contents: `export default process.getBuiltinModule('node:module').createRequire(import.meta.url)('${name}');`,
      }));
    },
  };
}

if (import.meta.main) {
  const started = performance.now();
  const { files } = await buildPackage();
  process.stdout.write(`${sizeReport(files)}\nbuilt in ${Math.round(performance.now() - started)} ms\n`);
}
