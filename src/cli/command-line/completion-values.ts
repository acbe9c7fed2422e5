import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { operationNames, operationOf } from '../../contract/index.ts';
import {
  listFixtures,
  listFunctionFiles,
  localProfile,
  readPreferences,
  readSeedUnchecked,
  resolveFunctionName,
} from '../../project/index.ts';
import { isRecord } from '../../std/index.ts';
import type { Candidate, Completed, LineSoFar } from '../command.ts';
import type { Context } from '../context.ts';

/*
 * Values that completion offers. They come from this folder and this machine, never from a network, and nothing is opened, built or
 * written for them, because a person who presses Tab is waiting.
 */

/** Values by kind. Commands only name the kind, so that running one does not load this file. */
export const knownValues = {
  functions: functionNames,
  'functions or files': functionOrFile,
  fixtures: fixtureNames,
  profiles: profileNames,
  'writing operations': writingOperations,
  templates: templateNames,
  languages: templateLanguages,
  channels: channelNames,
  'channels or kinds': channelKindsAndNames,
  agents: agentAddresses,
} as const satisfies Record<string, (context: Context, line: LineSoFar) => Promise<Completed>>;

export type KnownValues = keyof typeof knownValues;

/** Functions by full name, or by the last part if no full name begins with the typed text. */
async function functionNames(context: Context, { word }: LineSoFar): Promise<Candidate[]> {
  const project = await context.project();
  if (project === undefined) return [];
  const files = await listFunctionFiles(project);
  const whole = files.map(({ name }) => ({ text: name, about: '' }));
  if (word === '' || whole.some(({ text }) => text.startsWith(word))) return whole;
  const lastParts = files.map(({ name }) => name.split('/').at(-1) ?? name);
  return files.flatMap(({ name }, i) => {
    const last = lastParts[i] ?? name;
    return lastParts.indexOf(last) === lastParts.lastIndexOf(last) ? [{ text: last, about: name }] : [];
  });
}

/** Values for `fn invoke`: a function, or any file written as a path. */
async function functionOrFile(context: Context, line: LineSoFar): Promise<Completed> {
  return /^(?:[./~]|[A-Za-z]:[\\/])/.test(line.word) ? 'files' : await functionNames(context, line);
}

/** Fixtures of the function that was named. */
async function fixtureNames(context: Context, { given: [name] }: LineSoFar): Promise<string[]> {
  const project = await context.project();
  if (project === undefined || name === undefined) return [];
  return await listFixtures(project, resolveFunctionName(await listFunctionFiles(project), name).name);
}

async function profileNames({ env }: Pick<Context, 'env'>): Promise<Candidate[]> {
  const { profiles } = readPreferences(env);
  return [
    { text: localProfile, about: 'this machine' },
    ...Object.entries(profiles).map(([text, { baseUrl, slug }]) => ({ text, about: `${slug} at ${baseUrl}` })),
  ];
}

/** Operations that change something, which a relay holds back. */
async function writingOperations(): Promise<string[]> {
  return operationNames.filter((name) => operationOf(name).effect !== 'read');
}

/** Approved templates of the app's seed: those of a remote workspace would need a request. */
async function templateNames(context: Context): Promise<Candidate[]> {
  const found = new Map<string, string>();
  for (const { name, body, status = 'approved' } of await seedEntries(context, 'templates')) {
    if (status !== 'approved') continue;
    if (typeof name === 'string' && !found.has(name)) found.set(name, typeof body === 'string' ? oneLine(body) : '');
  }
  return [...found].map(([text, about]) => ({ text, about }));
}

/** Languages of the template that was named, or of all. */
async function templateLanguages(context: Context, { given: [name] }: LineSoFar): Promise<string[]> {
  const templates = await seedEntries(context, 'templates');
  const meant = templates.filter((one) => one['name'] === name);
  return textsOf(meant.length > 0 ? meant : templates, 'language');
}

async function channelNames(context: Context): Promise<string[]> {
  return textsOf(await seedEntries(context, 'channels'), 'name');
}

async function channelKindsAndNames(context: Context): Promise<string[]> {
  const channels = await seedEntries(context, 'channels');
  return [...textsOf(channels, 'kind'), ...textsOf(channels, 'name')];
}

async function agentAddresses(context: Context): Promise<Candidate[]> {
  return (await seedEntries(context, 'agents')).flatMap(({ email, name }) =>
    typeof email === 'string' ? [{ text: email, about: typeof name === 'string' ? name : '' }] : [],
  );
}

/** Files and folders that continue a path; a folder ends in `/`. */
export function pathsAt(path: string, { cwd, env }: Pick<Context, 'cwd' | 'env'>): Candidate[] {
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const begun = path.slice(folder.length);
  const place = resolve(cwd, folder.replace(/^~(?=\/)/, env['HOME'] ?? '~'));
  return readdirSync(place, { withFileTypes: true })
    .filter(({ name }) => name.startsWith(begun) && (begun !== '' || !name.startsWith('.')))
    .map((entry) => {
      const isFolder =
        entry.isDirectory() ||
        (entry.isSymbolicLink() &&
          statSync(join(place, entry.name), { throwIfNoEntry: false })?.isDirectory() === true);
      return { text: `${folder}${entry.name}${isFolder ? '/' : ''}`, about: '' };
    })
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** A part of the app's seed, read without checks, which would take too long for completion. */
async function seedEntries(context: Context, part: string): Promise<Record<string, unknown>[]> {
  const project = await context.project();
  if (project === undefined) return [];
  const seed = await readSeedUnchecked(project);
  const entries = isRecord(seed) ? seed[part] : undefined;
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}

function textsOf(entries: readonly Record<string, unknown>[], key: string): string[] {
  return [...new Set(entries.map((one) => one[key]).filter((value) => typeof value === 'string'))];
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 80);
