import { list, type Operation } from '../row.ts';

/** What caused what. */
export const traceOperations = {
  'traces.show': {
    ...list,
    fact: 'contract 8',
    route: 'GET /traces/:id',
    faces: ['rest', 'cli'],
    summary:
      'Show everything that has the same first cause as an event, message, invocation, run, job or delivery, as spans',
    errors: ['trace_not_found'],
    readsInvocations: true,
  },
} as const satisfies Record<string, Operation>;
