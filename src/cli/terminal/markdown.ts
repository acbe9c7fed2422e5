import type { Io } from '../io.ts';
import type { Style } from './style.ts';
import { padTo, widthOf, wrap } from './width.ts';

/**
 * Renders Markdown for the terminal: bold headings, verbatim code, aligned tables, paragraphs wrapped to the width. Piped, it stays
 * Markdown. Comments and pictures are removed.
 */
export function markdownText(markdown: string, { style, outIsTerminal, columns }: Shown): string {
  const text = markdown.replace(/<!--[\s\S]*?-->\n*|<picture>[\s\S]*?<\/picture>\n*/g, '').trimEnd();
  if (!outIsTerminal) return text;
  const width = Math.min(columns, widestText);
  const lines: string[] = [];
  let inCode = false;
  let rows: string[][] = [];
  let paragraph = '';
  const flush = () => {
    if (rows.length > 0) lines.push(...tableLines(rows, style, columns));
    if (paragraph !== '') lines.push(prose(paragraph, style, width));
    rows = [];
    paragraph = '';
  };
  for (const line of text.split('\n')) {
    if (!inCode && /^\s*\|.*\|\s*$/.test(line)) {
      if (paragraph !== '') flush();
      rows.push(cellsOf(line));
      continue;
    }
    if (!inCode && paragraph !== '' && goesOn.test(line)) {
      paragraph += ` ${line.trim()}`;
      continue;
    }
    flush();
    if (line.startsWith('```')) inCode = !inCode;
    else if (inCode) lines.push(`    ${line}`);
    else if (line.trim() === '' || heading.test(line)) lines.push(prose(line, style, width));
    else paragraph = line;
  }
  flush();
  return lines.join('\n');
}

type Shown = Pick<Io, 'style' | 'outIsTerminal' | 'columns'>;

/** Longer lines are hard to read, however wide the terminal. */
const widestText = 100;

const heading = /^(#{1,6}) +(.*)$/;
/** Matches a line that continues the paragraph or list item before it. */
const goesOn = /^\s*(?!#{1,6} |[-*] |\d+\. |```|>)\S/;

function prose(line: string, style: Style, width: number): string {
  const [isHeading, signs, title = ''] = heading.exec(line) ?? [];
  if (isHeading) return signs?.length === 1 ? style.bold(style.underline(bare(title))) : style.bold(bare(title));
  const [, margin = '', sign = '', rest = ''] = /^(\s*)([-*] |\d+\. |)(.*)$/.exec(line) ?? [];
  const first = `${margin}${/^[-*]/.test(sign) ? '• ' : sign}`;
  return first + wrap(inline(rest, style), width - first.length).replaceAll('\n', `\n${' '.repeat(first.length)}`);
}

function inline(text: string, style: Style): string {
  return text
    .replace(/\[([^\]]+)\]\(([^)]+)\)/g, (_, label: string, link: string) =>
      /^https?:/.test(link) ? `${label} (${link})` : label,
    )
    .replace(/\*\*([^*]+)\*\*/g, (_, strong: string) => style.bold(strong))
    .replace(/`([^`]+)`/g, (_, code: string) => style.cyan(code));
}

const bare = (text: string): string => text.replaceAll('`', '').replaceAll('**', '');

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => bare(cell.replaceAll('\\|', '|').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')).trim());
}

/** Aligns a table. If it is wider than the terminal, its cells are wrapped. */
function tableLines(rows: readonly (readonly string[])[], style: Style, columns: number): string[] {
  const shown = rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
  const widths = fittedWidths(shown, columns);
  return shown.flatMap((row, r) => {
    const cells = row.map((cell, i) => wrap(cell, widths[i] ?? 0).split('\n'));
    return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, at) => {
      const line = cells
        .map((lines, i) => padTo(lines[at] ?? '', widths[i] ?? 0))
        .join('  ')
        .trimEnd();
      return r === 0 ? style.dim(line) : line;
    });
  });
}

/** The widths of the columns: as wide as their content, or narrowed until they fit, but never below their longest word. */
function fittedWidths(rows: readonly (readonly string[])[], columns: number): number[] {
  const widths: number[] = [];
  const least: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) {
      widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
      least[i] = Math.max(least[i] ?? 0, ...cell.split(' ').map(widthOf));
    }
  }
  let surplus = widths.reduce((sum, width) => sum + width + 2, -2) - columns;
  while (surplus > 0) {
    const [widest] = [...widths.keys()]
      .filter((i) => (widths[i] ?? 0) > (least[i] ?? 0))
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0));
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    surplus--;
  }
  return widths;
}
