/** A text cut into what was looked for and the rest. */
export interface Marked {
  readonly text: string;
  readonly isFound: boolean;
}

const partsOf = (query: string): string[] =>
  query
    .toLowerCase()
    .split(/\s+/)
    .filter((part) => part !== '');

/** How well a text fits: every word of the query is in it, best at its beginning. @returns undefined if it does not fit */
export function scoreOf(text: string, query: string): number | undefined {
  const lower = text.toLowerCase();
  let score = 0;
  for (const part of partsOf(query)) {
    const at = lower.indexOf(part);
    if (at < 0) return undefined;
    score += at === 0 ? 0 : /[\s/_.-]/.test(lower[at - 1] ?? '') ? 1 : 2;
  }
  return score;
}

/** Cuts a text at what was looked for. */
export function markedOf(text: string, query: string): Marked[] {
  const lower = text.toLowerCase();
  // A letter whose lower case is longer would move all places behind it.
  if (lower.length !== text.length) return [{ text, isFound: false }];
  const found = new Set<number>();
  for (const part of partsOf(query)) {
    const at = lower.indexOf(part);
    for (let i = at; at >= 0 && i < at + part.length; i++) found.add(i);
  }
  const parts: { text: string; isFound: boolean }[] = [];
  for (let i = 0; i < text.length; i++) {
    const isFound = found.has(i);
    const last = parts.at(-1);
    if (last?.isFound === isFound) last.text += text[i];
    else parts.push({ text: text[i] ?? '', isFound });
  }
  return parts;
}
