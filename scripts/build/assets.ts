import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { buildShims } from '../../src/bundle/index.ts';
import { buildConsole } from '../../src/console/build.ts';
import { buildApps } from '../../src/emulator/sources/built-in/build.ts';
import { buildBlankDatabase } from '../../src/workspace/database/build.ts';

/** Told what went into a bundle, for the licences. */
type Record = (metafile: Metafile) => void;

/** File below dist → how it is made. Read with `assetPath` (src/std/files/assets.ts). */
export const assets: { readonly [path: string]: (record: Record) => Promise<string | Uint8Array> } = {
  'apps.json': buildApps,
  'blank-workspace.db': buildBlankDatabase,
};

/** Folder below dist → how it is filled. Gives the names and sizes of what was made. */
export const assetFolders: {
  readonly [path: string]: (folder: string, record: Record) => Promise<[string, number][]>;
} = {
  console: async (folder, record) => {
    await mkdir(folder, { recursive: true });
    for (const [name, contents] of await buildConsole(record)) await writeFile(join(folder, name), contents);
    return await sizesIn(folder);
  },
  'bundle/shims': async (folder, record) => {
    await buildShims(folder, record);
    return await sizesIn(folder);
  },
};

async function sizesIn(folder: string): Promise<[string, number][]> {
  const names = await readdir(folder);
  return await Promise.all(
    names.map(async (name): Promise<[string, number]> => [name, (await stat(join(folder, name))).size]),
  );
}
