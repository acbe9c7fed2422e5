import type { Input, Output } from '../../contract/index.ts';
import type { CurlRequest } from './command-lines.ts';
import { isRecord } from './problem.ts';

type Invocation = Output<'invocations.show'>;

/** The call that does the same as an invocation once more. Headers are left out: they belonged to the client of that time. */
export function repeatOf({ app, function: name, type, input }: Invocation): Input<'functions.invoke'> {
  const given = inputOf(type, input);
  const request = type === 'server-side-method' && isRecord(input) ? paramsOf(input) : undefined;
  return { app, name, ...(given !== undefined && { input: given as never }), ...(request && { request }) };
}

/** The HTTP request that does the same; undefined of what was not called by one. */
export function requestOf({ type, input }: Invocation, origin: string): CurlRequest | undefined {
  if (type !== 'server-side-method' || !isRecord(input)) return undefined;
  const { method, path, body } = input;
  if (typeof method !== 'string' || typeof path !== 'string') return undefined;
  return { method, url: origin + path, auth: 'token', body: body ?? undefined };
}

/** What an author would give `fn invoke`: the body of a request, the settings of a setup, otherwise the recorded input. */
export function inputOf(type: Invocation['type'], input: unknown): unknown {
  if (!isRecord(input)) return input ?? undefined;
  if (type === 'server-side-method' && 'method' in input) return input['body'] ?? undefined;
  if (type === 'custom-app-setup' && 'settings' in input) return input['settings'];
  return input;
}

function paramsOf({ method, path }: Readonly<Record<string, unknown>>): Input<'functions.invoke'>['request'] {
  if (typeof method !== 'string') return undefined;
  const query: Record<string, string | string[]> = {};
  const search =
    typeof path === 'string' && path.includes('?') ? new URLSearchParams(path.slice(path.indexOf('?'))) : [];
  for (const [key, value] of search) {
    const before = query[key];
    query[key] = before === undefined ? value : [...(typeof before === 'string' ? [before] : before), value];
  }
  return { method: method as 'GET', ...(Object.keys(query).length > 0 && { query }) };
}
