import { list, type Operation, write } from '../row.ts';

/** What the team writes about a conversation; the customer never sees it. */
export const noteOperations = {
  'notes.add': {
    ...write,
    fact: 'contract 8',
    route: 'POST /conversations/:conversationId/notes',
    faces: ['rest', 'sdk', 'cli'],
    status: 201,
    summary: 'Write a note on a conversation, which the customer never sees',
    changes: [{ of: 'conversation', by: { id: 'conversationId' }, path: 'notes' }],
    errors: ['conversation_not_found'],
    emits: ['note.created'],
  },
  'notes.list': {
    ...list,
    fact: 'contract 8',
    route: 'GET /conversations/:conversationId/notes',
    faces: ['rest', 'sdk', 'client', 'cli'],
    summary: 'List the notes of a conversation, oldest first',
    errors: ['conversation_not_found'],
  },
} as const satisfies Record<string, Operation>;
