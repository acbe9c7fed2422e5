import type { z } from 'zod';
import type { OperationName } from '../operations.ts';
import { type Checked, checkShape } from './check.ts';
import { type Output, type ParsedInput, shapes } from './table.ts';

/** Checks the input of an operation. */
export function checkInput<N extends OperationName>(name: N, given: unknown): Checked<ParsedInput<N>> {
  // The table guarantees the type; the compiler cannot infer it for a generic name.
  const shape: z.ZodType<unknown> = shapes[name].input;
  return checkShape(shape, given) as Checked<ParsedInput<N>>;
}

/** Checks the answer of an operation. */
export function checkOutput<N extends OperationName>(name: N, answer: unknown): Checked<Output<N>> {
  const shape: z.ZodType<unknown> = shapes[name].output;
  return checkShape(shape, answer) as Checked<Output<N>>;
}
