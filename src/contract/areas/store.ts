import { list, type Operation, write } from '../row.ts';

/** What the functions of an app keep. */
export const storeOperations = {
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
    summary: 'Keep a value in this app’s store, for a limited time or indefinitely',
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
} as const satisfies Record<string, Operation>;
