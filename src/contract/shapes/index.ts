/**
 * The shapes of every operation's input and output. Apart from the table, because it loads the schema library:
 * one-line commands and the start of `fn dev` do without.
 */
import type { z } from 'zod';
import type { OperationName } from '../operations.ts';
import { functionShapes } from './functions.ts';
import { keepingShapes } from './keeping.ts';
import { peopleShapes } from './people.ts';
import { templateShapes } from './templates.ts';

export const shapes = {
  ...peopleShapes,
  ...templateShapes,
  ...functionShapes,
  ...keepingShapes,
} as const satisfies Record<OperationName, { input: z.ZodType; output: z.ZodType }>;

export type Shapes = typeof shapes;

/** What an operation is given, as a caller writes it. */
export type Input<N extends OperationName> = z.input<Shapes[N]['input']>;
/** What an operation is given, after parsing. */
export type ParsedInput<N extends OperationName> = z.output<Shapes[N]['input']>;
/** What an operation answers. */
export type Output<N extends OperationName> = z.output<Shapes[N]['output']>;

export type Seed = z.input<typeof seed>;

export { type Checked, checkShape } from './check.ts';
export { seed } from './seed.ts';
export { Template, templateDefinition, templateVariables } from './templates.ts';

import type { seed } from './seed.ts';
