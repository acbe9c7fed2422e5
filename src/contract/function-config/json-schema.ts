import { createHash } from 'node:crypto';
import type { FieldProblem } from '../../std/index.ts';
import { messageOf, ProjectError } from '../../std/index.ts';
import type { JsonSchema } from './types.ts';

/** Checks a value and returns its problems; an empty list when it fits. */
export type SchemaCheck = (value: unknown) => readonly FieldProblem[];

const kept = new Map<string, Promise<SchemaCheck>>();
const mostKept = 500;

/**
 * Compiles an author's schema once. Patterns run on RE2, which takes linear time: no pattern can block the process.
 * The library is loaded at the first schema, because loading it takes longer than starting the emulator.
 * @param form what is checked: a query is all text, and the check converts its values
 * @throws ProjectError schema_invalid when it does not compile
 */
export function schemaCheck(schema: JsonSchema, what: string, form: 'json' | 'query' = 'json'): Promise<SchemaCheck> {
  const text = form + JSON.stringify(schema);
  const key = createHash('sha256').update(text).digest('base64url');
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= mostKept) kept.delete(kept.keys().next().value ?? '');
  const compiling = compile(schema, what, form);
  kept.set(key, compiling);
  compiling.catch(() => kept.delete(key));
  return compiling;
}

async function compile(schema: JsonSchema, what: string, form: 'json' | 'query'): Promise<SchemaCheck> {
  const { compileSchema } = await import('./ajv.ts');
  try {
    return compileSchema(schema, form);
  } catch (error) {
    throw new ProjectError('schema_invalid', `${what} is not a usable JSON Schema: ${firstLine(error)}`, {
      hint: 'Schemas are JSON Schema, draft 2020-12, where the items of a tuple are prefixItems. Patterns are without lookaheads, back references and more than 1000 repeats.',
      cause: error,
    });
  }
}

function firstLine(error: unknown): string {
  return messageOf(error).split('\n')[0]?.slice(0, 300) ?? '';
}
