import { aboutEvents, errorCodes, eventKinds, operationNames, operations } from '../../src/contract/index.ts';
import { entities, eventDataSchema, inputEntities, inputSchema, outputSchema } from './schemas-of.ts';
import { bodyOf, typeOf } from './ts-from-schema.ts';

const about: Readonly<Record<string, string>> = {
  Customer: 'A customer: identified by a phone number or an e-mail address.',
  Conversation: 'All messages with one customer on one channel.',
  Message: 'One message of a conversation.',
  Assignment: 'Who is responsible for a conversation.',
  Template: 'A message template of the messaging-app channel.',
  TemplateVariables: 'The values for a message template.',
  Seed: 'A workspace as a file: `seed.json`.',
  Agent: 'A human agent.',
  Invocation: 'One invocation of a function.',
  InvokeResult: 'The result and the log of an invocation.',
  LogLine: 'One line of the log of an invocation.',
  LiveFunction: 'A function of the workspace.',
  Deployment: 'One version of an app: all its functions at once.',
  Workgroup: 'A group of human agents.',
  Channel: 'A channel through which customers write.',
  TemplateHeader: 'The header above the text of a message template.',
  TemplateButton: 'A button below a message template.',
  TemplateCard: 'One card of the carousel of a message template.',
  SentTemplate: 'The message that was sent, and the conversation it is in.',
};

/** `types/operations.d.ts`: the entities, every operation with its input and output, the error codes. */
export function operationsTypes(): string {
  return [
    '// Made by "npm run generate" from the contract table. Do not edit.',
    '',
    '/** Any JSON value. */',
    'export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };',
    '',
    '/** One page of a list. */',
    'export interface Page<Item> {',
    '  items: Item[];',
    '  /** Pass it as `cursor` to get the next page; null at the end. */',
    '  nextCursor: string | null;',
    '}',
    '',
    ...Object.entries(entities).map(([name, schema]) => definition(name, schema, 'output')),
    ...Object.entries(inputEntities).map(([name, schema]) => definition(name, schema, 'input')),
    '/** What each kind of event carries in `data`. An object over 20 kB is replaced by `{id, truncated: true}`. */',
    'export interface EventData {',
    ...eventKinds.map((kind) => {
      const data = typeOf(eventDataSchema(kind), { direction: 'output' }, 2);
      return `  /** ${aboutEvents[kind]}. */\n  '${kind}': ${data};`;
    }),
    '}',
    '',
    '/** The kinds of events. */',
    'export type EventKind = keyof EventData;',
    '',
    '/**',
    ' * What a webhook receiver gets as JSON. Narrow it by its `type`; name the kinds that an endpoint subscribes to:',
    " * `WebhookEvent<'message.received' | 'message.sent'>`.",
    ' */',
    'export type WebhookEvent<Kind extends EventKind = EventKind> = {',
    "  [K in Kind]: Omit<Event, 'type' | 'data'> & { type: K; data: EventData[K] };",
    '}[Kind];',
    '',
    '/** Every code with which a workspace refuses. */',
    `export type ErrorCode =\n${Object.keys(errorCodes)
      .map((code) => `  | '${code}'`)
      .join('\n')};`,
    '',
    '/** Every operation of a workspace, by its name. */',
    'export interface Operations {',
    ...operationNames.map((name) => {
      const input = typeOf(inputSchema(name), { direction: 'input' }, 4);
      const output = typeOf(outputSchema(name), { direction: 'output' }, 4);
      return `  /** ${operations[name].summary}. */\n  '${name}': {\n    input: ${input};\n    output: ${output};\n  };`;
    }),
    '}',
    '',
  ].join('\n');
}

function definition(name: string, schema: Parameters<typeof typeOf>[0], direction: 'input' | 'output'): string {
  const doc = about[name] ? `/** ${about[name]} */\n` : '';
  const writing = { direction, except: name };
  if (schema.type === 'object' && schema.properties)
    return `${doc}export interface ${name} ${bodyOf(schema, writing)}\n`;
  return `${doc}export type ${name} = ${typeOf(schema, writing)};\n`;
}
