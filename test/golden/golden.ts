import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Compares a text with its file in this folder. `npm run golden` writes the files anew; the difference is then reviewed as prose.
 */
export function matchesGolden(name: string, text: string): void {
  const file = join(import.meta.dirname, name);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  assert.ok(existsSync(file), `${name} is missing: npm run golden writes it`);
  assert.equal(text, readFileSync(file, 'utf8'), `${name} differs; if that is meant: npm run golden`);
}
