import type { Io } from '../io.ts';
import type { Style } from './style.ts';
import { padTo, widthOf, wrap } from './width.ts';

/**
 * Renders Markdown for the terminal: bold headings, verbatim code, aligned tables, paragraphs wrapped to the width. Piped, it stays
 * Markdown. Comments are removed.
 */
export function markdownText(markdown: string, { style, outIsTerminal, columns }: Shown): string {
  const text = markdown.replace(/<!--[\s\S]*?-->\n*/g, '').trimEnd();
  if (!outIsTerminal) return text;
  const width = Math.min(columns, widestText);
  const lines: string[] = [];
  let inCode = false;
  let rows: string[][] = [];
  let paragraph = '';
  const flush = () => {
    if (rows.length > 0) lines.push(...tableLines(rows, style));
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

function tableLines(rows: readonly (readonly string[])[], style: Style): string[] {
  const shown = rows.filter((row) => !row.every((cell) => /^:?-+:?$/.test(cell)));
  const widths: number[] = [];
  for (const row of shown) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell));
  return shown.map((row, r) => {
    const line = row
      .map((cell, i) => (i === row.length - 1 ? cell : padTo(cell, widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
    return r === 0 ? style.dim(line) : line;
  });
}
