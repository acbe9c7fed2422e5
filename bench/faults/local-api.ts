import { DatabaseSync } from 'node:sqlite';

/** Calls the API of a local workspace. `key`: with the same one a call is made once, however often it is sent. */
export type CallLocal = <T>(method: string, path: string, body?: object, key?: string) => Promise<T>;

/** @param of where `fn dev` serves the workspace, and its token */
export function openLocalApi(of: { readonly url: string; readonly token: string }): CallLocal {
  return async <T>(method: string, path: string, body?: object, key?: string): Promise<T> => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${of.token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const response = await fetch(`${of.url}/api/dev${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} was answered with ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
}

/** `ok`, or what SQLite says of a database. */
export function readIntegrity(file: string): string {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return String(database.prepare('PRAGMA integrity_check').get()?.['integrity_check']);
  } finally {
    database.close();
  }
}
