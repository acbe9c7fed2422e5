import type { z } from 'zod';
import type { OperationName } from '../operations.ts';
import { eventShapes } from './events.ts';
import { functionShapes } from './functions.ts';
import { keepingShapes } from './keeping.ts';
import { peopleShapes } from './people.ts';
import { templateShapes } from './templates.ts';

/** The input and output shapes of every operation. */
export const shapes = {
  ...peopleShapes,
  ...templateShapes,
  ...functionShapes,
  ...keepingShapes,
  ...eventShapes,
} as const satisfies Record<OperationName, { input: z.ZodType; output: z.ZodType }>;

type Shapes = typeof shapes;

/** The input of an operation as a caller writes it. */
export type Input<N extends OperationName> = z.input<Shapes[N]['input']>;
/** The input of an operation after parsing. */
export type ParsedInput<N extends OperationName> = z.output<Shapes[N]['input']>;
/** The answer of an operation. */
export type Output<N extends OperationName> = z.output<Shapes[N]['output']>;
