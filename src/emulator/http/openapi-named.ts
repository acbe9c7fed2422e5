import { namedSchemas } from '../../contract/shapes/index.ts';
import type { Schema } from './openapi-parts.ts';

type Direction = 'input' | 'output';

/** The named schemas of the contract, so that a generated client has one customer type instead of one per response. */
export class NamedSchemas {
  readonly #own = { input: namedSchemas('input'), output: namedSchemas('output') };
  readonly #names = { input: byText(this.#own.input), output: byText(this.#own.output) };

  /** The schemas by name. */
  components(): Schema {
    return { ...this.#allOf('output'), ...this.#allOf('input') };
  }

  /** The schema with named parts replaced by references. */
  referred(schema: Schema, io: Direction): Schema {
    return this.#referred(schema, io) as Schema;
  }

  #allOf(io: Direction): Schema {
    return Object.fromEntries(Object.entries(this.#own[io]).map(([name, schema]) => [name, this.#partsOf(schema, io)]));
  }

  #referred(value: unknown, io: Direction): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#referred(one, io));
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Schema;
    const name = this.#names[io].get(textOf(schema));
    if (name === undefined) return this.#partsOf(schema, io);
    const { description } = schema;
    return { $ref: `#/components/schemas/${name}`, ...(description !== undefined && { description }) };
  }

  #partsOf(schema: Schema, io: Direction): Schema {
    return Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, this.#referred(one, io)]));
  }
}

function byText(schemas: Readonly<Record<string, Schema>>): Map<string, string> {
  return new Map(Object.entries(schemas).map(([name, schema]) => [textOf(schema), name]));
}

/** Identity of a schema. Its description is ignored, since it belongs to the place of use. */
function textOf({ description: _, ...schema }: Schema): string {
  return JSON.stringify(schema);
}
