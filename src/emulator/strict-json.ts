import { limits, refusal } from '../contract/index.ts';

const quote = 0x22;
const backslash = 0x5c;

/**
 * Parses the JSON of a stranger: valid UTF-8 only, not too deep, not too many keys, and no `__proto__` that a careless merge could
 * take for a prototype. Depth and keys are counted on the bytes, before anything is built.
 * @throws WorkspaceError body_invalid, body_too_deep
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  if (!isUtf8(bytes)) throw refusal('body_invalid', 'The body is not valid UTF-8');
  count(bytes);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refusal(
      'body_invalid',
      `The body is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : ''}`,
    );
  }
  if (/__proto__|\\u/.test(text)) refusePrototypes(value, '');
  return value;
}

function count(bytes: Uint8Array): void {
  const { jsonDepth, jsonKeys } = limits.request;
  let depth = 0;
  let keys = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === quote) {
      for (i++; i < bytes.length && bytes[i] !== quote; i++) if (bytes[i] === backslash) i++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > jsonDepth) throw refusal('body_too_deep', `The body is nested more than ${jsonDepth} levels deep`);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
    else if (byte === 0x3a && ++keys > jsonKeys)
      throw refusal('body_invalid', `The body has more than ${jsonKeys} keys`);
  }
}

function refusePrototypes(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') {
      throw refusal('body_invalid', 'The body names __proto__', {
        errors: [{ path: at, message: 'is not a name that can be used' }],
      });
    }
    refusePrototypes((value as Record<string, unknown>)[key], at);
  }
}
