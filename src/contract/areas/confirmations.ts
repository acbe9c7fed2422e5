import { list, type Operation, write } from '../row.ts';

/** Questions whether a tool may be called. */
export const confirmationOperations = {
  'confirmations.list': {
    ...list,
    fact: 'contract 9',
    route: 'GET /confirmations',
    faces: ['rest', 'cli', 'client'],
    summary: 'List the confirmations that were asked for, newest first',
    relay: 'local',
  },
  'confirmations.show': {
    ...list,
    fact: 'contract 9',
    route: 'GET /confirmations/:id',
    faces: ['rest', 'cli', 'client'],
    summary: 'Show a confirmation: while it is open, with all arguments; afterwards, with what came of the call',
    errors: ['confirmation_not_found'],
    relay: 'local',
  },
  'confirmations.answer': {
    ...write,
    by: 'machine',
    transaction: 'whole',
    fact: 'contract 9',
    route: 'POST /confirmations/:id/answer',
    faces: ['rest', 'cli', 'client'],
    summary: 'Allow or deny a call of a tool that waits for a person',
    errors: ['confirmation_not_found', 'confirmation_answered', 'confirmation_expired', 'tool_invalid_arguments'],
    emits: ['confirmation.answered', 'aiTool.failed'],
    relay: 'local',
  },
} as const satisfies Record<string, Operation>;
