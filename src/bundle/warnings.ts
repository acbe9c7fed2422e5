import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Message, Metafile } from 'esbuild';
import { locate } from './confine.ts';
import { locationOf, toSlashes } from './failure.ts';
import { insteadOf } from './node/table.ts';
import { isInstalled, type UnavailableUse } from './resolve.ts';
import type { BuildWarning } from './types.ts';

/** What the compiler says about the author's own code; what it says about packages is nobody's here. */
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
  return [...groups].map(([name, group]) => {
    const builtins = [...group.builtins].sort();
    const list = builtins.map((builtin) => `node:${builtin}`).join(', ');
    const instead = [...new Set(builtins.map(insteadOf))].join(' ');
    const message = `${name} imports ${list}, which ${builtins.length > 1 ? 'are' : 'is'} not available in functions: calls of ${builtins.length > 1 ? 'them' : 'it'} will throw. ${instead}`;
    if (group.package) return { code: 'node_builtin_unavailable', message, package: group.package };
    const specifier = written(root, group.importer, builtins[0] ?? '');
    return { code: 'node_builtin_unavailable', message, location: locate(root, group.importer, specifier) };
  });
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
