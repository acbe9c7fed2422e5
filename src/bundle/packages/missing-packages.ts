import type { Metafile, PluginBuild } from 'esbuild';
import { manifestOf } from './manifest.ts';
import { isInstalled, packageFolder, packageName } from './package-folder.ts';

/**
 * What packages ask for where they are ready to do without (`try`, `catch()`), and is not installed. The compiler leaves it as it is; its error
 * would lack the code that such packages look at before they go on.
 */
export function triedInVain({ inputs }: Metafile): string[] {
  return Object.entries(inputs).flatMap(([key, { imports }]) => {
    const tried = imports.filter(
      ({ external, kind }) => external && (kind === 'require-call' || kind === 'dynamic-import'),
    );
    return tried.length > 0 && isInstalled(`/${key}`) ? tried.map(({ path }) => path).filter(isPackage) : [];
  });
}

const isPackage = (path: string) => /^(?:@[\w.-]+\/)?\w[^:]*$/.test(path);

const looking = Symbol('looking whether it is there after all');

/**
 * As in Node, `require` of what is not installed throws when it runs: many packages ask for what they can do without. An `import` of what the
 * package itself calls optional throws when something of it is used: bundlers leave such imports out where nothing is, and packages count on it.
 */
export function missingPackages(build: PluginBuild, filter: RegExp): void {
  build.onResolve({ filter }, async ({ path, importer, resolveDir, kind, namespace, pluginData }) => {
    const folder = packageFolder(importer);
    if (pluginData === looking || !folder) return undefined;
    const isImport = kind === 'import-statement';
    if (isImport && !isOptional(folder, packageName(path))) return undefined;
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
