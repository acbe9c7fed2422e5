import { list, type Operation } from '../row.ts';

/** The team: human agents and their workgroups. */
export const agentOperations = {
  'agents.list': { ...list, route: 'GET /agents', faces: ['rest', 'sdk', 'client'], summary: 'List the human agents' },
  'workgroups.list': {
    ...list,
    route: 'GET /workgroups',
    faces: ['rest', 'sdk', 'client'],
    summary: 'List the workgroups',
  },
} as const satisfies Record<string, Operation>;
