/** A word of a shell command, quoted only where it has to be. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command that can be pasted into a shell. */
export const commandLine = (...words: readonly string[]): string => words.map(quoteWord).join(' ');

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly auth: 'token' | 'public';
  readonly body?: unknown;
}

/**
 * The request as a command. It reads the token from its file, so that no token is shown or kept in a history.
 * @param tokenFile path of that file; default: as it is called in the app's folder
 */
export function curlLine({ method, url, auth, body }: CurlRequest, tokenFile = '.fn/local-token'): string {
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quoteWord(url)];
  if (auth === 'token') parts.push('-H', `"Authorization: Bearer $(cat ${quoteWord(tokenFile)})"`);
  if (body !== undefined && method !== 'GET')
    parts.push('-H', "'Content-Type: application/json'", '-d', `'${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  return parts.join(' ');
}

/**
 * `fn invoke` of a function of the app in development, `fn api` of another.
 * @param isPractice the workspace belongs to no app: its functions are deployed to it
 */
export function invokeLine(app: string, name: string, input: unknown, isLocal: boolean, isPractice = false): string {
  const body = input === undefined ? undefined : JSON.stringify(input);
  if (isPractice) return commandLine('fn', 'invoke', name, '--remote', ...(body === undefined ? [] : ['-d', body]));
  if (isLocal) return commandLine('fn', 'invoke', name, ...(body === undefined ? [] : ['-d', body]));
  const field = body === undefined ? [] : ['-F', `input=${body}`];
  return commandLine('fn', 'api', 'functions.invoke', '-f', `app=${app}`, '-f', `name=${name}`, ...field);
}
