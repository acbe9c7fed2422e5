import { builtinModules } from 'node:module';
import { dirname, join, relative } from 'node:path';
import type { BuildOptions, ImportKind, Metafile, Plugin } from 'esbuild';
import { isInside, toSlashes } from '../../std/index.ts';
import { withCompiler } from '../compiler/compiler.ts';
import { filesOf } from '../compiler/metafile.ts';
import { type Stamp, stampOf } from '../freshness/stamps.ts';
import { isUnavailable } from '../node/stub.ts';
import { manifestOf } from './manifest.ts';
import { packageFolder, packageName } from './package-folder.ts';

/** An import of a package by a file outside it. */
export interface Use {
  readonly importer: string;
  readonly specifier: string;
  readonly kind: ImportKind;
  /** The file that it resolved to. */
  readonly got: string;
}

/**
 * Another form of a package: its Node build, or its browser build if the `workerd` build was used first. Maps imports, by `importKey`, to
 * files.
 */
export interface OtherForm {
  readonly as: 'node' | 'browser';
  /** The package's folder. */
  readonly folder: string;
  /** Stamp of its package.json at that time. */
  readonly stamp: Stamp;
  /** Files that others import from it. */
  readonly entries: ReadonlyMap<string, string>;
  /** Imports in its own files that differ from its browser build, by importer and `importKey`. */
  readonly own: ReadonlyMap<string, string>;
}

/** Key of an import: `import` and `require` of the same name may resolve to different files. */
export function importKey(specifier: string, kind: ImportKind): string {
  return `${kind.startsWith('require') ? 'require' : 'import'} ${specifier}`;
}

export function ownKey(importer: string, specifier: string, kind: ImportKind): string {
  return `${importer}\0${importKey(specifier, kind)}`;
}

export interface Question {
  readonly as: OtherForm['as'];
  readonly folder: string;
  readonly uses: readonly Use[];
  /** Names of packages that the bundle contains anyway, so their needs do not count for this one. */
  readonly bundled: ReadonlySet<string>;
  readonly settings: BuildOptions;
}

/** Finds the other form with the compiler, by building the package alone. Undefined if that build fails. */
export async function otherFormOf(question: Question): Promise<{ form: OtherForm; builtins: string[] } | undefined> {
  const { as, folder, settings } = question;
  const root = settings.absWorkingDir ?? folder;
  const metafile = await buildAlone(question, root);
  if (!metafile) return undefined;
  const files = filesOf(metafile, root);
  const entries = new Map<string, string>();
  for (const { path, original, kind } of metafile.inputs[asking]?.imports ?? []) {
    const file = files.get(path);
    if (original !== undefined && file && packageFolder(file) === folder)
      entries.set(importKey(original, kind as ImportKind), file);
  }
  const answers = browserAnswers(folder);
  const own = new Map<string, string>();
  const builtins = new Set<string>();
  for (const [key, importer] of files) {
    for (const { path, original, kind, external } of metafile.inputs[key]?.imports ?? []) {
      if (external) {
        builtins.add(path.replace(/^node:/, ''));
        continue;
      }
      const file = files.get(path);
      if (!file || original === undefined || packageFolder(importer) !== folder) continue;
      if (original.startsWith('#') || answers.has(original) || answers.has(withoutEnding(folder, file)))
        own.set(ownKey(importer, original, kind as ImportKind), file);
    }
  }
  const form = { as, folder, stamp: stampOf(join(folder, 'package.json')), entries, own };
  return { form, builtins: [...builtins].filter((name) => isUnavailable(name)) };
}

const asking = '<stdin>';

async function buildAlone({ as, uses, bundled, settings }: Question, root: string): Promise<Metafile | undefined> {
  const lines = uses.map(({ specifier, kind }, index) =>
    kind.startsWith('require')
      ? `console.log(require(${JSON.stringify(specifier)}));`
      : `import * as m${index} from ${JSON.stringify(specifier)}; console.log(m${index});`,
  );
  const { loader = {}, resolveExtensions = [] } = settings;
  const options: BuildOptions = {
    stdin: { contents: lines.join('\n'), resolveDir: dirname(uses[0]?.importer ?? root), loader: 'js' },
    absWorkingDir: root,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    ...howResolved[as],
    resolveExtensions,
    loader,
    logLevel: 'silent',
    plugins: [leaving(bundled)],
  };
  try {
    return (await withCompiler(({ build }) => build(options))).metafile;
  } catch {
    return undefined; // its form for Node needs what is not installed
  }
}

const howResolved: Readonly<Record<OtherForm['as'], BuildOptions>> = {
  node: { platform: 'node', conditions: [], mainFields: ['main', 'module'] },
  browser: {
    platform: 'browser',
    conditions: ['worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['node:*', ...builtinModules],
  },
};

/** Skips packages that the bundle already contains. */
function leaving(bundled: ReadonlySet<string>): Plugin {
  return {
    name: 'leaving',
    setup(build) {
      build.onResolve({ filter: /^[^./#]/ }, ({ path, namespace, importer }) => {
        if (namespace !== 'file' || importer === asking || importer === '' || !bundled.has(packageName(path)))
          return undefined;
        return { path: `/${path}`, external: true };
      });
    },
  };
}

/** Keys of a package's `browser` field: packages, and its own files without extensions. */
function browserAnswers(folder: string): Set<string> {
  const { browser } = manifestOf(folder);
  if (typeof browser !== 'object' || browser === null) return new Set();
  return new Set(Object.keys(browser).map((key) => (key.startsWith('.') ? withoutEnding('', key.slice(2)) : key)));
}

function withoutEnding(folder: string, file: string): string {
  return toSlashes(folder === '' ? file : relative(folder, file)).replace(/(?:(?:^|\/)index)?\.[cm]?js$/, '');
}

/** Whether `importer` resolves the package's name to the one in `folder`. */
export function isReachable(folder: string, importer: string): boolean {
  const installedIn = folder.slice(0, toSlashes(folder).lastIndexOf('/node_modules/'));
  return isInside(installedIn, importer) && !isInside(folder, importer);
}
