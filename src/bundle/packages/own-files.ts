import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { Loader, PluginBuild } from 'esbuild';
import { isInside } from '../../std/index.ts';
import { packageFolder } from './package-folder.ts';

/** Larger files would fill a function's bundle, for a package that may not even read them. */
const maxBytes = 2 * 1024 * 1024;

/** Whether a package's file reads files of its package by constant paths, `readFileSync(__dirname + '/data.json')`. */
export function readsOwnFiles(path: string, text: string): boolean {
  return withOwnFiles(text, path) !== text;
}

/** Puts the content of such files in place of the calls. */
export function ownFiles(build: PluginBuild, filter: RegExp): void {
  build.onLoad({ filter, namespace: 'file' }, ({ path }) => ({
    contents: withOwnFiles(readFileSync(path, 'utf8'), path),
    loader: (/^\.[cm]?ts$/.test(extname(path)) ? 'ts' : 'jsx') satisfies Loader,
  }));
}

const quoted = String.raw`(?:'[^'\\\n]*'|"[^"\\\n]*")`;
/** A member of a module: `fs.x`, `(0, fs_1.x)`, or `x` imported by name. */
const member = (name: string) => String.raw`(?:\(0, ?[\w$.]+\.${name}\)|(?:[\w$]+\.)*${name})`;
const joined = String.raw`${member('(?:join|resolve)')}\(__dirname(?<joined>(?:, ?${quoted})+)\)`;
const added = String.raw`__dirname ?\+ ?(?<added>${quoted})`;
const filled = '`\\$\\{__dirname\\}(?<filled>[^`$\\\\]+)`';
const beside = (name: string) => String.raw`new URL\((?<${name}>${quoted}), ?import\.meta\.url\)`;
const relative = `${beside('url')}|${member('fileURLToPath')}\\(${beside('path')}\\)`;
const encoding = String.raw`(?:, ?(?:(?<encoding>${quoted})|\{ ?['"]?encoding['"]?: ?(?<named>${quoted}) ?\}))?`;
const call = new RegExp(
  String.raw`(?<![\w$.])${member('readFileSync')}\((?:${joined}|${added}|${filled}|${relative})${encoding}\)`,
  'g',
);

function withOwnFiles(text: string, path: string): string {
  const owner = packageFolder(path);
  if (owner === undefined || !text.includes('readFileSync')) return text;
  return text.replace(call, (found: string, ...rest: unknown[]) => {
    const parts = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    const names = parts['added'] ?? parts['filled'] ?? parts['url'] ?? parts['path'] ?? parts['joined'] ?? '';
    const bytes = contentOf(join(dirname(path), ...namesIn(names)), owner);
    if (!bytes) return found;
    const [read] = namesIn(parts['encoding'] ?? parts['named'] ?? '""');
    if (read === 'utf8' || read === 'utf-8') return JSON.stringify(bytes.toString('utf8'));
    const made = `globalThis.Buffer.from("${bytes.toString('base64')}", "base64")`;
    return read ? `${made}.toString(${JSON.stringify(read)})` : made;
  });
}

/** The quoted texts, or the text itself if it is not quoted. */
function namesIn(text: string): string[] {
  const names = [...text.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, single, double]) => single ?? double ?? '');
  return names.length > 0 ? names : [text];
}

/** Only of files inside the package: another one could hold a secret of this machine, and the function could send it away. */
function contentOf(path: string, owner: string): Buffer | undefined {
  try {
    const real = realpathSync(path);
    const isOwn = isInside(realpathSync(owner), real) && statSync(real).size <= maxBytes;
    return isOwn ? readFileSync(real) : undefined;
  } catch {
    return undefined;
  }
}
