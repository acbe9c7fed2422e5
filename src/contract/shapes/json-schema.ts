import { z } from 'zod';
import type { OperationName } from '../operations.ts';
import { shapes } from './table.ts';

type Schema = Record<string, unknown>;

/**
 * An operation's input or output as JSON Schema. References inside a shape (recursive JSON values) are written out as "any JSON":
 * generators stumble over nested `$defs`.
 */
export function jsonSchemaOf(name: OperationName, io: 'input' | 'output'): Schema {
  const {
    $schema: _schema,
    $defs: _defs,
    ...schema
  } = z.toJSONSchema(shapes[name][io], {
    io,
    unrepresentable: 'any',
    cycles: 'ref',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'lazy')
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key as keyof typeof jsonSchema];
    },
  }) as Schema;
  return inlined(schema);
}

/** A schema without references, which stand for any JSON instead: generators stumble over nested `$defs`. */
export function inlined(schema: Schema): Schema {
  return withoutRefs(schema) as Schema;
}

function withoutRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutRefs);
  if (typeof value !== 'object' || value === null) return value;
  if ('$ref' in value) return {};
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutRefs(one)]));
}
