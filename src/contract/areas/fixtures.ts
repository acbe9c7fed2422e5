import { list, type Operation, write } from '../row.ts';

/** Saved inputs of functions, in the folder of an app in development. */
export const fixtureOperations = {
  'fixtures.list': {
    ...list,
    by: 'machine',
    fact: 'contract 1',
    route: 'GET /_local/fixtures/:app/:function',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'List the saved inputs of a function, or an example of one for a built-in app',
    errors: ['app_unknown', 'function_not_found'],
    withoutSeed: true,
  },
  'fixtures.save': {
    ...write,
    by: 'machine',
    fact: 'contract 1',
    route: 'POST /_local/fixtures/save',
    faces: ['rest', 'cli'],
    localOnly: true,
    status: 201,
    summary: 'Save an input of a function below fixtures/; nothing is overwritten',
    errors: ['app_unknown', 'function_not_found', 'fixture_unsavable'],
    withoutSeed: true,
    relay: 'local',
  },
} as const satisfies Record<string, Operation>;
