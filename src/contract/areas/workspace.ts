import { admin, list, type Operation } from '../row.ts';

/** The workspace as a whole. */
export const workspaceOperations = {
  'workspace.show': {
    ...list,
    route: 'GET /workspace',
    faces: ['rest', 'sdk', 'client', 'cli'],
    summary: 'Show the workspace and the current token',
    needs: { slug: 'text' },
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
    transaction: 'whole',
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
    transaction: 'whole',
  },
} as const satisfies Record<string, Operation>;
