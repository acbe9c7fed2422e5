import { type Operation, write } from '../row.ts';

/** The Session Link app: direct links to conversations. */
export const sessionOperations = {
  'sessions.link': {
    ...write,
    by: 'machine',
    fact: 'spec 4.4: purpose and rules are stated, path and shape are assumed',
    route: 'POST /custom-functions/session-link-app/api/session/link.js',
    faces: ['rest', 'sdk', 'cli'],
    summary: 'Get the direct link to a customer’s conversation, creating customer and conversation if necessary',
    changes: [{ of: 'customer', by: { phone: 'phone', email: 'email' }, path: 'assignee', if: 'assign' }],
    errors: [
      'app_not_installed',
      'recipient_invalid',
      'customer_ambiguous',
      'channel_not_found',
      'channel_disconnected',
      'channel_unreachable',
      'agent_not_found',
      'workgroup_not_found',
    ],
    emits: ['customer.created', 'conversation.created', 'conversation.reopened', 'conversation.assigned'],
    needs: { conversationId: 'text', url: 'text' },
    relay: 'simulated',
    builtIn: { app: 'session-link-app', name: 'api/session/link' },
  },
} as const satisfies Record<string, Operation>;
