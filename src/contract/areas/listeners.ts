import { list, type Operation, write } from '../row.ts';

/** Named subscriptions of developers' machines, with a cursor in the workspace (durable 3). */
const listener = { ...write, scope: 'read', fact: 'contract 8', faces: ['rest', 'cli'] } as const;

export const listenerOperations = {
  'listeners.list': {
    ...list,
    fact: 'contract 8',
    route: 'GET /listeners',
    faces: ['rest', 'cli'],
    summary: 'List listeners',
  },
  'listeners.open': {
    ...listener,
    route: 'POST /listeners',
    summary: 'Open a listener by its name, new or where it stopped, and say what it has missed',
    errors: ['event_unknown', 'webhook_limit'],
  },
  'listeners.stream': {
    ...listener,
    effect: 'read',
    by: 'machine',
    route: 'GET /listeners/:id/stream',
    summary: 'Follow a listener’s events from its cursor on, and what is sent to it again, as an event stream',
    errors: ['listener_not_found', 'cursor_expired'],
    eventStream: 'only',
  },
  'listeners.ack': {
    ...listener,
    route: 'POST /listeners/:id/ack',
    summary: 'Move a listener’s cursor on, and record what became of its events',
    errors: ['listener_not_found', 'event_not_found'],
  },
  'listeners.remove': {
    ...listener,
    route: 'DELETE /listeners/:id',
    summary: 'Remove a listener and its cursor',
    errors: ['listener_not_found'],
  },
} as const satisfies Record<string, Operation>;
