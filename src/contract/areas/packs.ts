import { admin, list, type Operation } from '../row.ts';

/** Development Packs (spec 1, 9): prepaid days that never expire and can be combined. */
export const packOperations = {
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
    summary: 'Show the total of days left in all packs',
  },
  'packs.history': {
    ...list,
    route: 'GET /development-packs/history',
    faces: ['rest', 'cli'],
    summary: 'List added packs and used days, newest first',
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
