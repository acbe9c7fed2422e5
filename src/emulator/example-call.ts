/** A request that a method takes, to try it with. */
export interface ExampleCall {
  readonly method: string;
  readonly url: string;
  readonly auth: 'token' | 'public';
  readonly body?: unknown;
}

/** Longer bodies are left out: nobody reads them, and a terminal may not take the line. */
const longest = 200;

/**
 * The same as a line for a shell.
 * @param token the text that stands for it between double quotes
 */
export function curlLine({ method, url, auth, body }: ExampleCall, token: string): string {
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), url];
  if (auth === 'token') parts.push('-H', `"Authorization: Bearer ${token}"`);
  if (body !== undefined) {
    const text = JSON.stringify(body);
    const short = text.length <= longest ? text : '{}';
    parts.push('-H', "'Content-Type: application/json'", '-d', `'${short.replaceAll("'", "'\\''")}'`);
  }
  return parts.join(' ');
}

/** The verb by which a method is best tried. */
export function exampleVerb(methods: readonly string[]): string {
  return methods.includes('POST') ? 'POST' : (methods[0] ?? 'GET');
}
