import { type OperationName, operationNames, operationOf } from '../../src/contract/index.ts';
import { inputSchema, outputSchema, type Schema } from './schemas-of.ts';
import { typeOf } from './ts-from-schema.ts';

/** Areas whose members take a key instead of an input object; written by hand in the head of the file. */
export const areasByHand = new Set(['store', 'vars', 'secrets', 'methods']);

const aboutAreas: Readonly<Record<string, string>> = {
  workspace: 'The workspace itself.',
  customers: 'Customers, identified by a phone number or an e-mail address.',
  conversations: 'Conversations of every channel.',
  messages: 'Messages of a conversation.',
  notes: 'Notes of the team on a conversation, which the customer never sees.',
  agents: 'The human agents.',
  workgroups: 'Groups of human agents.',
  channels: 'Channels, connected or not.',
  templates: 'The Template API app: message templates of the messaging-app channel.',
  aiAgentRuns: 'Runs of AI agents.',
  tools: 'The AI Tools of this app and others, called through the same gate as by an AI agent.',
  confirmations: 'Questions whether a tool may be called.',
  sessions: 'The Session Link app: direct links to conversations.',
};

/** The members of `sdk` that are operations, as the body of an interface. */
export function areasOf(face: 'sdk' | 'client'): string {
  const areas = new Map<string, OperationName[]>();
  for (const name of operationNames) {
    const { faces, onlyApp } = operationOf(name);
    const [area = ''] = name.split('.');
    // What only our own apps may call is no help to anybody else.
    if (!faces.includes(face) || onlyApp !== undefined || areasByHand.has(area)) continue;
    areas.set(area, [...(areas.get(area) ?? []), name]);
  }
  return [...areas]
    .map(([area, names]) => {
      const doc = aboutAreas[area];
      if (doc === undefined) throw new Error(`types-areas.ts: say what the area ${area} is about`);
      return `  /** ${doc} */\n  readonly ${area}: {\n${names.map(member).join('\n')}\n  };`;
    })
    .join('\n');
}

function member(name: OperationName): string {
  const { summary, errors, effect } = operationOf(name);
  const input = inputSchema(name);
  const lines = [
    `${summary}.`,
    ...(errors && errors.length > 0 ? wrapped(`Refuses with ${errors.map((code) => `\`${code}\``).join(', ')}.`) : []),
  ];
  const doc =
    lines.length === 1
      ? `    /** ${lines[0]} */`
      : `    /**\n${lines.map((line) => `     * ${line}`).join('\n')}\n     */`;
  const given = typeOf(input, { direction: 'input' }, 4);
  const parameter = given === '{}' ? '' : `input${needsNothing(input) ? '?' : ''}: ${given}`;
  const parameters = [parameter, ...(effect === 'write' ? ['options?: CallOptions'] : [])].filter(Boolean).join(', ');
  const output = typeOf(outputSchema(name), { direction: 'output' }, 4);
  return `${doc}\n    ${name.split('.')[1]}(${parameters}): Promise<${output}>;`;
}

function needsNothing(schema: Schema): boolean {
  return (schema.required ?? []).length === 0 && !impliedByRule(schema);
}

/** Phone or e-mail: a rule beyond the schema, so that an empty input is always refused. */
function impliedByRule({ properties = {} }: Schema): boolean {
  return 'phone' in properties && 'email' in properties;
}

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    const line = lines[last] ?? '';
    if (line.length + word.length > 108) lines.push(word);
    else lines[last] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
