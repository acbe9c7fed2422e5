import { admin, list, type Operation } from '../row.ts';

/** AI harnesses: who runs the loop of an AI agent. */
export const harnessOperations = {
  'harnesses.list': {
    ...list,
    fact: 'contract 11',
    route: 'GET /harnesses',
    faces: ['rest', 'cli'],
    summary: 'List AI harnesses, never their keys and secrets',
  },
  'harnesses.show': {
    ...list,
    fact: 'contract 11',
    route: 'GET /harnesses/:id',
    faces: ['rest', 'cli'],
    summary: 'Show an AI harness',
    errors: ['harness_not_found'],
  },
  'harnesses.add': {
    ...admin,
    fact: 'contract 11',
    route: 'POST /harnesses',
    faces: ['rest', 'cli'],
    status: 201,
    sealed: true,
    needs: { id: 'text', kind: 'text' },
    summary: 'Register an AI harness; a signing secret that is made for it is shown once',
    errors: ['harness_exists', 'harness_address_invalid', 'harness_module_invalid', 'signing_secret_invalid'],
  },
  'harnesses.update': {
    ...admin,
    fact: 'contract 11',
    route: 'PATCH /harnesses/:id',
    faces: ['rest', 'cli'],
    summary: 'Change an AI harness, or give it another key',
    errors: ['harness_not_found', 'harness_exists', 'harness_address_invalid', 'harness_module_invalid'],
  },
  'harnesses.remove': {
    ...admin,
    fact: 'contract 11',
    route: 'DELETE /harnesses/:id',
    faces: ['rest', 'cli'],
    summary: 'Remove an AI harness with its key and secret',
    errors: ['harness_not_found', 'harness_built_in'],
  },
  'harnesses.rotateSecret': {
    ...admin,
    fact: 'contract 11',
    route: 'POST /harnesses/:id/rotate-secret',
    faces: ['rest', 'cli'],
    sealed: true,
    needs: { secret: 'text' },
    summary: 'Replace the signing secret; for 24 hours both sign. The new one is shown once',
    errors: ['harness_not_found', 'harness_unsigned', 'signing_secret_invalid'],
  },
  'harnesses.check': {
    ...admin,
    fact: 'contract 11',
    effect: 'read',
    by: 'machine',
    route: 'POST /harnesses/:id/check',
    faces: ['rest', 'cli'],
    summary:
      'Check that a harness can work: its key, its address, its endpoint; of the kind custom also how its server behaves',
    errors: ['harness_not_found'],
  },
} as const satisfies Record<string, Operation>;
