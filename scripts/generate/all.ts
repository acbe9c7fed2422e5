import { generateReference } from './reference.ts';
import { generateSchemas } from './schema-files.ts';
import { generateTypes } from './types.ts';

/** Everything that is made from the contract: path and text. */
export async function generateAll(): Promise<Map<string, string>> {
  const made = await Promise.all([generateTypes(), generateSchemas(), generateReference()]);
  return new Map(made.flatMap((files) => [...files]));
}
