import { appConfigSchema } from '../../src/project/index.ts';
import { modelScriptSchema, seedSchema } from './schemas-of.ts';

/** JSON Schemas for editors: `$schema` of `fn.config.json` and `seed.json` points at them. */
export async function generateSchemas(): Promise<Map<string, string>> {
  const { $schema, ...seed } = seedSchema();
  const { $schema: dialect, ...script } = modelScriptSchema();
  return new Map([
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

/** The schema library numbers the definitions it makes; all of ours are the same: what JSON can hold. */
function text(value: unknown): string {
  const merged = JSON.stringify(
    value,
    (key, inner: unknown) =>
      key === '$defs' && typeof inner === 'object' && inner !== null ? { __schema0: Object.values(inner)[0] } : inner,
    2,
  );
  return `${merged.replace(/__schema\d+/g, 'json')}\n`;
}
