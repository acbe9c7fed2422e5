import type { Style } from './style.ts';

/** Markdown for the eye: headings bold, code as it is, tables aligned. Piped, it stays Markdown. Comments are not for readers. */
export function markdownText(markdown: string, style: Style, isTerminal: boolean): string {
  const text = markdown.replace(/<!--[\s\S]*?-->\n*/g, '').trimEnd();
  if (!isTerminal) return text;
  const lines: string[] = [];
  let inCode = false;
  let rows: string[][] = [];
  const flush = () => {
    if (rows.length > 0) lines.push(...tableLines(rows, style));
    rows = [];
  };
  for (const line of text.split('\n')) {
    if (!inCode && /^\s*\|.*\|\s*$/.test(line)) {
      rows.push(cellsOf(line));
      continue;
    }
    flush();
    if (line.startsWith('```')) {
      inCode = !inCode;
      continue;
    }
    lines.push(inCode ? `    ${line}` : prose(line, style));
  }
  flush();
  return lines.join('\n');
}

function prose(line: string, style: Style): string {
  const heading = /^(#{1,6}) +(.*)$/.exec(line);
  if (heading)
    return heading[1]?.length === 1
      ? style.bold(style.underline(bare(heading[2] ?? '')))
      : style.bold(bare(heading[2] ?? ''));
  return inline(line.replace(/^(\s*)[-*] /, '$1• '), style);
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
  for (const row of shown) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return shown.map((row, r) => {
    const line = row
      .map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
    return r === 0 ? style.dim(line) : line;
  });
}
