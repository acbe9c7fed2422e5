import { limits } from '../../contract/index.ts';
import { fromJson } from '../door/tx.ts';
import { requireSize } from '../size.ts';
import type { Json } from '../types.ts';

/** Merges new fields into the old ones; null removes a field. */
export function mergedFields(before: string, changes: Record<string, unknown>): string {
  const merged = new Map<string, unknown>(Object.entries(fromJson<Record<string, Json>>(before)));
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  const text = JSON.stringify(Object.fromEntries(merged));
  requireSize('fields', text, limits.customer.fieldsBytes);
  return text;
}
