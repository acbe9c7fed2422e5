import { readFileSync } from 'node:fs';
import type { SourceLocation } from '../../std/index.ts';

/** Whether a file uses CommonJS exports: then the default function may exist, just with the wrong syntax. */
export function isCommonJs(path: string): boolean {
  try {
    return /^[ \t]*(?:module\.)?exports\b[^\n]*=/m.test(readFileSync(path, 'utf8'));
  } catch {
    return false;
  }
}

const exporting = /^\s*(?:export\s+(?!const\s+config\b|type\b|interface\b)|module\.exports\b)/;

/** The line where a missing default export probably belongs: the first other export, or the end. */
export function exportLine(path: string, file: string): SourceLocation {
  try {
    const lines = readFileSync(path, 'utf8').split(/\r?\n/);
    const meant = lines.findIndex((line) => exporting.test(line));
    const last = lines.findLastIndex((line) => line.trim() !== '');
    const index = Math.max(0, meant >= 0 ? meant : last);
    return { file, line: index + 1, column: 1, text: lines[index] ?? '' };
  } catch {
    return { file };
  }
}
