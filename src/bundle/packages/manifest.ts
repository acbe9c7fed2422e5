import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package.json of a folder; empty if there is none that can be read. */
export function manifestOf(folder: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))) as Record<string, unknown>;
  } catch {
    return {};
  }
}
