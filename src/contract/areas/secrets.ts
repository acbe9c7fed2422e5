import { admin, list, type Operation } from '../row.ts';

/** Secrets of apps. */
export const secretOperations = {
  'secrets.list': {
    ...list,
    route: 'GET /apps/:app/secrets',
    faces: ['rest', 'cli'],
    summary: 'List the names of an app’s secrets',
    relay: 'local',
  },
  'secrets.set': {
    ...admin,
    scope: 'deploy',
    route: 'PUT /apps/:app/secrets/:name',
    faces: ['rest', 'cli'],
    summary: 'Set a secret; its value is never returned',
    relay: 'local',
    followUp: true,
  },
  'secrets.delete': {
    ...admin,
    scope: 'deploy',
    route: 'DELETE /apps/:app/secrets/:name',
    faces: ['rest', 'cli'],
    summary: 'Delete a secret',
    errors: ['secret_not_found'],
    repeat: 'missing-is-done',
    relay: 'local',
  },
  'secrets.get': {
    ...list,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Read a secret of this app',
    followUp: true,
    declaredIn: 'secrets',
    recorded: 'name-only',
  },
} as const satisfies Record<string, Operation>;
