import { list, type Operation, write } from '../row.ts';

/** Variables of apps. */
export const variableOperations = {
  'vars.list': {
    ...list,
    route: 'GET /apps/:app/vars',
    faces: ['rest', 'sdk'],
    summary: 'List an app’s variables',
    relay: 'local',
  },
  'vars.get': {
    ...list,
    route: 'GET /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Read a variable of an app',
    errors: ['var_not_found'],
    versioned: 'content',
    relay: 'local',
  },
  'vars.set': {
    ...write,
    route: 'PUT /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Set a variable of an app',
    errors: ['version_conflict'],
    versioned: 'content',
    needs: { name: 'text', value: 'any' },
    relay: 'local',
  },
  'vars.delete': {
    ...write,
    route: 'DELETE /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Delete a variable of an app',
    errors: ['var_not_found', 'version_conflict'],
    versioned: 'content',
    repeat: 'missing-is-done',
    relay: 'local',
  },
} as const satisfies Record<string, Operation>;
