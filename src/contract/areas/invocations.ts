import { list, type Operation } from '../row.ts';

/** Invocations of functions. */
export const invocationOperations = {
  'invocations.list': {
    ...list,
    fact: 'contract 7',
    route: 'GET /invocations',
    faces: ['rest', 'cli'],
    summary: 'List invocations, newest first',
    readsInvocations: true,
  },
  'invocations.show': {
    ...list,
    fact: 'contract 7',
    route: 'GET /invocations/:id',
    faces: ['rest', 'cli'],
    summary: 'Show an invocation with input, result, logs and calls',
    errors: ['invocation_not_found'],
    readsInvocations: true,
  },
} as const satisfies Record<string, Operation>;
