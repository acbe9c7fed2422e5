import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ImportKind, OnResolveArgs, OnResolveResult, PartialMessage, Plugin, PluginBuild } from 'esbuild';
import { toSlashes } from '../std/index.ts';
import { isUnavailable, stubText, unavailableNames } from './node/stub.ts';
import { insteadOf, nativelyDone, refusedToAuthors, shimmed } from './node/table.ts';
import { webPackages, webPackageText } from './node/web-packages.ts';
import { isInstalled } from './packages/package-folder.ts';
import { patchPackages } from './packages/patches.ts';
import type { SecondChoices } from './packages/second-choices.ts';
import { vueTemplates } from './packages/vue-templates.ts';
import { tooLarge, tooLargeHint } from './problems/source-size.ts';
import { shimPath } from './shims.ts';
import type { BundleLimits, FunctionSource } from './types.ts';

/** Namespace of the modules that replace Node built-ins; source maps name them `node:fs`. */
const nodeNamespace = 'node';

/** A file that imports a built-in which functions do not have. */
export interface UnavailableUse {
  readonly builtin: string;
  /** Absolute path. */
  readonly importer: string;
}

/** What a build finds while it resolves imports. */
export interface Findings {
  readonly unavailable: UnavailableUse[];
}

/**
 * The rules for what a function may import. Their filters are narrow: resolving every import here makes a build many times
 * slower (docs/decisions/bundling.md). Whether anything from outside the project got in by a symlink or `..` is checked on the
 * finished build (`confine.ts`), when all real paths are known. The caller clears the findings before each build: `onStart`
 * would cost a round trip.
 */
export function importRules(
  kind: FunctionSource['kind'],
  limits: BundleLimits,
  findings: Findings,
  choices?: SecondChoices,
): Plugin {
  return {
    name: 'import-rules',
    setup(build) {
      // esbuild records a stack trace for each rule, which takes longer than most builds.
      const { stackTraceLimit } = Error;
      Error.stackTraceLimit = 0;
      refuseAddresses(build);
      refuseOurselves(build);
      refuseSecretsAndAddons(build);
      choices?.apply(build);
      nodeBuiltins(build, kind, findings, choices);
      if (kind === 'server') networkPackages(build);
      if (kind === 'view') vueTemplates(build);
      patchPackages(build);
      refuseHugeAssets(build, limits);
      Error.stackTraceLimit = stackTraceLimit;
    },
  };
}

/** Whether the import is a URL in a style sheet, which the browser resolves. */
function isStyleAddress(kind: ImportKind): boolean {
  return kind === 'url-token';
}

function refused(args: OnResolveArgs, text: string, hint: string): OnResolveResult {
  const message: PartialMessage = { text, detail: { hint } };
  return { path: args.path, errors: [message] };
}

/** Refuses imports of this package, which an editor's completion easily adds. They would fail somewhere in our own files. */
function refuseOurselves(build: PluginBuild): void {
  build.onResolve({ filter: /^convo-fn(\/|$)/ }, (args) =>
    refused(
      args,
      `"${args.path}" is for tests and types: no function can import it`,
      "Import its types with: import type { … } from 'convo-fn'. Everything else is on the function's argument, sdk.",
    ),
  );
}

function refuseAddresses(build: PluginBuild): void {
  build.onResolve({ filter: /^[A-Za-z][A-Za-z0-9+.-]+:/ }, (args) => {
    if (args.path.startsWith('node:')) return undefined;
    if (isStyleAddress(args.kind))
      return args.path.startsWith('data:') ? undefined : { path: args.path, external: true };
    // A package for several runtimes imports modules of one of them when it detects that runtime.
    if (isInstalled(args.importer) && otherRuntimes.test(args.path))
      return { path: args.path, namespace: runtimeNamespace };
    return refused(
      args,
      `"${shorten(args.path)}" cannot be imported: functions import files of the project and installed packages only`,
      'Install the package, or copy the file into the project and import it by a relative path.',
    );
  });
  build.onLoad({ filter: /.*/, namespace: runtimeNamespace }, ({ path }) => ({
    contents: `throw Object.assign(new Error(${JSON.stringify(`${path} is not available in functions. ${insteadOf('net')}`)}), { code: 'ERR_NOT_AVAILABLE_IN_FUNCTIONS' });
module.exports = {};`,
    loader: 'js',
  }));
  build.onResolve({ filter: /^(?:[\\/]|[A-Za-z]:[\\/])/ }, (args) => {
    if (isStyleAddress(args.kind)) return { path: args.path, external: true };
    return refused(
      args,
      `"${shorten(args.path)}" is an absolute path, and functions import files of the project by relative paths`,
      'Write the path relative to the importing file: ./ or ../',
    );
  });
}

const otherRuntimes = /^(?:bun|cloudflare|deno|workerd):/;
const runtimeNamespace = 'runtime';

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

function refuseSecretsAndAddons(build: PluginBuild): void {
  build.onResolve({ filter: /(?:^|[\\/])\.[eE][nN][vV]/ }, (args) => refusedSecret(args));
  build.onResolve({ filter: /\.node$/ }, (args) => {
    // A package that tries several builds of an optional addon names files that do not exist.
    if (!existsSync(resolve(args.resolveDir, args.path))) return undefined;
    return refused(
      args,
      `"${args.path}" is a native addon, and functions run JavaScript only`,
      'Use a package written in JavaScript, or one with a JavaScript fallback.',
    );
  });
}

function refusedSecret(args: OnResolveArgs): OnResolveResult {
  return refused(
    args,
    `"${args.path}" may hold secrets, and a bundle is readable by whoever gets it`,
    'Set the value with "fn secret set NAME" and read it with sdk.secrets.get.',
  );
}

function nodeBuiltins(
  build: PluginBuild,
  kind: FunctionSource['kind'],
  findings: Findings,
  choices: SecondChoices | undefined,
): void {
  build.onResolve({ filter: builtinNames }, async (args) => {
    if (args.pluginData === browserMap) return undefined;
    const name = args.path.replace(/^node:/, '');
    if (!shimmed.has(name) && !isUnavailable(name)) {
      return refused(args, `"${args.path}" is not a built-in module of Node`, 'Check the spelling.');
    }
    const fromPackage = isInstalled(args.importer);
    const forBrowsers = fromPackage && !choices?.isInNodeForm(args.importer);
    if (forBrowsers && (await hasOwnAnswer(build, args, name, kind))) return undefined;
    if (!fromPackage && args.namespace === 'file' && refusedToAuthors.has(name)) {
      return refused(
        args,
        `"${args.path}" is not available in functions`,
        'A function is one program without processes or threads of its own.',
      );
    }
    if (!shimmed.has(name)) findings.unavailable.push({ builtin: name, importer: args.importer });
    return { path: name, namespace: nodeNamespace, sideEffects: false };
  });
  build.onLoad({ filter: /.*/, namespace: nodeNamespace }, async ({ path }) => {
    if (!shimmed.has(path)) return { contents: stubText(path), loader: 'js' };
    return { contents: await readFile(await shimPath(path, kind), 'utf8'), loader: 'js' };
  });
}

/** Replaces packages that `fetch` covers: see `web-packages.ts`. Not if a file of the project has that name, or the package is missing. */
function networkPackages(build: PluginBuild): void {
  build.onResolve({ filter: new RegExp(`^(?:${[...webPackages].join('|')})$`) }, async (args) => {
    if (args.pluginData === browserMap) return undefined;
    const { importer, resolveDir, kind, namespace } = args;
    const found = await build.resolve(args.path, { importer, resolveDir, kind, namespace, pluginData: browserMap });
    if (found.errors.length > 0 || !isInstalled(found.path)) return undefined;
    return { path: args.path, namespace: packageNamespace, sideEffects: false };
  });
  build.onLoad({ filter: /.*/, namespace: packageNamespace }, ({ path }) => ({
    contents: webPackageText(path),
    loader: 'js',
  }));
}

const packageNamespace = 'web-package';

const builtinNames = new RegExp(
  `^(?:node:.*|${[...shimmed, ...unavailableNames].map((name) => name.replaceAll('/', '\\/')).join('|')})$`,
);

const browserMap = Symbol('asked by the rule itself');

/** Built-ins that a package uses if it finds a `process`, as in a function, although it maps them to false for browsers. */
const askedForAnyway: ReadonlySet<string> = new Set(['buffer', 'http', 'https']);

/**
 * Whether the importing package has its own replacement of the built-in for browsers (`"browser": {"crypto": false}` or a file),
 * which then takes precedence.
 */
async function hasOwnAnswer(
  build: PluginBuild,
  args: OnResolveArgs,
  name: string,
  kindOfFunction: FunctionSource['kind'],
): Promise<boolean> {
  const { importer, resolveDir, kind, namespace } = args;
  const found = await build.resolve(args.path, { importer, resolveDir, kind, namespace, pluginData: browserMap });
  if (found.errors.length > 0 || found.external) return false;
  // Mapped to false: browsers have no such module, but the package may still require it if it finds a `process`.
  if (found.namespace !== 'file')
    return !nativelyDone.has(name) && !(kindOfFunction === 'server' && askedForAnyway.has(name));
  return !toSlashes(found.path).includes(`/node_modules/${name.split('/')[0]}/`);
}

/** Refuses huge data files, which are easily imported by accident. Code size is checked after the build. */
function refuseHugeAssets(build: PluginBuild, limits: BundleLimits): void {
  build.onLoad({ filter: assetEndings, namespace: 'file' }, ({ path }) => {
    const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes <= limits.sourceBytes) return undefined;
    return { errors: [{ text: tooLarge(path, bytes, limits.sourceBytes), detail: { hint: tooLargeHint } }] };
  });
}

const assetEndings =
  /\.(?:json|txt|md|html|sql|csv|tsv|xml|ya?ml|png|jpe?g|gif|webp|avif|ico|pdf|bin|woff2?|ttf|wasm)$/i;
