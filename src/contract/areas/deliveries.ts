import { list, type Operation, write } from '../row.ts';

/** What was delivered to endpoints and listeners, with every attempt (durable 3). */
export const deliveryOperations = {
  'deliveries.list': {
    ...list,
    fact: 'contract 8',
    route: 'GET /deliveries',
    faces: ['rest', 'cli'],
    summary: 'List deliveries of events, newest first; filter by endpoint, event and state',
  },
  'deliveries.show': {
    ...list,
    fact: 'contract 8',
    route: 'GET /deliveries/:id',
    faces: ['rest', 'cli'],
    summary: 'Show a delivery with the bytes that were signed and every attempt',
    errors: ['delivery_not_found'],
  },
  'deliveries.resend': {
    ...write,
    fact: 'contract 8',
    route: 'POST /deliveries/resend',
    faces: ['rest', 'cli'],
    summary: 'Deliver again, with the same webhook-id: one delivery, an event, or all that failed since a time',
    errors: ['delivery_not_found', 'event_not_found', 'webhook_not_found', 'webhook_disabled', 'listener_not_found'],
  },
} as const satisfies Record<string, Operation>;
