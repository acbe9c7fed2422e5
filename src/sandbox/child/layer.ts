import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The web layer from the published package, next to this file's bundle. In development the parent sends it instead. */
export function layerBeside(): string {
  // If the bundler splits code, this file is one folder above the child's entry.
  const places = ['./layer.js', './sandbox/layer.js', '../sandbox/layer.js'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error('the package lacks dist/sandbox/layer.js');
  return readFileSync(found, 'latin1'); // ASCII, as web/build.ts makes it
}
