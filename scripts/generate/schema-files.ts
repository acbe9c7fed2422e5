import { appConfigSchema } from '../../src/project/index.ts';
import { seedSchema } from './schemas-of.ts';

/** JSON Schemas for editors: `$schema` of `fn.config.json` and `seed.json` points at them. */
export async function generateSchemas(): Promise<Map<string, string>> {
  const { $schema, ...seed } = seedSchema();
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
