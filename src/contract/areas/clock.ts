import { admin, list, type Operation } from '../row.ts';

/** The clock of a local workspace. */
export const clockOperations = {
  'clock.show': {
    ...list,
    route: 'GET /_local/clock',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Show the workspace clock',
  },
  'clock.set': {
    ...admin,
    by: 'machine',
    route: 'PUT /_local/clock',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Set the workspace clock',
    transaction: 'whole',
    readsFlows: true,
  },
  'clock.advance': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/clock/advance',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Move the workspace clock forward; each job that falls due fires once',
    transaction: 'whole',
    readsFlows: true,
  },
} as const satisfies Record<string, Operation>;
