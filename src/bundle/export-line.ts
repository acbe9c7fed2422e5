import { readFileSync } from 'node:fs';
import type { SourceLocation } from '../std/index.ts';

/** The line at which the author of a function without a default export probably meant one: its first other export, or the end. */
export function exportLine(path: string, file: string): SourceLocation {
  try {
    const lines = readFileSync(path, 'utf8').split(/\r?\n/);
    const meant = lines.findIndex((line) => /^\s*export\s+(?!const\s+config\b|type\b|interface\b)/.test(line));
    const last = lines.findLastIndex((line) => line.trim() !== '');
    const index = Math.max(0, meant >= 0 ? meant : last);
    return { file, line: index + 1, column: 1, text: lines[index] ?? '' };
  } catch {
    return { file };
  }
}
