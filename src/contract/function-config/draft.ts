import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';

/** Where JSON Schema, draft 2020-12, describes itself. */
export const draftId = 'https://json-schema.org/draft/2020-12/schema';

/** The instance that `isSchema` is compiled with, here or by the build. */
export const newDraftAjv = (code: { source?: true; esm?: true } = {}): Ajv2020 =>
  new Ajv2020({ strict: false, logger: false, code });

/**
 * Whether a value is a JSON Schema, draft 2020-12; if not, `isSchema.errors` says where.
 *
 * Compiling it takes 200 ms, twenty times as much as any schema of an author, so it is done once. The published package holds it compiled:
 * scripts/build/compiled-draft.ts replaces this file (`fn invoke` 420 → 230 ms; `npm run bench -- --only invoke`).
 */
export const isSchema: ValidateFunction<AnySchema> = newDraftAjv().getSchema<AnySchema>(draftId) ?? missing();

function missing(): never {
  throw new Error(`Ajv does not bring ${draftId}`);
}
