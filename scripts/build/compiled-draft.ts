import type { Plugin } from 'esbuild';
import { draftId, newDraftAjv } from '../../src/contract/function-config/draft.ts';

/** Puts the validator of schemas into the bundle as code, where the source compiles it at each start (src/contract/function-config/draft.ts). */
export const compiledDraft: Plugin = {
  name: 'compiled-draft',
  setup(build) {
    build.onLoad({ filter: /[\\/]function-config[\\/]draft\.ts$/ }, async ({ path }) => {
      const { default: standalone } = await import('ajv/dist/standalone/index.js');
      return {
        contents: standalone.default(newDraftAjv({ source: true, esm: true }), { isSchema: draftId }),
        resolveDir: path.slice(0, path.search(/[\\/]draft\.ts$/)),
        loader: 'js',
      };
    });
  },
};
