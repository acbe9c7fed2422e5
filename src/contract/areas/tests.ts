import { type Operation, write } from '../row.ts';

/** Tests that are written from what happened, in the folder of an app in development. */
export const testOperations = {
  'tests.save': {
    ...write,
    by: 'machine',
    fact: 'contract 1',
    route: 'POST /_local/tests/save',
    faces: ['rest', 'cli'],
    localOnly: true,
    status: 201,
    summary: 'Save a conversation as a test below test/; nothing is overwritten',
    errors: ['conversation_not_found', 'test_unsavable'],
    withoutSeed: true,
    relay: 'local',
  },
} as const satisfies Record<string, Operation>;
