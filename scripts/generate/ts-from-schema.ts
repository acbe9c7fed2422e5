import { solid } from './schema-rows.ts';
import { entities, inputEntities, type Schema, sameSchema } from './schemas-of.ts';

/** `input`: what a caller writes, so JSON is whatever serialises. `output`: what comes back. */
export type Direction = 'input' | 'output';

interface Writing {
  readonly direction: Direction;
  /** The name being defined, which must not stand for itself. */
  readonly except?: string | undefined;
}

/** A JSON Schema as a TypeScript type, on as many lines as it needs, indented by `indent` spaces. */
export function typeOf(schema: Schema, writing: Writing, indent = 0): string {
  const named = nameOf(schema, writing);
  if (named !== undefined) return named;
  if (schema.$ref !== undefined) return writing.direction === 'input' ? 'unknown' : 'Json';
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return union(withoutTextFlags(options).map((option) => typeOf(option, writing, indent)));
  if (Array.isArray(schema.type))
    return union(schema.type.map((type: string) => typeOf({ ...schema, type }, writing, indent)));
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return arrayOf(schema, writing, indent);
    case 'object':
      return objectOf(schema, writing, indent);
    default:
      return writing.direction === 'input' ? 'unknown' : 'any';
  }
}

/** `{` … `}` of an object schema, as the body of an interface. */
export function bodyOf(schema: Schema, writing: Writing, indent = 0): string {
  const pad = ' '.repeat(indent + 2);
  const lines = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const required = schema.required?.includes(name) ?? false;
    const type = typeOf(inner, writing, indent + 2);
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    const description = inner.description ?? solid(inner).description;
    const about = isPlain(description, writing) ? [] : [`${pad}/** ${description} */`];
    return [...about, `${pad}${key}${required ? '' : '?'}: ${required ? type : orLeftOut(type, writing)};`];
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${' '.repeat(indent)}}`;
}

/** What a caller leaves undefined is left out: `exactOptionalPropertyTypes` wants that said. */
function orLeftOut(type: string, { direction }: Writing): string {
  return direction === 'output' || type === 'unknown' ? type : union([type, 'undefined']);
}

/** What an input's name says already is not said again. */
function isPlain(description: string | undefined, { direction }: Writing): boolean {
  return description === undefined || (direction === 'input' && /^(?:Id, \w+_…|E-mail address)$/.test(description));
}

function arrayOf(schema: Schema, writing: Writing, indent: number): string {
  const item = typeOf(schema.items ?? {}, writing, indent);
  return /^[\w.<>]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function objectOf(schema: Schema, writing: Writing, indent: number): string {
  const { properties, additionalProperties } = schema;
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, writing, indent) : 'unknown';
    return `Record<string, ${values}>`;
  }
  const page = pageOf(schema, writing, indent);
  if (page !== undefined) return page;
  const base = writing.direction === 'output' ? baseOf(schema, writing) : undefined;
  if (base === undefined) return shortened(bodyOf(schema, writing, indent));
  const own = Object.keys(entities[base]?.properties ?? {});
  const more = Object.fromEntries(Object.entries(properties).filter(([name]) => !own.includes(name)));
  return `${base} & ${shortened(bodyOf({ ...schema, properties: more }, writing, indent))}`;
}

/** `{items, nextCursor}` and nothing else. */
function pageOf(schema: Schema, writing: Writing, indent: number): string | undefined {
  const { items, nextCursor, ...rest } = schema.properties ?? {};
  if (items?.items === undefined || nextCursor === undefined) return undefined;
  const page = `Page<${typeOf(items.items, writing, indent)}>`;
  if (Object.keys(rest).length === 0) return page;
  return `${page} & ${shortened(bodyOf({ ...schema, properties: rest }, writing, indent))}`;
}

/** A small object without comments fits on its line. */
function shortened(body: string): string {
  const line = body.replace(/\s+/g, ' ').replace(/; }$/, ' }');
  return line.length <= 90 && !body.includes('/**') && !/\{.*\{/.test(line) ? line : body;
}

function nameOf(schema: Schema, { direction, except }: Writing): string | undefined {
  const known = direction === 'output' ? entities : { ...inputEntities, ...pick('TemplateHeader', 'TemplateButton') };
  return Object.keys(known).find((name) => name !== except && sameSchema(known[name] ?? {}, schema));
}

function pick(...names: string[]): Record<string, Schema> {
  return Object.fromEntries(names.map((name) => [name, entities[name] ?? {}]));
}

/** The entity that an output adds fields to, when there is one. */
function baseOf(schema: Schema, { except }: Writing): string | undefined {
  const has = (property: string, inner: Schema) => {
    const own = schema.properties?.[property];
    return own !== undefined && sameSchema(own, inner);
  };
  return Object.keys(entities).find((name) => {
    const properties = Object.entries(entities[name]?.properties ?? {});
    return name !== except && properties.length >= 4 && properties.every(([property, inner]) => has(property, inner));
  });
}

/** A flag may arrive as text in a query; in code it is a boolean. */
function withoutTextFlags(options: readonly Schema[]): readonly Schema[] {
  const isFlag = options.some(({ type }) => type === 'boolean');
  return isFlag ? options.filter(({ enum: values }) => !values?.every((v) => v === 'true' || v === 'false')) : options;
}

function union(parts: readonly string[]): string {
  return [...new Set(parts)].join(' | ');
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}
