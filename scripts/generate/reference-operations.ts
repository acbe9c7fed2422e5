import { errorCodes, type OperationName, operationNames, operationOf } from '../../src/contract/index.ts';
import { exampleOf, shortCalls } from './examples.ts';
import { capital, code, page, table } from './markdown.ts';
import { rowsOf, typeName } from './schema-rows.ts';
import { entities, inputEntities, inputSchema, outputSchema, type Schema } from './schemas-of.ts';

/** `docs/reference/operations.md`: every row of the table. */
export function operationsPage(): string {
  const areas = Map.groupBy(operationNames, (name) => name.split('.')[0] ?? name);
  return page(
    'Operations',
    [
      'Everything a workspace can do. An operation is the same over REST, as `sdk.<area>.<verb>(input)` inside a function, and as',
      '`fn api <operation>` on the command line; "reached by" says which of these apply. Routes are below `{base_url}/api/<slug>`; requests carry',
      '`Authorization: Bearer <API_TOKEN>`. **Documented** routes come from the platform; **assumed** ones are our decision, and a profile',
      'may override them: `fn profile set NAME operations.<name>.route "PUT /x/{slug}/y"`.',
    ].join('\n'),
    commonRules,
    table(
      ['area', 'operations'],
      [...areas].map(([area, names]) => [
        `[${area}](#${area.toLowerCase()})`,
        names.map((name) => `[${name.split('.')[1]}](#${anchor(name)})`).join(' · '),
      ]),
    ),
    ...[...areas].flatMap(([area, names]) => [`## ${area}`, ...names.map(section)]),
    '## Shapes',
    ...Object.entries({ ...entities, ...inputEntities })
      .filter(([name]) => name !== 'Seed')
      .map(([name, schema]) => shape(name, schema, name in inputEntities)),
    '### Seed\n\nSee [seed](seed.md).',
  );
}

const commonRules = `## Common rules

- JSON in UTF-8, camelCase; times are RFC 3339 in UTC; ids are \`prefix_ULID\`.
- Lists take \`limit\` (default 50, at most 200) and \`cursor\`, and answer \`{items, nextCursor}\`.
- A refusal is \`application/problem+json\`: \`{type, title, status, detail, code, requestId, errors?: [{path, message}]}\`. Its \`code\` states the fact: see [errors](errors.md).
- \`Idempotency-Key\` on a POST: the same key and body within 24 hours returns the first answer again (\`Idempotent-Replayed: true\`); a different body is refused with \`idempotency_key_reused\`.
- Versioned resources have an \`ETag\`. With \`If-Match\`, a change is made only if nobody else has made one in the meantime; otherwise the answer is 412 \`version_conflict\`.
- An unknown field is refused with its path.`;

function section(name: OperationName): string {
  const { summary, route, source, fact, scope, faces, errors, emits, status, onlyApp, localOnly, versioned, rawBody } =
    operationOf(name);
  const input = inputSchema(name);
  const output = outputSchema(name);
  const facts = table(
    ['', ''],
    [
      ['route', route === null ? 'none' : `\`${route}\``],
      ['source', sourceOf(source, fact)],
      ['scope', `\`${scope}\`${status ? `; answers ${status}` : ''}`],
      ['reached by', reachedBy(faces, route, rawBody === true)],
      ...(onlyApp ? [['only for', `functions of \`${onlyApp}\``]] : []),
      ...(localOnly ? [['where', 'a local workspace only']] : []),
      ...(versioned ? [['version', '`ETag`, `If-Match`']] : []),
      ...(emits ? [['events', emits.map((kind) => `\`${kind}\``).join(', ')]] : []),
    ],
  );
  const refusals = (errors ?? []).map((known) => [
    `\`${known}\``,
    String(errorCodes[known].status),
    errorCodes[known].title,
  ]);
  return [
    `### ${name}`,
    `${summary}.`,
    facts,
    rawBody ? 'The request body is the raw bytes.' : '',
    fieldsOf('Input', input, true),
    fieldsOf('Output', output, false),
    refusals.length > 0
      ? `**Refusals**, besides the common ones\n\n${table(['code', 'status', 'meaning'], refusals)}`
      : '',
    example(name, input),
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Whatever has a route is reached by it, and by `fn api` as well. */
function reachedBy(faces: readonly string[], route: string | null, rawBody: boolean): string {
  return [
    ...(route === null ? [] : ['REST']),
    ...(faces.includes('sdk') ? ['`sdk`'] : []),
    ...(faces.includes('client') ? ['`sdk` of a Custom View'] : []),
    ...(route === null ? [] : [rawBody ? '`fn api` by its path' : '`fn api`']),
  ].join(', ');
}

function fieldsOf(title: string, schema: Schema, input: boolean): string {
  const named = typeName(schema);
  if (named.startsWith('[')) return `**${title}**: ${named}`;
  const list = schema.properties?.['items'];
  if (!input && list?.items && schema.properties?.['nextCursor'])
    return `**${title}**: a page, \`{items, nextCursor}\`, of ${typeName(list.items)}${isUnnamed(list.items) ? `\n\n${fields(list.items, false)}` : ''}`;
  if (schema.properties === undefined) return `**${title}**: ${input ? named : 'depends on the request'}`;
  if (Object.keys(schema.properties).length === 0) return input ? '' : `**${title}**: an empty object`;
  const rule = input && schema.description ? `: ${lower(schema.description)}.` : '';
  return `**${title}**${rule}\n\n${fields(schema, input)}`;
}

const isUnnamed = (schema: Schema) => schema.properties !== undefined && !typeName(schema).startsWith('[');

function fields(schema: Schema, input: boolean, except?: string): string {
  return table(['field', 'type', ''], rowsOf(schema, { input, ...(except !== undefined && { except }) }));
}

function shape(name: string, schema: Schema, input: boolean): string {
  const options = schema.oneOf ?? schema.anyOf;
  if (options) return `### ${name}\n\nOne of:\n\n${options.map((one) => fields(one, input, name)).join('\n\n')}`;
  return `### ${name}\n\n${fields(schema, input, name)}`;
}

function example(name: OperationName, input: Schema): string {
  const { faces, route, rawBody, source } = operationOf(name);
  const value = exampleOf(name, input);
  const json = JSON.stringify(value);
  const empty = json === '{}';
  if (source === 'documented' && route !== null) return curl(route, empty ? undefined : json);
  if (faces.includes('sdk') || faces.includes('client'))
    return code('js', `await ${shortCalls[name] ?? `sdk.${name}(${empty ? '' : literal(value)});`}`);
  if (route === null || rawBody) return '';
  const flag = empty ? '' : ` --input - <<< ${quoted(json)}`;
  return code('sh', `fn api ${name}${flag}`);
}

/** A row that is our decision says so; one with a fact behind it says where it stands. */
function sourceOf(source: string, fact: string): string {
  if (fact.startsWith('contract')) return source;
  return `${source} – ${fact.replace(/^spec/, 'developer interface')}`;
}

/** A value as a person would write it in JavaScript: on one line where it fits. */
function literal(value: unknown, indent = 0): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const pad = ' '.repeat(indent + 2);
  const parts = Array.isArray(value)
    ? value.map((item) => literal(item, indent + 2))
    : Object.entries(value).map(
        ([key, item]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: ${literal(item, indent + 2)}`,
      );
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length + indent <= 90 && !line.includes('\n')) return line;
  return `${open.trim()}\n${parts.map((part) => `${pad}${part},`).join('\n')}\n${' '.repeat(indent)}${close.trim()}`;
}

function curl(route: string, json: string | undefined): string {
  const [method = '', path = ''] = route.split(' ');
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$BASE_URL/api/$SLUG${path}"`,
    '  -H "Authorization: Bearer $API_TOKEN"',
    ...(json === undefined ? [] : ['  -H "Content-Type: application/json"', `  -d ${quoted(json)}`]),
  ];
  return code('sh', lines.join(' \\\n'));
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const anchor = (name: string) => capital(name).toLowerCase().replaceAll('.', '');
