import { operationNames, operations } from '../contract/index.ts';

/** Verbs by area, as they appear on the `sdk` object. */
export type SdkTable = Readonly<Record<string, readonly string[]>>;

/** The operations that the platform's table offers on one of the two faces inside functions. */
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
