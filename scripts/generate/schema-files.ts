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

const text = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
