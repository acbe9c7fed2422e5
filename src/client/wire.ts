import { type Method, type Operation, type OperationName, operationOf } from '../contract/index.ts';
import { UsageError } from '../std/index.ts';
import type { RemoteWorkspace } from './target.ts';

/** The address of an operation, and the split of its input. */
export interface Address {
  readonly method: Method;
  readonly url: string;
  /** The fields that are not part of the path. */
  readonly rest: Readonly<Record<string, unknown>>;
}

/** Whether the profile overrides this operation's route. Documented routes cannot be overridden. */
export function isOverridden(workspace: RemoteWorkspace, name: OperationName): boolean {
  return operationOf(name).source === 'assumed' && workspace.routes?.[name] !== undefined;
}

/**
 * Derives method and address of an operation from its row or from the profile's override. GET and DELETE carry the rest of the
 * input in the query.
 * @throws UsageError operation_not_remote, route_override_invalid, path_value_invalid
 */
export function addressOf(workspace: RemoteWorkspace, name: OperationName, input: object): Address {
  const row = operationOf(name);
  const override = isOverridden(workspace, name) ? workspace.routes?.[name] : undefined;
  const { method, path } = override === undefined ? ownRoute(row, name) : parseRoute(override, name);
  const prefix = override === undefined ? `${workspace.baseUrl}/api/${workspace.slug}` : workspace.baseUrl;
  const rest: Record<string, unknown> = { ...input };
  const filled = path.replace(/:(\w+)|\{(\w+)\}/g, (_, colon?: string, brace?: string) => {
    const key = colon ?? brace ?? '';
    if (brace === 'slug' && override !== undefined) return encodeURIComponent(workspace.slug);
    const value = rest[key];
    delete rest[key];
    return segment(value, key, name);
  });
  const inQuery = method === 'GET' || method === 'DELETE' || row.rawBody === true;
  return { method, url: prefix + filled + (inQuery ? query(rest) : ''), rest };
}

function ownRoute(row: Operation, name: OperationName): { method: Method; path: string } {
  if (row.route !== null) return parseRoute(row.route, name);
  throw new UsageError('operation_not_remote', `${name} exists only inside functions`, {
    hint: 'It is not an operation of the REST API. `fn docs operations` lists them.',
  });
}

/** Reads `PUT /x/{slug}/y`. @throws UsageError route_override_invalid */
export function parseRoute(route: string, name: string): { method: Method; path: string } {
  const match = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?#]*)$/.exec(route);
  if (match === null || /(?:^|\/)\.\.?(?:\/|$)/.test(match[2] ?? '')) {
    throw new UsageError('route_override_invalid', `The route of ${name} cannot be "${route.slice(0, 200)}"`, {
      hint: `Write method and path, as in: operations.${name}.route "PUT /x/{slug}/y"`,
    });
  }
  return { method: match[1] as Method, path: match[2] ?? '/' };
}

function segment(value: unknown, key: string, name: string): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  // Every URL parser on the way would remove a dot segment from the path, encoded or not.
  if (text === '' || text === '.' || text === '..') {
    throw new UsageError('path_value_invalid', `${name}: "${key}" is ${text === '' ? 'missing' : `"${text}"`}`, {
      hint: `It is a part of the path and cannot be ${text === '' ? 'empty' : 'a dot segment'}.`,
    });
  }
  return encodeURIComponent(text.toWellFormed());
}

function query(rest: Readonly<Record<string, unknown>>): string {
  const parts: string[] = [];
  for (const [key, value] of Object.entries(rest)) {
    if (value === undefined || value === null) continue;
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    parts.push(`${encodeURIComponent(key)}=${encodeURIComponent(text.toWellFormed())}`);
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
