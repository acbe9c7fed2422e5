import { ProjectError } from '../../std/index.ts';
import { schemaCheck } from './json-schema.ts';
import type { FunctionConfig, JsonSchema } from './types.ts';

/**
 * Compiles every schema of a config that is used for checks, so that an unusable one is found before the first call.
 * @param file as messages name it: `functions/tools/refund.js`
 * @throws ProjectError schema_invalid
 */
export async function checkSchemas(config: FunctionConfig, file: string): Promise<void> {
  for (const [place, schema] of schemasOf(config)) {
    if (schema === undefined) continue;
    try {
      await schemaCheck(schema, `${file}: config.${place}`);
    } catch (error) {
      if (!(error instanceof ProjectError)) throw error;
      const { code, message, hint } = error;
      throw new ProjectError(code, message, { ...(hint !== undefined && { hint }), location: { file }, cause: error });
    }
  }
}

function schemasOf(config: FunctionConfig): readonly (readonly [string, JsonSchema | undefined])[] {
  switch (config.type) {
    case 'server-side-method':
      return [['expose.input', config.expose ? config.expose.input : undefined]];
    case 'custom-flow-node':
      return [['input', config.input]];
    case 'ai-tool':
      return [
        ['input', config.input],
        ['output', config.output],
        ['confirm.when', typeof config.confirm === 'string' ? undefined : config.confirm.when],
      ];
    case 'custom-app-setup':
      return [['settings', config.settings]];
    case 'custom-view':
    case 'cron-job':
      return [];
  }
}
