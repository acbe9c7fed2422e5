import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly license?: string | { readonly type?: string };
  readonly author?: string | { readonly name?: string };
}

/**
 * The licences of every package whose code is in the bundles, as their authors ask for.
 * @throws when a package states no licence: it cannot be published then
 */
export async function licencesOf(metafiles: readonly Metafile[], root: string): Promise<string> {
  const folders = new Set(
    metafiles.flatMap(({ inputs }) => Object.keys(inputs).flatMap((input) => packageFolder(input) ?? [])),
  );
  const parts: string[] = [];
  for (const folder of [...folders].sort(byName)) parts.push(await licenceOf(join(root, folder)));
  const head = `convo-fn contains code of ${parts.length} other packages. These are their licences.\n`;
  return [head, ...parts].join(`\n${'-'.repeat(100)}\n\n`);
}

/** `node_modules/a/node_modules/@b/c/lib/x.js` → `node_modules/a/node_modules/@b/c` */
function packageFolder(input: string): string | undefined {
  if (input.startsWith('builtin-')) return undefined; // of Node: see quick-builtins.ts
  const at = input.lastIndexOf('node_modules/');
  if (at === -1) return undefined;
  const [scope = '', name = ''] = input.slice(at + 'node_modules/'.length).split('/');
  return `${input.slice(0, at)}node_modules/${scope.startsWith('@') ? `${scope}/${name}` : scope}`.replace(/^.*?:/, '');
}

const byName = (a: string, b: string): number =>
  a.slice(a.lastIndexOf('node_modules/')) < b.slice(b.lastIndexOf('node_modules/')) ? -1 : 1;

async function licenceOf(folder: string): Promise<string> {
  const info: PackageInfo = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const stated = typeof info.license === 'object' ? info.license.type : info.license;
  const file = (await readdir(folder)).find((name) => /^(licen[cs]e|copying)/i.test(name));
  if (stated === undefined && file === undefined) throw new Error(`${info.name} ${info.version} states no licence`);
  const author = typeof info.author === 'object' ? info.author.name : info.author;
  const text =
    file === undefined
      ? `${stated}${author ? `\n\nCopyright ${author}` : ''}`
      : await readFile(join(folder, file), 'utf8');
  return `${info.name} ${info.version} (${stated ?? 'see below'})\n\n${text.trim()}\n`;
}
