import type { z } from 'zod';
import type { OperationName } from '../operations.ts';
import { functionShapes } from './functions.ts';
import { keepingShapes } from './keeping.ts';
import { peopleShapes } from './people.ts';
import { templateShapes } from './templates.ts';

/** Of every operation, what it is given and what it answers. */
export const shapes = {
  ...peopleShapes,
  ...templateShapes,
  ...functionShapes,
  ...keepingShapes,
} as const satisfies Record<OperationName, { input: z.ZodType; output: z.ZodType }>;

type Shapes = typeof shapes;

/** What an operation is given, as a caller writes it. */
export type Input<N extends OperationName> = z.input<Shapes[N]['input']>;
/** What an operation is given, after parsing. */
export type ParsedInput<N extends OperationName> = z.output<Shapes[N]['input']>;
/** What an operation answers. */
export type Output<N extends OperationName> = z.output<Shapes[N]['output']>;
