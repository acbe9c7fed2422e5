/** What a function gave back: JSON, or a web-standard Response taken apart. */
export type FunctionResult =
  | { readonly kind: 'json'; readonly json: string }
  | { readonly kind: 'response'; readonly response: ResponseParts };

export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
}

const nothing = new Uint8Array(0);

/**
 * Reads what the prelude's `close` sent. A Response is told by a space before its JSON: no JSON text of a plain result begins with
 * one, so no result can be mistaken for a Response, whatever it holds.
 */
export function readResult(text: string, body: Uint8Array | undefined): FunctionResult {
  if (text.charCodeAt(0) !== 0x20) return { kind: 'json', json: text };
  const parts = JSON.parse(text) as Omit<ResponseParts, 'body'>;
  return { kind: 'response', response: { ...parts, body: body ?? nothing } };
}
