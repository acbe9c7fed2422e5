import { list, type Operation } from '../row.ts';

/** What became of the functions' sources. */
export const buildOperations = {
  'builds.list': {
    ...list,
    by: 'machine',
    fact: 'contract 8',
    route: 'GET /_local/builds',
    faces: ['rest', 'cli'],
    summary: 'List whether each function builds, and what is wrong, with its line in the source',
    errors: ['app_unknown'],
    localOnly: true,
    withoutSeed: true,
  },
} as const satisfies Record<string, Operation>;
