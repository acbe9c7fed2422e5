import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Message } from 'esbuild';
import {
  forPackageManager,
  isInside,
  isRecord,
  ProjectError,
  type SourceLocation,
  toSlashes,
} from '../../std/index.ts';
import { isInstalled, packageName } from '../packages/package-folder.ts';
import type { Place } from '../types.ts';
import { alternativeTo } from './alternatives.ts';
import { exportLine, isCommonJs } from './export-line.ts';
import { installFirst, knownPackage } from './known-package.ts';
import { meantFile } from './meant-file.ts';
import { isPrivate, privatePath } from './private-paths.ts';

/** A problem in the sources of a function. */
export interface Problem {
  readonly message: string;
  readonly hint?: string | undefined;
  readonly location?: SourceLocation | undefined;
}

/** How many characters of a source line are shown; minified files have lines of megabytes. */
const shownColumns = 160;
/** How many problems are shown in full; a wrong bracket can cause hundreds. */
const shownProblems = 10;

/**
 * Makes the error of a build: every problem with its position, the first one as `location`. `packages_not_installed` if nothing else is wrong.
 * @param limit folder with the project's lockfile; hints name its package manager
 */
export function buildFailed(functionName: string, problems: readonly Problem[], limit: string): ProjectError {
  const first = problems[0];
  const shown = problems.slice(0, shownProblems).map(describe);
  if (problems.length > shown.length) shown.push(`… and ${problems.length - shown.length} more`);
  const hints = new Set(problems.flatMap((problem) => problem.hint ?? []));
  const code = problems.every(({ hint }) => hint === installFirst) ? 'packages_not_installed' : 'build_failed';
  return new ProjectError(code, `${functionName} does not build\n\n${shown.join('\n\n')}`, {
    hint: hints.size > 0 ? forPackageManager([...hints].slice(0, 3).map(printable).join('\n'), limit) : undefined,
    location: first?.location,
  });
}

function describe({ message: raw, location }: Problem): string {
  const message = raw.split('\n').map(printable).join('\n');
  if (!location) return message;
  const { file, line, column, text } = location;
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  if (text === undefined || line === undefined) return `${place}: ${message}`;
  const from = Math.max(0, (column ?? 1) - 1 - shownColumns / 2);
  const gutter = String(line);
  const excerpt = printable(text.slice(from, from + shownColumns));
  const caret = column === undefined ? '' : `\n  ${' '.repeat(gutter.length)} | ${' '.repeat(column - 1 - from)}^`;
  return `${place}: ${message}\n  ${gutter} | ${excerpt}${caret}`;
}

/** Replaces characters that would move the terminal's cursor, so that each takes one column. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal
  return text.replace(/\t/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '?');
}

/** Converts a position: esbuild counts columns from 0 in UTF-8 bytes; we count lines and columns from 1, in characters. */
export function locationOf(message: Message): SourceLocation | undefined {
  const at = message.location;
  if (!at) return undefined;
  const before = Buffer.from(at.lineText).subarray(0, at.column).toString();
  return { file: toSlashes(at.file), line: at.line, column: before.length + 1, text: at.lineText };
}

const noDefault = /^No matching export in .* for import "default"$/;
const rawImport = /^No matching export in ".*\?raw" for import "default"$/;
const unresolved = /^Could not resolve "([^"]+)"/;
const sloppyOnly = / cannot be used with the "esm" output format due to strict mode$/;
const importable =
  "Source, JSON, text (.txt .md .html .sql .csv …) and binary files (.png .pdf .bin …) can be imported. Add with { type: 'text' } or with { type: 'bytes' } to import any other file.";

/** Languages that need their own compiler, by file extension. */
const compiledFirst = new Map(
  Object.entries({
    '.vue':
      'Compile it to JavaScript first (Vite with @vitejs/plugin-vue, in library mode) and import that, or write the component with a render function.',
    '.svelte':
      'Compile it to JavaScript first (Vite with @sveltejs/vite-plugin-svelte, in library mode) and import that.',
    '.scss': 'Compile it first (npx sass --watch panel.scss panel.css) and import the .css file.',
    '.sass': 'Compile it first (npx sass --watch panel.sass panel.css) and import the .css file.',
    '.less': 'Compile it first (npx lessc panel.less panel.css) and import the .css file.',
  }),
);
const withoutLoader = /^No loader is configured for "([^"]*)" files: (.+)$/;

/** Rewrites an esbuild message as one of ours. Its paths are relative to the app's folder. */
export function problemOf(message: Message, { root, limit, file }: Place): Problem {
  if (noDefault.test(message.text) && message.location?.file === 'fn:entry') return defaultMissing(root, file);
  const location = locationOf(message);
  const notes = message.notes.map((note) => note.text).filter((text) => text !== '');
  const missing = unresolved.exec(message.text)?.[1];
  const importer = location ? dirname(resolve(root, location.file)) : root;
  if (missing !== undefined) {
    if (/^\.\.?([\\/]|$)/.test(missing) && !isInside(limit, resolve(importer, missing))) {
      return outside(missing, limit, location);
    }
    return { message: message.text, hint: missingHint(missing, notes, importer, limit), location };
  }
  const asset = withoutLoader.exec(message.text);
  if (asset?.[2] !== undefined) {
    const path = resolve(root, asset[2]);
    if (!isInside(limit, path)) return outside(specifierAt(message) ?? asset[2], limit, location);
    if (isPrivate(path.slice(limit.length))) return privatePath(specifierAt(message) ?? asset[2], asset[2], location);
    const kind = asset[1] === '' ? 'A file without an extension' : `A ${asset[1]} file`;
    return {
      message: `${kind} cannot be imported: ${toSlashes(asset[2])}`,
      hint: compiledFirst.get(asset[1] ?? '') ?? importable,
      location,
    };
  }
  if (location && !location.file.includes(':') && !isInside(limit, resolve(root, location.file))) {
    return {
      message: `"${location.file}" is outside the project; functions can only be built from files inside it`,
      hint: `An import leads there, a tsconfig.json extends it, or a sourceMappingURL names it. The project is ${limit}.`,
    };
  }
  if (rawImport.test(message.text)) {
    const hint = "?raw is for other bundlers. Add with { type: 'text' } to import the text of the file.";
    return { message: message.text, hint, location };
  }
  if (sloppyOnly.test(message.text)) {
    return {
      message: message.text.replace(
        sloppyOnly,
        ' cannot be used in functions, which are strict code as ES modules are',
      ),
      hint: isInstalled(`/${location?.file}`) ? 'Use another package, or a newer version of this one.' : undefined,
      location,
    };
  }
  return { message: [message.text, ...notes].join('\n  '), hint: ownHint(message), location };
}

/** The hint of a problem that our own plugins report. */
function ownHint({ detail }: Message): string | undefined {
  return isRecord(detail) && typeof detail['hint'] === 'string' ? detail['hint'] : undefined;
}

function defaultMissing(root: string, file: string): Problem {
  const path = join(root, file);
  return {
    message: 'the file exports no default function',
    hint: isCommonJs(path)
      ? 'Functions are ES modules: write "export const config = …" and "export default async (sdk) => …".'
      : 'Add "export default async (sdk) => …" and save.',
    location: exportLine(path, file),
  };
}

/** The specifier at the compiler's position, without quotes. */
function specifierAt({ location }: Message): string | undefined {
  if (!location) return undefined;
  return Buffer.from(location.lineText)
    .subarray(location.column + 1, location.column + location.length - 1)
    .toString();
}

/** @param path where it is, if known */
export function outside(
  specifier: string,
  limit: string,
  location: SourceLocation | undefined,
  path?: string,
): Problem {
  const asFile = /^(?:[./]|[A-Za-z]:)/.test(specifier);
  return {
    message: `"${specifier}" is outside the project; functions can only import from inside it`,
    hint: asFile
      ? `The project is ${limit}. Copy the file into it, or add what it holds as a package.`
      : (linkedHint(specifier, limit, path) ?? missingHint(specifier, [], limit, limit)),
    location,
  };
}

/** A hint for linked packages; a package that is merely in a folder above should be installed. */
function linkedHint(specifier: string, limit: string, path: string | undefined): string | undefined {
  if (path === undefined) return undefined;
  const name = packageName(specifier);
  const isLinked = existsSync(join(limit, 'node_modules', name)) || !/[\\/]node_modules[\\/]/.test(path);
  if (!isLinked) return undefined;
  return `It leads to ${toSlashes(path)}. The project is ${limit}: the nearest folder with a lockfile, which the home folder never is. Put the app and what it imports below one such folder, or install a copy of the package.`;
}

function missingHint(specifier: string, notes: readonly string[], importer: string, limit: string): string | undefined {
  if (specifier.startsWith('#')) return 'It must be listed under "imports" in package.json, and its file must exist.';
  if (/^[@~]\//.test(specifier))
    return 'An alias must be listed under "paths" in tsconfig.json, and its file must exist.';
  if (/^[./]/.test(specifier)) {
    const meant = meantFile(specifier, importer);
    return meant === undefined ? 'Check the spelling and the path; the file must exist.' : `Did you mean "${meant}"?`;
  }
  const exported = notes.find((note) => note.includes('exports'));
  if (exported !== undefined) return exported;
  const name = packageName(specifier);
  const instead = alternativeTo(name);
  if (instead !== undefined) return `Installed, ${name} would not work in functions as it is. ${instead}`;
  const known = knownPackage(name, importer, limit);
  if (known !== undefined) return known;
  if (/^(preact|react)\/jsx-(dev-)?runtime$/.test(specifier)) return 'JSX needs preact or react: npm install preact';
  return `Install it in the project: npm install ${name}`;
}
