import { type CallOptions, refusal } from '../../contract/index.ts';
import { isRecord, nearest } from '../../std/index.ts';

const known = ['idempotencyKey', 'ifMatch'] as const satisfies readonly (keyof CallOptions)[];

/**
 * Parses the options of a function's call. Unknown options are refused: if an idempotency key were ignored, something would be done
 * twice. @throws WorkspaceError input_invalid
 */
export function callOptions(operation: string, given: unknown): CallOptions {
  // A number is the index that `inputs.map(sdk.customers.find)` passes.
  if (given === null || typeof given === 'number') return {};
  if (!isRecord(given)) throw wrong(operation, 'the options must be an object, as { idempotencyKey: "a-1" }');
  const options: { [Name in (typeof known)[number]]?: string } = {};
  for (const [name, value] of Object.entries(given)) {
    const option = known.find((one) => one === name);
    if (option === undefined) throw wrong(operation, `${name}: ${unknown(name)}`);
    if (typeof value !== 'string') throw wrong(operation, `${name}: must be text`);
    options[option] = value;
  }
  return options;
}

function unknown(name: string): string {
  const meant = nearest(name, known);
  return `is not a known field${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

function wrong(operation: string, what: string) {
  return refusal('input_invalid', `sdk.${operation} – ${what}`);
}
