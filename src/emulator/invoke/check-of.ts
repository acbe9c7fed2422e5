import { type JsonSchema, type SchemaCheck, schemaCheck } from '../../contract/function-config/index.ts';
import { FnError } from '../../std/index.ts';
import type { LoadedFunction } from '../sources/function-source.ts';
import { brokenFunction } from './failure.ts';

/**
 * The check of one of a function's schemas.
 * @param place path of the schema in its config
 * @throws WorkspaceError function_broken if the schema is unusable, since it may have been deployed unchecked
 */
export async function checkOf(
  schema: JsonSchema,
  { app, name }: LoadedFunction,
  place: string,
  form: 'json' | 'query' = 'json',
): Promise<SchemaCheck> {
  try {
    return await schemaCheck(schema, `${place} of ${name}`, form);
  } catch (error) {
    throw error instanceof FnError ? brokenFunction(error, `${app}/${name}`) : error;
  }
}
