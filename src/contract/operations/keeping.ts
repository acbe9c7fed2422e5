import { admin, list, type Operation, write } from './row.ts';

/** What is kept: store, secrets and variables of apps, tokens, Development Packs. */
export const keepingOperations = {
  // What an app keeps
  'secrets.list': {
    ...list,
    route: 'GET /apps/:app/secrets',
    faces: ['rest', 'cli'],
    summary: 'List the names of an app’s secrets',
  },
  'secrets.set': {
    ...admin,
    scope: 'deploy',
    route: 'PUT /apps/:app/secrets/:name',
    faces: ['rest', 'cli'],
    summary: 'Set a secret; its value never comes back',
  },
  'secrets.delete': {
    ...admin,
    scope: 'deploy',
    route: 'DELETE /apps/:app/secrets/:name',
    faces: ['rest', 'cli'],
    summary: 'Delete a secret',
    errors: ['secret_not_found'],
  },
  'secrets.get': { ...list, fact: 'contract 2', route: null, faces: ['sdk'], summary: 'Read a secret of this app' },
  'vars.list': { ...list, route: 'GET /apps/:app/vars', faces: ['rest', 'sdk'], summary: 'List an app’s variables' },
  'vars.get': {
    ...list,
    route: 'GET /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Read a variable of an app',
    errors: ['var_not_found'],
  },
  'vars.set': {
    ...write,
    route: 'PUT /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Set a variable of an app',
  },
  'vars.delete': {
    ...write,
    route: 'DELETE /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Delete a variable of an app',
    errors: ['var_not_found'],
  },
  'store.get': {
    ...list,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Read a value of this app’s store',
  },
  'store.list': {
    ...list,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'List keys and values of this app’s store',
  },
  'store.set': {
    ...write,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Keep a value in this app’s store, for ever or for a time',
    errors: ['store_full', 'store_value_too_large'],
  },
  'store.delete': {
    ...write,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Delete a value of this app’s store',
  },
  'store.increment': {
    ...write,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Add to a number in this app’s store, atomically',
    errors: ['store_not_a_number', 'store_full'],
  },

  // API tokens (spec 2, 5)
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
  },
  'tokens.revoke': {
    ...admin,
    route: 'DELETE /tokens/:id',
    faces: ['rest', 'cli'],
    summary: 'Revoke an API token at once',
    errors: ['token_not_found'],
  },

  // Development Packs (spec 1, 9: prepaid days that never expire and can be combined)
  'packs.list': {
    ...list,
    fact: 'spec 1 (9)',
    route: 'GET /development-packs',
    faces: ['rest', 'cli'],
    summary: 'List Development Packs',
  },
  'packs.balance': {
    ...list,
    fact: 'spec 1 (9)',
    route: 'GET /development-packs/balance',
    faces: ['rest', 'cli'],
    summary: 'Show the days left in all packs together',
  },
  'packs.history': {
    ...list,
    route: 'GET /development-packs/history',
    faces: ['rest', 'cli'],
    summary: 'List what was added and used, newest first',
  },
  'packs.add': {
    ...admin,
    fact: 'spec 1 (9)',
    route: 'POST /development-packs',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Add a pack of prepaid days',
  },
  'packs.use': {
    ...admin,
    fact: 'spec 1 (9)',
    route: 'POST /development-packs/use',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Book days of work, taken from the oldest pack first',
    errors: ['pack_days_insufficient'],
  },
} as const satisfies Record<string, Operation>;
