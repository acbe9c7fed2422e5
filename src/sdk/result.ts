/** A function's result: JSON, or the parts of a web-standard Response. */
export type FunctionResult =
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'response'; readonly response: ResponseParts };

export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

/** A value that only pretends to be a Response: a function may have patched whatever the prelude reads it with. */
interface InvalidResult {
  readonly kind: 'invalid';
  readonly message: string;
}

/** Limit for all names and values together; clients refuse more than 16 KiB, including the headers that the server adds. */
export const mostHeaderBytes = 8 * 1024;
const headerName = /^[\w!#$%&'*+.^`|~-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
const nothing = new Uint8Array(0);

/**
 * Reads what the prelude's `close` sent. A space before the JSON marks a Response: the JSON of a plain result never starts with
 * one, so no result can be mistaken for a Response, whatever it contains.
 */
export function readResult(text: string, body: Uint8Array | undefined): FunctionResult | InvalidResult {
  if (text.charCodeAt(0) !== 0x20) return { kind: 'json', json: text };
  const parts: unknown = JSON.parse(text);
  const { status, statusText, headers }: Record<string, unknown> = { ...(parts as object | null) };
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return invalid('its status is not a whole number from 200 to 599');
  if (!isHeaders(headers)) return invalid('its headers are not pairs of a name and a value that HTTP can carry');
  const said = typeof statusText === 'string' ? statusText : '';
  if (!headerValue.test(said)) return invalid('its statusText has characters that HTTP cannot carry');
  const bytes = headers.reduce((sum, [name, value]) => sum + name.length + value.length, said.length);
  if (bytes > mostHeaderBytes)
    return invalid(`its headers and statusText have ${bytes} bytes, more than ${mostHeaderBytes}`);
  return { kind: 'response', response: { status, statusText: said, headers, body: body ?? nothing } };
}

function invalid(why: string): InvalidResult {
  return { kind: 'invalid', message: `The function returned a Response that cannot be sent: ${why}` };
}

function isHeaders(value: unknown): value is [string, string][] {
  return Array.isArray(value) && value.every((pair) => Array.isArray(pair) && isHeader(pair[0], pair[1]));
}

function isHeader(name: unknown, value: unknown): boolean {
  return typeof name === 'string' && headerName.test(name) && typeof value === 'string' && headerValue.test(value);
}
