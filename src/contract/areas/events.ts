import { list, type Operation, write } from '../row.ts';

/** What happened in the workspace. */
export const eventOperations = {
  'events.list': {
    ...list,
    fact: 'contract 8',
    route: 'GET /events',
    faces: ['rest', 'cli'],
    summary: 'List events, oldest first; filter by kind and conversation',
    errors: ['cursor_expired', 'event_unknown'],
  },
  'events.show': {
    ...list,
    fact: 'contract 8',
    route: 'GET /events/:id',
    faces: ['rest', 'cli'],
    summary: 'Show an event with what it carries',
    errors: ['event_not_found'],
  },
  'events.stream': {
    ...list,
    fact: 'contract 8',
    by: 'machine',
    route: 'GET /events/stream',
    faces: ['rest', 'cli'],
    summary: 'Follow the events as they happen, from a cursor on, as an event stream',
    errors: ['cursor_expired', 'event_unknown'],
    eventStream: 'only',
  },
  'events.trigger': {
    ...write,
    fact: 'contract 8',
    route: 'POST /_local/events',
    status: 201,
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Write an example of an event, marked `synthetic`, to try out what receives it',
    errors: ['event_unknown'],
  },
} as const satisfies Record<string, Operation>;
