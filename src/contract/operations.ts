import { eventOperations } from './operations/events.ts';
import { functionOperations } from './operations/functions.ts';
import { keepingOperations } from './operations/keeping.ts';
import { localOperations } from './operations/local.ts';
import { peopleOperations } from './operations/people.ts';
import type { Operation } from './operations/row.ts';
import { templateOperations } from './operations/templates.ts';

export type { Face, Method, Operation } from './operations/row.ts';

/** The platform as a table. Data only: one-line commands load it. */
export const operations = {
  ...peopleOperations,
  ...templateOperations,
  ...functionOperations,
  ...keepingOperations,
  ...localOperations,
  ...eventOperations,
} as const satisfies Record<string, Operation>;

/** The name of an operation: area, full stop, verb. */
export type OperationName = keyof typeof operations;

type NamesWhere<Property extends keyof Operation, Value> = {
  [N in OperationName]: (typeof operations)[N] extends Record<Property, Value> ? N : never;
}[OperationName];

/** Operations that a handler on the database carries out. */
export type StateOperation = NamesWhere<'by', 'state'>;
/** Operations that need a machine: a sandbox, a stream, the clock. */
export type MachineOperation = NamesWhere<'by', 'machine'>;

/** A row of the table with its optional columns. */
export function operationOf(name: OperationName): Operation {
  return operations[name];
}

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

export const operationNames = Object.keys(operations) as OperationName[];
