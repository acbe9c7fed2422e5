import { admin, list, type Operation } from './row.ts';

/** Operations of a local workspace only: its clock, and the workspace as a whole. */
export const localOperations = {
  // The local workspace
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
  },
  'clock.advance': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/clock/advance',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Move the workspace clock forward; each job that falls due fires once',
  },
  'workspace.openUrl': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/open',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Create an address that signs a browser in, once and within ten minutes',
  },
  'workspace.reset': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/workspace/reset',
    seedBody: true,
    faces: ['rest', 'cli'],
    errors: ['seed_invalid'],
    localOnly: true,
    summary: 'Empty the workspace and load a seed',
  },
  'workspace.export': {
    ...admin,
    effect: 'read',
    route: 'GET /_local/workspace/export',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Export the workspace as a seed',
  },
  'workspace.import': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/workspace/import',
    seedBody: true,
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Add the contents of a seed to the workspace',
    errors: ['seed_invalid'],
  },
} as const satisfies Record<string, Operation>;
