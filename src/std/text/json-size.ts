const quote = 0x22;
const backslash = 0x5c;

/** Size limits for JSON. */
export interface JsonSize {
  readonly depth: number;
  readonly keys: number;
}

/** Returns the limit that JSON exceeds, counted on its bytes before anything is parsed. */
export function jsonExcess(bytes: Uint8Array, most: JsonSize): keyof JsonSize | undefined {
  let depth = 0;
  let keys = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > most.depth) return 'depth';
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x3a && ++keys > most.keys) return 'keys';
  }
  return undefined;
}

/** Whether a value nests lists and objects deeper than `most`. Works without recursion, so it cannot exhaust the stack itself. */
export function isNestedDeeper(value: unknown, most: number): boolean {
  let level = containersIn([value]);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap(containersIn);
  }
  return false;
}

function containersIn(outer: object): object[] {
  if (Array.isArray(outer)) return outer.filter(isContainer);
  const found: object[] = [];
  // With many keys, Object.values takes five times as long.
  for (const key of Object.keys(outer)) {
    const inner = (outer as Record<string, unknown>)[key];
    if (isContainer(inner)) found.push(inner);
  }
  return found;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}
