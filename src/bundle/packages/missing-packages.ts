import type { Metafile, PluginBuild } from 'esbuild';
import { manifestOf } from './manifest.ts';
import { isInstalled, packageFolder, packageName } from './package-folder.ts';

/**
 * What code asks for where it is ready to do without (`try`, `catch()`), and is not installed. The compiler leaves it as it is; its error
 * would lack the code that such code looks at before it goes on.
 */
export function triedInVain({ inputs }: Metafile): { path: string; by: 'package' | 'app' }[] {
  return Object.entries(inputs).flatMap(([key, { imports }]) => {
    const tried = imports.filter(({ external, kind, path }) => external && isWhenReached(kind) && isPackage(path));
    const by = isInstalled(`/${key}`) ? 'package' : 'app';
    return tried.map(({ path }) => ({ path, by }));
  });
}

const isWhenReached = (kind: string) => kind === 'require-call' || kind === 'dynamic-import';

const isPackage = (path: string) => /^(?:@[\w.-]+\/)?\w[^:]*$/.test(path);

const looking = Symbol('looking whether it is there after all');

/**
 * As in Node, `require` of what is not installed throws when it runs: many packages ask for what they can do without. An `import` of what the
 * package itself calls optional throws when something of it is used: bundlers leave such imports out where nothing is, and packages count on it.
 * @param triedByApp what the app's own code is ready to do without; anything else that it imports has to be there
 */
export function missingPackages(build: PluginBuild, filter: RegExp, triedByApp: ReadonlySet<string>): void {
  build.onResolve({ filter }, async ({ path, importer, resolveDir, kind, namespace, pluginData }) => {
    const folder = packageFolder(importer);
    if (pluginData === looking) return undefined;
    if (!folder && !(isWhenReached(kind) && triedByApp.has(path))) return undefined;
    const isImport = kind === 'import-statement';
    if (isImport && !(folder && isOptional(folder, packageName(path)))) return undefined;
    const found = await build.resolve(path, { importer, resolveDir, kind, namespace, pluginData: looking });
    if (found.errors.length === 0) return undefined;
    return isImport ? { path, namespace: imported, sideEffects: false } : { path, namespace: required };
  });
  build.onLoad({ filter: /.*/, namespace: required }, ({ path }) => ({
    contents: `${failure(path)}fail();\nmodule.exports = {};`,
    loader: 'js',
  }));
  build.onLoad({ filter: /.*/, namespace: imported }, ({ path }) => ({ contents: standIn(path), loader: 'js' }));
}

const required = 'absent-package';
const imported = 'absent-import';

function failure(path: string): string {
  const name = packageName(path);
  const hint = isPackage(name) ? ` Install it in the project: npm install ${name}` : '';
  const message = JSON.stringify(`Cannot find module '${path}'.${hint}`);
  return `const fail = () => { throw Object.assign(new Error(${message}), { code: 'MODULE_NOT_FOUND' }); };\n`;
}

/** Names imported from a CommonJS module are looked up at its prototype when it has no such member. */
function standIn(path: string): string {
  return `${failure(path)}const get = (_, key) => (typeof key === 'symbol' || key === '__esModule' || key === 'then' ? undefined : fail());
const names = new Proxy({}, { get });
module.exports = new Proxy(function () {}, { get, apply: fail, construct: fail, getPrototypeOf: () => names });`;
}

function isOptional(folder: string, name: string): boolean {
  const { peerDependenciesMeta, optionalDependencies } = manifestOf(folder);
  return (
    Object(Object(peerDependenciesMeta)[name]).optional === true || Object.hasOwn(Object(optionalDependencies), name)
  );
}
