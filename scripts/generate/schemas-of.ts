import { z } from 'zod';
import type { EventKind, OperationName } from '../../src/contract/index.ts';
import {
  appFileShapes,
  eventData,
  flowFile,
  inputEntities as inputShapes,
  modelScript,
  type Seed,
  seed,
  entities as shapeEntities,
  shapes,
} from '../../src/contract/shapes/index.ts';

/** JSON Schema as zod writes it: the parts that our shapes use. */
export interface Schema {
  readonly $ref?: string;
  readonly $schema?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly multipleOf?: number;
  readonly pattern?: string;
}

export type { Seed };

function toSchema(shape: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(shape, { io, unrepresentable: 'any' }) as Schema;
}

const toSchemas = (named: Readonly<Record<string, z.ZodType>>, io: 'input' | 'output') =>
  Object.fromEntries(Object.entries(named).map(([name, shape]) => [name, toSchema(shape, io)]));

/** The shapes that have a name of their own in types and reference. */
export const entities: Readonly<Record<string, Schema>> = toSchemas(shapeEntities, 'output');
/** Named shapes of inputs. */
export const inputEntities: Readonly<Record<string, Schema>> = toSchemas(inputShapes, 'input');

export function inputSchema(name: OperationName): Schema {
  return toSchema(shapes[name].input, 'input');
}

export function outputSchema(name: OperationName): Schema {
  return toSchema(shapes[name].output, 'output');
}

/** What an event of a kind carries in `data`. */
export const eventDataSchema = (kind: EventKind): Schema => toSchema(eventData[kind], 'output');

export const seedSchema = (): Schema => toSchema(seed, 'input');
export const flowSchema = (): Schema => toSchema(flowFile, 'input');
export const agentSchema = (): Schema => toSchema(appFileShapes['ai-agent'], 'input');
export const modelScriptSchema = (): Schema => toSchema(modelScript, 'input');

/** Whether two schemas say the same; descriptions and definitions apart. */
export function sameSchema(a: Schema, b: Schema): boolean {
  return canonical(a) === canonical(b);
}

const canonicals = new WeakMap<Schema, string>();

function canonical(value: Schema): string {
  const known = canonicals.get(value);
  if (known !== undefined) return known;
  const text = write(value);
  canonicals.set(value, text);
  return text;
}

function write(value: Schema): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'description' || key === '$schema' || key === '$defs') return undefined;
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)));
  });
}
