import type { LoadedMcpClient } from '../../workspace/index.ts';

/** The value of `Authorization` for a client; undefined without authentication. */
export function authorizationOf({
  auth,
  user,
  secret,
}: Pick<LoadedMcpClient, 'auth' | 'user' | 'secret'>): string | undefined {
  if (secret === undefined || auth === 'none') return undefined;
  if (auth === 'bearer') return `Bearer ${secret}`;
  return `Basic ${Buffer.from(`${user ?? ''}:${secret}`).toString('base64')}`;
}

/** Shorter values are not redacted: they would blank out half of every text. */
const minLength = 4;

/** Removes a client's secret from what its server says: a server may send back what it was sent. */
export function redactorOf(client: Pick<LoadedMcpClient, 'auth' | 'user' | 'secret'>): <T>(value: T) => T {
  const { secret } = client;
  const sent = authorizationOf(client)?.split(' ')[1];
  const values = [secret, sent].filter((value): value is string => value !== undefined && value.length >= minLength);
  if (values.length === 0) return (value) => value;
  const redactText = (text: string): string =>
    values.reduce((left, value) => left.replaceAll(value, '[redacted]'), text);
  const redact = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (Array.isArray(value)) return value.map(redact);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [redactText(key), redact(one)]));
  };
  return <T>(value: T) => redact(value) as T;
}
