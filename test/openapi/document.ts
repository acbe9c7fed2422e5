import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

interface Described {
  readonly operationId: string;
  readonly 'x-source': string;
  readonly responses: Readonly<Record<string, DescribedAnswer>>;
}

interface DescribedAnswer {
  readonly content?: Readonly<Record<string, { readonly schema: Record<string, unknown> }>>;
  readonly 'x-codes'?: readonly string[];
}

export interface OpenApi {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
}

export interface Answered {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

/** An OpenAPI document, and whether answers of a server are what it says: status, content type, shape, code. */
export class Document {
  readonly #document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(document: OpenApi) {
    const { Problem = {}, ...ours } = document.components.schemas;
    this.#document = { ...document, components: { ...document.components, schemas: { ...closed(ours), Problem } } };
    ajvFormats.default(this.#ajv);
  }

  /** Method and path of an operation, with `{names}`. @throws Error when the document has none */
  placeOf(operationId: string): { method: string; path: string } {
    for (const [path, methods] of Object.entries(this.#document.paths)) {
      for (const [method, one] of Object.entries(methods)) if (one.operationId === operationId) return { method, path };
    }
    throw new Error(`the document has no ${operationId}`);
  }

  /** What differs from the document; nothing for an address that is no operation. */
  problemsOf(method: string, path: string, { status, contentType, text }: Answered): string[] {
    const described = this.#at(method.toLowerCase() === 'head' ? 'get' : method.toLowerCase(), path);
    if (!described || method === 'HEAD') return [];
    const where = `${described.operationId} ${status}`;
    const answer = described.responses[status];
    if (!answer) return [`${where}: the document names no such status: ${text.slice(0, 200)}`];
    const type = contentType?.split(';')[0] ?? '';
    if (!answer.content) return text === '' ? [] : [`${where}: the document says that there is no body`];
    const schema = (answer.content[type] ?? answer.content['*/*'])?.schema;
    if (!schema) return [`${where}: the document does not name the content type ${type}`];
    if (!type.includes('json')) return [];
    const body: unknown = JSON.parse(text);
    const isOurs = status < 300 && described['x-source'] !== 'app';
    const validate = this.#validator(`${where} ${type}`, isOurs ? closed(schema) : schema);
    if (!validate(body)) return [`${where}: ${this.#ajv.errorsText(validate.errors)}: ${text.slice(0, 500)}`];
    const { code } = body as { code?: string };
    const codes = answer['x-codes'];
    return codes && !codes.includes(code ?? '') ? [`${where}: the document does not name the code ${code}`] : [];
  }

  #at(method: string, path: string): Described | undefined {
    const segments = path.split('/');
    let found: Described | undefined;
    for (const [template, methods] of Object.entries(this.#document.paths)) {
      const parts = template.split('/');
      if (parts.length !== segments.length) continue;
      if (!parts.every((part, i) => part.startsWith('{') || part === segments[i])) continue;
      const one = methods[method];
      // The address without a variable part wins, as in the server.
      if (one && (!found || !template.includes('{'))) found = one;
    }
    return found;
  }

  #validator(key: string, schema: Record<string, unknown>): ValidateFunction {
    const known = this.#validators.get(key);
    if (known) return known;
    const made = this.#ajv.compile(withComponents(schema, this.#document));
    this.#validators.set(key, made);
    return made;
  }
}

/** An answer may grow, so its schemas say nothing of further fields; here each is one that the document forgot. */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, closed(one)]));
  const isOpen = parts['type'] === 'object' && 'properties' in parts && !('additionalProperties' in parts);
  return (isOpen ? { ...parts, additionalProperties: false } : parts) as Value;
}

/** The components go along, so that references lead somewhere. */
function withComponents(schema: Record<string, unknown>, { components }: OpenApi): Record<string, unknown> {
  return { ...schema, components };
}
