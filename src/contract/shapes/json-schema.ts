import { z } from 'zod';
import type { OperationName } from '../operations.ts';
import { entities, inputEntities } from './entities.ts';
import { shapes } from './table.ts';

type Schema = Record<string, unknown>;
type Direction = 'input' | 'output';

/**
 * Returns an operation's input or output as JSON Schema. References inside a shape (JSON values) become "any JSON",
 * because generators fail on nested `$defs`.
 */
export function jsonSchemaOf(name: OperationName, io: Direction): Schema {
  return plainSchema(shapes[name][io], io);
}

/** The shapes with a name of their own, in the form that `jsonSchemaOf` inlines. */
export function namedSchemas(io: Direction): Readonly<Record<string, Schema>> {
  const named = Object.entries<z.ZodType>(io === 'output' ? entities : inputEntities);
  return Object.fromEntries(named.map(([name, shape]) => [name, plainSchema(shape, io)]));
}

export function plainSchema(shape: z.ZodType, io: Direction): Schema {
  const {
    $schema: _schema,
    $defs: _defs,
    ...schema
  } = z.toJSONSchema(shape, {
    io,
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      // The format implies the pattern.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      // Answers may gain fields; inputs are checked field by field.
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  }) as Schema;
  return inlined(schema);
}

/** Replaces the references of a schema by "any JSON", because generators fail on nested `$defs`. */
export function inlined(schema: Schema): Schema {
  return withoutRefs(schema) as Schema;
}

function withoutRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRefs);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutRefs(one)]));
}
