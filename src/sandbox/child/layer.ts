import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The web layer as the published package holds it, beside this file's bundle. In development the parent sends it. */
export function layerBeside(): string {
  return readFileSync(fileURLToPath(new URL('./layer.js', import.meta.url)), 'utf8');
}
