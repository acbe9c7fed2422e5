import { admin, type Operation } from '../row.ts';

/** API tokens (spec 2, 5). */
export const tokenOperations = {
  'tokens.list': {
    ...admin,
    effect: 'read',
    route: 'GET /tokens',
    faces: ['rest', 'cli'],
    summary: 'List API tokens, never their values',
  },
  'tokens.create': {
    ...admin,
    fact: 'spec 2: displayed once at creation',
    route: 'POST /tokens',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Create an API token; its value is shown once',
    errors: ['agent_not_found'],
    needs: { id: 'text', token: 'text' },
    sealed: true,
  },
  'tokens.revoke': {
    ...admin,
    route: 'DELETE /tokens/:id',
    faces: ['rest', 'cli'],
    summary: 'Revoke an API token at once',
    errors: ['token_not_found'],
  },
} as const satisfies Record<string, Operation>;
