import { limits, refusal } from '../../contract/index.ts';
import type { FunctionResult, SdkArgument } from '../../sdk/index.ts';
import { isJsonType, type WorkspaceError } from '../../std/index.ts';
import { notJson, refuseCompressed } from '../http/json-body.ts';
import { parseStrictJson } from '../http/strict-json.ts';
import type { LoadedFunction } from '../sources/function-source.ts';
import { checkOf } from './check-of.ts';

/** A request to a Server Side Method, from any source. */
export interface MethodRequest {
  readonly method: string;
  /** Absolute URL. */
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
}

/** Longer bodies are passed as bytes; as text they would be copied more often. */
const mostText = 64 * 1024;

/** The sandbox's argument for a method, and the separate body. */
export function methodArgument({ method, url, headers, body }: MethodRequest): {
  argument: Pick<SdkArgument, 'request'>;
  body?: Uint8Array;
} {
  if (body === undefined || body.byteLength === 0) return { argument: { request: { method, url, headers } } };
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  // Text would lose a byte order mark, which would break a signature over the bytes.
  const plain = body.byteLength <= mostText && isUtf8(body) && body[0] !== 0xef;
  if (!plain) return { argument: { request: { method, url, headers } }, body };
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return { argument: { request: { method, url, headers, text } } };
}

/** The recorded request: without credentials, with the body as JSON or text. */
export function methodInput({ method, url, headers, body }: MethodRequest): string {
  const kept = headers.filter(([name]) => !unkept.has(name));
  const { pathname, search } = new URL(url);
  return JSON.stringify({ method, path: pathname + search, headers: Object.fromEntries(kept), body: bodyShown(body) });
}

const unkept = new Set(['authorization', 'cookie', 'proxy-authorization']);

function bodyShown(body: Uint8Array | undefined): unknown {
  if (body === undefined || body.byteLength === 0) return null;
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  if (!isUtf8(body)) return `<${body.byteLength} bytes>`;
  const text = Buffer.from(body).toString('utf8');
  if (text.length > limits.invocations.recordedBytes) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Checks the input against the method's schema: the JSON body, or the query of a request without one.
 * @throws WorkspaceError function_input_invalid, body_invalid, content_type_unsupported
 */
export async function checkMethodInput(loaded: LoadedFunction, request: MethodRequest): Promise<void> {
  const { config } = loaded;
  if (config.type !== 'server-side-method' || !config.expose || config.expose.input === undefined) return;
  const { method, body } = request;
  const bodyless = method === 'GET' || method === 'HEAD' || (method === 'DELETE' && !body?.byteLength);
  const form = bodyless ? 'query' : 'json';
  const check = await checkOf(config.expose.input, loaded, 'config.expose.input', form);
  const errors = check(bodyless ? queryOf(request.url) : jsonBody(request));
  if (errors.length > 0) throw inputRefusal(loaded, errors);
}

/** The query parameters; a repeated name has a list of values. */
function queryOf(url: string): Record<string, string | string[]> {
  const query = new URL(url).searchParams;
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const [first = '', ...others] = query.getAll(name);
      return [name, others.length === 0 ? first : [first, ...others]];
    }),
  );
}

export function inputRefusal(
  loaded: LoadedFunction,
  errors: readonly { path: string; message: string }[],
): WorkspaceError {
  const [first] = errors;
  const where = first && first.path !== '' ? `${first.path} ` : '';
  return refusal('function_input_invalid', `${loaded.name}: ${where}${first?.message ?? 'the input is not valid'}`, {
    errors,
  });
}

/** Parses the body as JSON whatever its content type, which scripts often omit. */
function jsonBody({ headers, body }: MethodRequest): unknown {
  if (body === undefined || body.byteLength === 0) return undefined;
  const header = (name: string) => headers.find(([one]) => one.toLowerCase() === name)?.[1];
  refuseCompressed(header('content-encoding'));
  try {
    return parseStrictJson(body);
  } catch (error) {
    const type = header('content-type');
    throw type === undefined || isJsonType(type) ? error : notJson(type);
  }
}

/**
 * A method's result as a value: JSON as it is, a successful JSON Response as its JSON, any other Response as its parts, with a binary body
 * in base64.
 */
export function resultValue(result: FunctionResult): unknown {
  if (result.kind === 'json') return JSON.parse(result.json);
  const { status, headers, body } = result.response;
  const { isUtf8 } = process.getBuiltinModule('node:buffer');
  if (!isUtf8(body)) {
    return { status, headers: Object.fromEntries(headers), bodyBase64: Buffer.from(body).toString('base64') };
  }
  const text = Buffer.from(body).toString('utf8');
  if (headers.some(([name, value]) => name === 'content-type' && isJsonType(value))) {
    try {
      const json: unknown = JSON.parse(text);
      return status >= 200 && status < 300 ? json : { status, headers: Object.fromEntries(headers), body: json };
    } catch {
      // Declared as JSON but is not: returned as text.
    }
  }
  return { status, headers: Object.fromEntries(headers), body: text };
}
