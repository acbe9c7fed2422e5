import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assetPath, isBuilt, lazy, sha256Hex } from '../std/index.ts';

interface ConsoleFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** All files, read or made when the first page is opened. */
const files = lazy(async (): Promise<ReadonlyMap<string, ConsoleFile>> => {
  const made = isBuilt ? await readFiles() : await (await import('./build.ts')).buildConsole(() => {});
  return new Map(
    [...made].map(([name, bytes]) => [
      name,
      { bytes, contentType: contentTypes[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream' },
    ]),
  );
});

async function readFiles(): Promise<ReadonlyMap<string, Uint8Array>> {
  const folder = assetPath('console');
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name))] as const)));
}

/** A file of the console by its name; undefined if there is none. */
export async function consoleFile(name: string): Promise<ConsoleFile | undefined> {
  return (await files()).get(name);
}

/** Changes with every file. */
export const consoleVersion = lazy(async (): Promise<string> => {
  const parts = [...(await files())].map(([name, { bytes }]) => `${name} ${sha256Hex(Buffer.from(bytes))}`);
  return sha256Hex(parts.sort().join('\n')).slice(0, 12);
});

/** The icons, as an element that a document contains. */
export const consoleSprite = lazy(async (): Promise<string> => {
  const file = (await files()).get('icons.svg');
  return file === undefined ? '' : Buffer.from(file.bytes).toString('utf8');
});
