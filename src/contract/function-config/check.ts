import { isRecord } from '../../std/index.ts';

/** An invalid field. `path` is dotted: `expose.methods[0]`. */
export interface Problem {
  readonly path: string;
  readonly message: string;
  readonly hint?: string;
  /** The known field names, when the table does not have this field. */
  readonly unknown?: readonly string[];
}

/** Checks one value and returns the first problem, if there is one. */
export type Check = (value: unknown, path: string) => Problem | undefined;

/** One field of a config, as the reference shows it. */
export interface Field {
  readonly check: Check;
  readonly required?: true;
  /** The accepted values, in words: `'token' | 'public'`. */
  readonly takes: string;
  readonly summary: string;
  /** The fields inside it, if it is an object. */
  readonly holds?: Fields;
}

export type Fields = Readonly<Record<string, Field>>;

const says = (path: string, message: string, hint?: string): Problem => ({
  path,
  message,
  ...(hint !== undefined && { hint }),
});

export const text =
  (most: number): Check =>
  (value, path) => {
    if (typeof value !== 'string') return says(path, 'must be a text');
    if (value.trim() === '') return says(path, 'must not be empty');
    return value.length > most ? says(path, `is longer than ${most} characters`) : undefined;
  };

export const matching =
  (pattern: RegExp, what: string): Check =>
  (value, path) =>
    typeof value === 'string' && value.length <= 300 && pattern.test(value)
      ? undefined
      : says(path, `must be ${what}, not ${shown(value)}`);

export const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, path) =>
    allowed.some((one) => one === value)
      ? undefined
      : says(path, `must be ${allowed.map((one) => `'${one}'`).join(' or ')}, not ${shown(value)}`);

export const yesOrNo: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : says(path, `must be true or false, not ${shown(value)}`);

export const whole =
  (least: number, most: number): Check =>
  (value, path) => {
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) return says(path, 'must be a whole number');
    if (value < least) return says(path, `must be at least ${least}`);
    return value > most
      ? says(path, `must be at most ${most}`, `${most} is the limit of the workspace; it can only be lowered.`)
      : undefined;
  };

export const listOf =
  (item: Check, options: { least?: number; most: number }): Check =>
  (value, path) => {
    if (!Array.isArray(value)) return says(path, 'must be a list');
    if (value.length < (options.least ?? 0)) return says(path, 'must not be empty');
    if (value.length > options.most) return says(path, `has more than ${options.most} entries`);
    for (const [index, one] of value.entries()) {
      const problem = item(one, `${path}[${index}]`);
      if (problem) return problem;
      if (value.indexOf(one) !== index) return says(`${path}[${index}]`, `repeats ${shown(one)}`);
    }
    return undefined;
  };

export const anyOf =
  (takes: string, ...checks: readonly Check[]): Check =>
  (value, path) =>
    checks.some((check) => check(value, path) === undefined) ? undefined : says(path, `must be ${takes}`);

export const fields =
  (table: Fields): Check =>
  (value, path) =>
    firstProblem(table, value, path);

export const jsonSchema: Check = (value, path) => {
  if (typeof value === 'boolean') return undefined;
  if (!isRecord(value)) return says(path, 'must be a JSON Schema, an object');
  return JSON.stringify(value).length > 16 * 1024 ? says(path, 'is larger than 16 KiB') : undefined;
};

/** Checks a schema of named fields: an AI Tool's input, an app's settings. */
export const objectSchema: Check = (value, path) => {
  const problem = jsonSchema(value, path);
  if (problem) return problem;
  if (!isRecord(value) || value['type'] !== 'object')
    return says(path, "must be a JSON Schema with type: 'object'", "Add type: 'object' and properties.");
  return undefined;
};

/** Finds the first problem of an object with known fields. */
export function firstProblem(table: Fields, value: unknown, path: string): Problem | undefined {
  if (!isRecord(value)) return says(path, `must be an object, not ${shown(value)}`);
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(table, name))
      return { path: at(name), message: 'is not a known field', unknown: Object.keys(table) };
  }
  for (const [name, field] of Object.entries(table)) {
    const one = value[name];
    if (one === undefined) {
      if (field.required) return says(at(name), 'is missing', `${capital(field.summary)}: ${field.takes}.`);
      continue;
    }
    const problem = field.check(one, at(name));
    if (problem) return problem;
  }
  return undefined;
}

export function shown(value: unknown): string {
  const json = value === undefined ? 'nothing' : JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
