import { eventKinds } from '../../src/contract/index.ts';
import { eventSchemaOf } from '../../src/contract/shapes/index.ts';
import { appConfigSchema } from '../../src/project/index.ts';
import { agentSchema, flowSchema, modelScriptSchema, seedSchema } from './schemas-of.ts';

/** JSON Schemas: of each kind of event, for receivers; and for editors: `$schema` of `fn.config.json` and `seed.json` points at them. */
export async function generateSchemas(): Promise<Map<string, string>> {
  const { $schema, ...seed } = seedSchema();
  const { $schema: flowDialect, ...flow } = flowSchema();
  const { $schema: agentDialect, ...agent } = agentSchema();
  const { $schema: dialect, ...script } = modelScriptSchema();
  return new Map([
    ...eventKinds.map((kind): [string, string] => [`schema/events/${kind}.schema.json`, text(eventSchemaOf(kind))]),
    ['schema/fn.config.schema.json', text(appConfigSchema)],
    [
      'schema/seed.schema.json',
      text({
        $schema,
        title: 'seed.json',
        description: 'A workspace as a file: what the local workspace of an app begins with',
        ...seed,
      }),
    ],
    [
      'schema/flow.schema.json',
      text({
        $schema: flowDialect,
        title: 'flows/NAME.json',
        description: 'What happens in a conversation: conditions, functions, AI, people',
        ...flow,
      }),
    ],
    [
      'schema/agent.schema.json',
      text({
        $schema: agentDialect,
        title: 'agents/NAME.json',
        description: 'An AI agent: what it is to do, who thinks for it, what it may use',
        ...agent,
      }),
    ],
    [
      'schema/model-script.schema.json',
      text({
        $schema: dialect,
        title: 'NAME.model.json',
        description: 'What a scripted model answers: an AI agent that needs no key and no network',
        ...script,
      }),
    ],
  ]);
}

/** The schema library numbers the definitions that have no name; all of ours are the same: what JSON can hold. */
function text(value: unknown): string {
  const merged = JSON.stringify(
    value,
    (key, inner: unknown) => (key === '$defs' && typeof inner === 'object' && inner !== null ? named(inner) : inner),
    2,
  );
  return `${merged.replace(/__schema\d+/g, 'json')}\n`;
}

function named(definitions: object): object {
  const kept = Object.entries(definitions).filter(([name]) => !name.startsWith('__schema'));
  const [unnamed] = Object.entries(definitions).filter(([name]) => name.startsWith('__schema'));
  return Object.fromEntries(unnamed && !('json' in definitions) ? [...kept, ['json', unnamed[1]]] : kept);
}
