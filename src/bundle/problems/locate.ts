import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SourceLocation, toSlashes } from '../../std/index.ts';

/** Finds the first mention of `specifier` in `file`. The compiler knows it but does not report it. */
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
    // If the file cannot be read again, there is no line to show; its name is enough.
  }
  return { file: shown };
}
