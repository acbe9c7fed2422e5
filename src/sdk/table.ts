import { operationNames, operations } from '../contract/index.ts';

/** Verbs by area, as they stand on the object that functions get. */
export type SdkTable = Readonly<Record<string, readonly string[]>>;

/** What the platform's table offers on one of its faces inside functions. */
export function sdkTable(face: 'sdk' | 'client'): SdkTable {
  const table: Record<string, string[]> = {};
  for (const name of operationNames) {
    const faces: readonly string[] = operations[name].faces;
    if (!faces.includes(face)) continue;
    const [area = '', verb = ''] = name.split('.');
    table[area] ??= [];
    table[area].push(verb);
  }
  return table;
}
