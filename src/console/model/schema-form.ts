import { isRecord } from './problem.ts';

/** A field of the form of an input. */
export interface FormField {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'json';
  readonly isRequired: boolean;
  /** `string, 3–500`, `number, optional` */
  readonly what: string;
  readonly help?: string;
  readonly choices?: readonly string[];
  readonly isLong: boolean;
}

/**
 * The fields of a JSON schema of an object with named properties.
 * @returns undefined for any other schema, which is edited as JSON
 */
export function fieldsOf(schema: unknown): readonly FormField[] | undefined {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return undefined;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties']).map(([name, property]) =>
    fieldOf(name, property, required.includes(name)),
  );
}

function fieldOf(name: string, property: unknown, isRequired: boolean): FormField {
  const given = isRecord(property) ? property : {};
  const { type, description } = given;
  const choices =
    Array.isArray(given['enum']) && given['enum'].every((one) => typeof one === 'string') ? given['enum'] : undefined;
  const kind = choices ? 'choice' : kindOf(type);
  const typeName = choices ? 'one of' : typeof type === 'string' ? type : 'JSON';
  const range = rangeOf(given);
  return {
    name,
    kind,
    isRequired,
    what: [typeName, range, isRequired ? undefined : 'optional'].filter((part) => part !== undefined).join(', '),
    isLong: kind === 'json' || (kind === 'text' && Number(given['maxLength']) > 120),
    ...(typeof description === 'string' && { help: description }),
    ...(choices && { choices }),
  };
}

function kindOf(type: unknown): FormField['kind'] {
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
}

function rangeOf(given: Readonly<Record<string, unknown>>): string | undefined {
  const [least, most] = [given['minimum'] ?? given['minLength'], given['maximum'] ?? given['maxLength']];
  if (least !== undefined && most !== undefined) return `${String(least)}–${String(most)}`;
  if (least !== undefined) return `from ${String(least)}`;
  return most === undefined ? undefined : `up to ${String(most)}`;
}

/** The text of a field for a value of an input; empty for none. */
export function textOfValue(field: FormField, value: unknown): string {
  if (value === undefined) return '';
  return (field.kind === 'text' || field.kind === 'choice') && typeof value === 'string'
    ? value
    : JSON.stringify(value);
}

/** Whether a form can hold the input: it has no members that are no fields, and texts where texts belong. */
export function fitsForm(fields: readonly FormField[], input: unknown): boolean {
  if (input === undefined) return true;
  if (!isRecord(input)) return false;
  return Object.entries(input).every(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    if (!field) return false;
    return field.kind === 'text' || field.kind === 'choice' ? typeof value === 'string' : true;
  });
}

/** The value of a field from its text; undefined for an empty one. @throws Error for what is no number, or no JSON */
export function valueOfText(field: FormField, text: string): unknown {
  if (field.kind === 'text') return text === '' && !field.isRequired ? undefined : text;
  if (text.trim() === '') return undefined;
  if (field.kind === 'choice') return text;
  if (field.kind === 'number') {
    const value = Number(text.trim());
    if (!Number.isFinite(value)) throw new Error('must be a number');
    return value;
  }
  return parseJson(text);
}

/** @throws Error that says where it is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
