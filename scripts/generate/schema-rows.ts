import { entities, inputEntities, type Schema, sameSchema } from './schemas-of.ts';

/** A field of an input or output, as a row: path, type, what is to be known of it. */
export type Row = readonly [path: string, type: string, notes: string];

interface Options {
  readonly input: boolean;
  /** The name being described, which must not stand for itself. */
  readonly except?: string;
  /** The page on which the named shapes are, when it is another one. */
  readonly page?: string;
}

/** The fields of an object, nested ones by their path. Named shapes are named, not unfolded. */
export function rowsOf(schema: Schema, options: Options, prefix = ''): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const required = schema.required?.includes(name) ?? false;
    const row: Row = [`\`${path}\``, typeName(inner, options), notesOf(inner, required, options.input)];
    return [row, ...nested(inner, options, path)];
  });
}

function nested(schema: Schema, options: Options, path: string): Row[] {
  if (namedAs(schema, options.except) !== undefined) return [];
  const one = solid(schema);
  if (one.type === 'array' && one.items) return nested(one.items, options, `${path}[]`);
  return one.properties ? rowsOf(one, options, path) : [];
}

/** What is left of `X | null`. */
export function solid(schema: Schema): Schema {
  const options = (schema.anyOf ?? schema.oneOf)?.filter(({ type }) => type !== 'null');
  return options?.length === 1 ? (options[0] ?? schema) : schema;
}

/** A type in a few words: `text`, `whole number`, `Customer`, `list of text`. */
export function typeName(schema: Schema, options: Partial<Options> = {}): string {
  const named = namedAs(schema, options.except);
  if (named !== undefined) return `[${named}](${options.page ?? ''}#${named.toLowerCase()})`;
  if (schema.$ref !== undefined) return 'JSON';
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const isFlag = choices.some(({ type }) => type === 'boolean');
    const shown = isFlag ? choices.filter(({ enum: values }) => !values?.includes('true')) : choices;
    return [...new Set(shown.map((choice) => typeName(choice, options)))].join(' or ');
  }
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeName({ ...schema, type }, options)).join(' or ');
  if (schema.type === 'array') return `list of ${typeName(schema.items ?? {}, options)}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
    return `object of ${typeName(schema.additionalProperties, options)}`;
  const words: Readonly<Record<string, string>> = {
    string: 'text',
    integer: 'whole number',
    number: 'number',
    boolean: 'true or false',
    object: 'object',
    null: 'null',
  };
  return words[String(schema.type)] ?? 'anything';
}

function notesOf(schema: Schema, required: boolean, input: boolean): string {
  const { minimum, maximum, maxLength, maxItems, description, multipleOf } = solid(schema);
  const limits = [
    minimum !== undefined && minimum > -1e15 ? `at least ${minimum}` : '',
    maximum !== undefined && maximum < 1e15 ? `at most ${maximum}` : '',
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    maxItems === undefined ? '' : `at most ${maxItems}`,
    multipleOf === undefined ? '' : `in steps of ${multipleOf}`,
  ];
  const says = [schema.description ?? description ?? '', ...(input ? limits : [])].filter(Boolean).join('; ');
  return [input && required ? '**required**' : '', says].filter(Boolean).join(' · ');
}

function namedAs(schema: Schema, except?: string): string | undefined {
  const known = { ...entities, ...inputEntities };
  return Object.keys(known).find((name) => name !== except && sameSchema(known[name] ?? {}, schema));
}
