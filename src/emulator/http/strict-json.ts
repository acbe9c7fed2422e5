import { limits, refusal } from '../../contract/index.ts';
import { type JsonSize, jsonExcess } from '../../std/index.ts';

const byteOrderMark = [0xef, 0xbb, 0xbf];
const ordinary = { depth: limits.request.jsonDepth, keys: limits.request.jsonKeys };

/**
 * Parses untrusted JSON: valid UTF-8 only (a leading byte order mark is skipped, as in `Request.json()`), with limited depth and number
 * of keys, and without `__proto__`, which a careless merge could apply. Depth and keys are counted in the bytes, before any object is created.
 * @throws WorkspaceError body_invalid, body_too_deep
 */
export function parseStrictJson(bytes: Uint8Array, most: JsonSize = ordinary): unknown {
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  if (!isUtf8(bytes)) throw refusal('body_invalid', 'The body is not valid UTF-8');
  refuseExcess(bytes, most);
  const mark = byteOrderMark.every((byte, i) => bytes[i] === byte) ? byteOrderMark.length : 0;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + mark, bytes.byteLength - mark).toString('utf8');
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

function refuseExcess(bytes: Uint8Array, most: JsonSize): void {
  const excess = jsonExcess(bytes, most);
  if (excess === 'depth') throw refusal('body_too_deep', `The body is nested more than ${most.depth} levels deep`);
  if (excess === 'keys') throw refusal('body_invalid', `The body has more than ${most.keys} keys`);
}

function refusePrototypes(value: unknown, path: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') {
      throw refusal('body_invalid', 'The body names __proto__', {
        errors: [{ path: at, message: 'is not an allowed name' }],
      });
    }
    refusePrototypes((value as Record<string, unknown>)[key], at);
  }
}
