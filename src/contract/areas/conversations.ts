import { list, type Operation, write } from '../row.ts';

/** Conversations of every channel. */
export const conversationOperations = {
  'conversations.list': {
    ...list,
    route: 'GET /conversations',
    faces: ['rest', 'sdk', 'client'],
    summary: 'List the conversations of the inbox, most recent activity first',
  },
  'conversations.get': {
    ...list,
    route: 'GET /conversations/:id',
    faces: ['rest', 'sdk', 'client'],
    summary: 'Read a conversation with its direct link',
    errors: ['conversation_not_found'],
    versioned: true,
  },
  'conversations.assign': {
    ...write,
    route: 'POST /conversations/:id/assign',
    faces: ['rest', 'sdk'],
    summary: 'Assign a conversation to an agent (by id or e-mail), a workgroup, or nobody',
    errors: ['conversation_not_found', 'agent_not_found', 'workgroup_not_found', 'version_conflict'],
    emits: ['conversation.assigned', 'conversation.unassigned'],
    versioned: true,
  },
  'conversations.close': {
    ...write,
    route: 'POST /conversations/:id/close',
    faces: ['rest', 'sdk'],
    summary: 'Close a conversation',
    errors: ['conversation_not_found', 'version_conflict'],
    emits: ['conversation.closed'],
    versioned: true,
  },
  'conversations.reopen': {
    ...write,
    route: 'POST /conversations/:id/reopen',
    faces: ['rest', 'sdk'],
    summary: 'Reopen a closed conversation',
    errors: ['conversation_not_found', 'version_conflict'],
    emits: ['conversation.reopened'],
    versioned: true,
  },
  'conversations.link': {
    ...write,
    fact: 'spec 4.4: the atomic primitive behind the Session Link app',
    route: null,
    faces: ['sdk'],
    onlyApp: 'session-link-app',
    summary: 'Find or create customer and conversation, assign it, and return the direct link',
    errors: [
      'recipient_invalid',
      'customer_ambiguous',
      'channel_not_found',
      'channel_disconnected',
      'channel_unreachable',
      'agent_not_found',
      'workgroup_not_found',
    ],
    emits: ['customer.created', 'conversation.created', 'conversation.reopened', 'conversation.assigned'],
  },
} as const satisfies Record<string, Operation>;
