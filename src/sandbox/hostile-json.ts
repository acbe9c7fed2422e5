/** Deeper nesting than this is refused: what walks it later may not be written for more. */
const deepest = 200;

/**
 * Parses JSON that a function made, as it must be parsed: bounded in depth, and without keys that change prototypes where they
 * are merged into objects.
 * @throws SyntaxError
 */
export function parseHostile(json: string): unknown {
  if (json.length > 2 * deepest && depthOf(json) > deepest)
    throw new SyntaxError(`the JSON is nested deeper than ${deepest} levels`);
  return json.includes('__proto__') ? JSON.parse(json, withoutProto) : JSON.parse(json);
}

function withoutProto(key: string, value: unknown): unknown {
  return key === '__proto__' ? undefined : value;
}

function depthOf(json: string): number {
  let depth = 0;
  let most = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === 0x22) i = endOfString(json, i + 1);
    else if (code === 0x7b || code === 0x5b) most = Math.max(most, ++depth);
    else if (code === 0x7d || code === 0x5d) depth--;
  }
  return most;
}

/** Searches for quotes with `indexOf`: most of a big text is strings, which it passes ten times faster than a loop. */
function endOfString(json: string, from: number): number {
  let i = json.indexOf('"', from);
  while (i >= 0 && isEscaped(json, i, from)) i = json.indexOf('"', i + 1);
  return i < 0 ? json.length : i;
}

function isEscaped(json: string, at: number, from: number): boolean {
  let i = at;
  while (i > from && json.charCodeAt(i - 1) === 0x5c) i--;
  return (at - i) % 2 === 1;
}
