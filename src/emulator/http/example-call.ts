/** A request for trying a method. */
export interface ExampleCall {
  readonly method: string;
  readonly url: string;
  readonly auth: 'token' | 'public';
  readonly body?: unknown;
}

/** Longer bodies are omitted: nobody reads them, and a terminal may not accept the line. */
const longest = 200;

/**
 * The request as a shell command. It reads the token from its file, so that no token is shown or kept in a history.
 * @param tokenFile path of that file; default: as it is called in the app's folder
 */
export function curlLine({ method, url, auth, body }: ExampleCall, tokenFile = '.fn/local-token'): string {
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), url];
  if (auth === 'token') parts.push('-H', `"Authorization: Bearer $(cat ${quoted(tokenFile)})"`);
  if (body !== undefined) {
    const text = JSON.stringify(body);
    const short = text.length <= longest ? text : '{}';
    parts.push('-H', "'Content-Type: application/json'", '-d', inQuotes(short));
  }
  return parts.join(' ');
}

/** In quotes only if a shell needs them. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : inQuotes(path);
}

const inQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The HTTP method to try first. */
export function exampleVerb(methods: readonly string[]): string {
  return methods.includes('POST') ? 'POST' : (methods[0] ?? 'GET');
}
