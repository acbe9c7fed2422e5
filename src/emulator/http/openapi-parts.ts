import { type ErrorCode, errorCodes } from '../../contract/index.ts';

export type Schema = Record<string, unknown>;

/** Refusals that are possible for any operation. */
export const common: readonly ErrorCode[] = [
  'token_missing',
  'token_malformed',
  'token_invalid',
  'token_revoked',
  'token_foreign',
  'token_scope',
  'operation_not_allowed',
  'request_foreign',
  'address_too_long',
  'header_invalid',
  'input_invalid',
  'rate_limited',
  'workspace_busy',
  'workspace_stopping',
  'disk_full',
  'internal_error',
];

/** Refusals of JSON bodies. */
export const ofBodies: readonly ErrorCode[] = [
  'body_invalid',
  'body_too_deep',
  'body_too_large',
  'content_type_unsupported',
];
export const ofOnceKeys: readonly ErrorCode[] = ['idempotency_key_reused', 'idempotency_key_running'];
/** Failures of a function that an operation runs (contract 7). */
export const ofFunctions: readonly ErrorCode[] = [
  'function_failed',
  'function_timeout',
  'function_memory',
  'function_crashed',
  'function_busy',
  'function_broken',
  'result_too_large',
  'result_invalid',
];

/** Problem responses by status, with their codes. */
export function problemResponses(codes: Iterable<ErrorCode>): Schema {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) {
    const { status } = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join('; '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        'x-codes': codes,
      },
    ]),
  );
}

export function header(name: string, description: string): Schema {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}

export const onceKeyHeader = header(
  'Idempotency-Key',
  'The same key and request within 24 hours get the first answer again',
);
