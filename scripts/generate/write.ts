import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type Generated = ReadonlyMap<string, string>;

const root = join(import.meta.dirname, '../..');

/** Writes what differs. @returns the files written, relative to the repository */
export async function writeGenerated(files: Generated): Promise<string[]> {
  const written: string[] = [];
  for (const [path, text] of files) {
    if ((await present(path)) === text) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
    written.push(path);
  }
  return written;
}

/** The files that are not as they would be generated now. */
export async function staleFiles(files: Generated): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of files) if ((await present(path)) !== text) stale.push(path);
  return stale;
}

async function present(path: string): Promise<string | undefined> {
  return readFile(join(root, path), 'utf8').catch(() => undefined);
}
