import { type OperationName, operationOf } from '../contract/index.ts';
import { isRecord } from '../std/index.ts';

/**
 * Checks cheaply that JSON is the operation's answer and not that of a portal, a gateway or another API. The real check of shapes would
 * load the schema library.
 */
export function fits(name: OperationName, json: unknown): boolean {
  const { needs = {}, rawAnswer } = operationOf(name);
  if (!isRecord(json)) return rawAnswer === true;
  if (name.endsWith('.list') && !Array.isArray(json['items'])) return false;
  return Object.entries(needs).every(([member, kind]) => {
    const value = json[member];
    if (kind === 'any') return value !== undefined;
    return kind === 'list' ? Array.isArray(value) : typeof value === 'string';
  });
}
