import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Message, Metafile } from 'esbuild';
import { type SourceLocation, toSlashes } from '../../std/index.ts';
import { insteadOf } from '../node/table.ts';
import { isInstalled } from '../packages/package-folder.ts';
import type { UnavailableUse } from '../resolve.ts';
import type { BuildWarning } from '../types.ts';
import { alternativeTo } from './alternatives.ts';
import { locationOf } from './failure.ts';
import { locate } from './locate.ts';

/** The compiler's warnings about the author's own code; those about packages are left out. */
export function compilerWarnings(messages: readonly Message[]): BuildWarning[] {
  return messages.flatMap((message) => {
    const location = locationOf(message);
    if (location && isInstalled(`/${location.file}`)) return [];
    return [{ code: 'compiler' as const, message: message.text, ...(location ? { location } : {}) }];
  });
}

/**
 * One warning for each package, and for each file of the author's, that imports Node built-ins which functions do not have. Files
 * of which nothing got into the bundle are left out.
 */
export function unavailableWarnings(uses: readonly UnavailableUse[], metafile: Metafile, root: string): BuildWarning[] {
  if (uses.length === 0) return [];
  const bundled = new Set<string>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [key, { bytesInOutput }] of Object.entries(output.inputs)) if (bytesInOutput > 0) bundled.add(key);
  }
  const groups = new Map<string, { importer: string; builtins: Set<string>; package?: string }>();
  for (const { builtin, importer } of uses) {
    const file = toSlashes(relative(root, importer));
    if (!bundled.has(file)) continue;
    const owner = isInstalled(importer) ? packageOf(importer) : undefined;
    const group = groups.get(owner ?? file) ?? {
      importer: file,
      builtins: new Set(),
      ...(owner ? { package: owner } : {}),
    };
    group.builtins.add(builtin);
    groups.set(owner ?? file, group);
  }
  const ways = groups.size > 0 ? waysInto(metafile) : undefined;
  return [...groups].map(([name, group]) => {
    const builtins = [...group.builtins].sort();
    const list = builtins.map((builtin) => `node:${builtin}`).join(', ');
    const instead = alternativeTo(name) ?? [...new Set(builtins.map(insteadOf))].join(' ');
    const rest = `imports ${list}, which ${builtins.length > 1 ? 'are' : 'is'} not available in functions: calls of ${builtins.length > 1 ? 'them' : 'it'} will throw. ${instead}`;
    if (group.package) {
      const { by, location } = asked(root, ways?.get(group.importer));
      return {
        code: 'node_builtin_unavailable',
        message: `${name}${by} ${rest}`,
        package: group.package,
        ...(location ? { location } : {}),
      };
    }
    const specifier = written(root, group.importer, builtins[0] ?? '');
    return {
      code: 'node_builtin_unavailable',
      message: `${name} ${rest}`,
      location: locate(root, group.importer, specifier),
    };
  });
}

/** One warning for each package that keeps a form which needs a page, and is known to: others name a page in branches that nobody takes. */
export function pageWarnings(folders: readonly string[], metafile: Metafile, root: string): BuildWarning[] {
  if (folders.length === 0) return [];
  const ways = waysInto(metafile);
  return folders.flatMap((folder) => {
    const inside = `${toSlashes(relative(root, folder))}/`;
    const file = Object.keys(metafile.inputs).find((key) => key.startsWith(inside));
    if (file === undefined) return [];
    const name = packageOf(`/${file}`);
    const instead = alternativeTo(name);
    if (instead === undefined) return [];
    const { by, location } = asked(root, ways.get(file));
    const message = `${name}${by} uses what only pages in browsers have (document, DOMParser, XMLHttpRequest …), which is not available in functions. ${instead}`;
    return [{ code: 'page_needed' as const, message, package: name, ...(location ? { location } : {}) }];
  });
}

/** One warning for each package that brings WebAssembly: it gets the bytes, and nothing to run them with. */
export function wasmWarnings(metafile: Metafile, root: string): BuildWarning[] {
  const bundled = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const files = bundled.flatMap(([key, { bytesInOutput }]) => (bytesInOutput > 0 && key.endsWith('.wasm') ? key : []));
  if (files.length === 0) return [];
  const ways = waysInto(metafile);
  return files
    .filter((key) => isInstalled(`/${key}`))
    .map((key) => {
      const name = packageOf(`/${key}`);
      const { by, location } = asked(root, ways.get(key));
      const instead = alternativeTo(name) ?? 'Use a package written in JavaScript.';
      const message = `${name}${by} is made of WebAssembly, which is not available in functions. ${instead}`;
      return { code: 'wasm_unavailable' as const, message, package: name, ...(location ? { location } : {}) };
    });
}

/** The author's file that leads to each other one, and what it imports on the way: breadth first, so by the shortest way. */
function waysInto(metafile: Metafile): Map<string, Way> {
  const ways = new Map<string, Way>();
  let reached: string[] = Object.keys(metafile.inputs).filter((key) => !isInstalled(`/${key}`));
  while (reached.length > 0) {
    const next: string[] = [];
    for (const key of reached) {
      for (const { path, original } of metafile.inputs[key]?.imports ?? []) {
        if (ways.has(path) || original === undefined || !isInstalled(`/${path}`)) continue;
        ways.set(path, ways.get(key) ?? { file: key, specifier: original });
        next.push(path);
      }
    }
    reached = next;
  }
  return ways;
}

interface Way {
  readonly file: string;
  readonly specifier: string;
}

/** Where the author imports a package, directly or indirectly. */
function asked(root: string, way: Way | undefined): { by: string; location?: SourceLocation } {
  if (!way) return { by: '' };
  const location = locate(root, way.file, way.specifier);
  return { by: ` (${[location.file, location.line, location.column].filter(Boolean).join(':')})`, location };
}

/** With or without `node:`, as the file has it. */
function written(root: string, file: string, builtin: string): string {
  try {
    const text = readFileSync(join(root, file), 'utf8');
    return new RegExp(`['"\`]node:${builtin}['"\`]`).test(text) ? `node:${builtin}` : builtin;
  } catch {
    return builtin;
  }
}

/** `…/node_modules/@scope/name/lib/x.js` → `@scope/name`. */
function packageOf(path: string): string {
  const parts = toSlashes(dirname(path)).split('/');
  const at = parts.lastIndexOf('node_modules');
  const [first = '', second = ''] = parts.slice(at + 1);
  return first.startsWith('@') ? `${first}/${second}` : first;
}
