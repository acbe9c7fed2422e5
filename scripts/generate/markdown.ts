/** First lines of every page. */
export function page(title: string, about: string, ...parts: readonly string[]): string {
  return `${[`# ${title}`, '<!-- Made by "npm run generate" from the contract. Do not edit. -->', about, ...parts].join('\n\n')}\n`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}

export function code(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/** A bar would end the cell, a line break the row. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ').trim();
}

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
