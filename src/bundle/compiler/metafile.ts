import { resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/** The real files of a build: metafile key → absolute path. Virtual modules are omitted. */
export function filesOf(metafile: Metafile, root: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const key of Object.keys(metafile.inputs)) {
    // Keys of virtual modules start with their namespace; a Windows path with another drive starts with one letter.
    if (/^(?:\(disabled\)|[A-Za-z][\w-]+):|^</.test(key)) continue;
    files.set(key, resolve(root, key.replace(/[?#].*$/, '')));
  }
  return files;
}
