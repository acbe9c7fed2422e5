import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceLocation, toSlashes } from '../../std/index.ts';

/** The first position of `specifier` in `file`. The compiler does not report it. */
export function locate(root: string, file: string, specifier: string): SourceLocation {
  const shown = toSlashes(file);
  try {
    const lines = readFileSync(join(root, file), 'utf8').split(/\r?\n/);
    for (const quote of ['"', "'", '`']) {
      const index = lines.findIndex((line) => line.includes(quote + specifier + quote));
      const text = lines[index];
      if (text === undefined) continue;
      return { file: shown, line: index + 1, column: text.indexOf(quote + specifier) + 1, text };
    }
  } catch {
    // If the file cannot be read again, its name has to do.
  }
  return { file: shown };
}
