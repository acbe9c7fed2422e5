import { admin, list, type Operation } from '../row.ts';

/** Endpoints: where events are delivered to, and what went there (durable 3). */
const endpoints = { ...admin, fact: 'contract 8', faces: ['rest', 'cli'] } as const;

export const webhookOperations = {
  'webhooks.list': {
    ...list,
    fact: 'contract 8',
    route: 'GET /webhooks',
    faces: ['rest', 'cli'],
    summary: 'List webhook endpoints, never their secrets',
  },
  'webhooks.show': {
    ...list,
    fact: 'contract 8',
    route: 'GET /webhooks/:id',
    faces: ['rest', 'cli'],
    summary: 'Show a webhook endpoint',
    errors: ['webhook_not_found'],
  },
  'webhooks.add': {
    ...endpoints,
    route: 'POST /webhooks',
    status: 201,
    sealed: true,
    firstCheck: true,
    needs: { id: 'text', events: 'list' },
    summary: 'Add a webhook endpoint: an address, or a function; its signing secret is shown once',
    errors: [
      'webhook_url_invalid',
      'webhook_url_insecure',
      'webhook_url_private',
      'webhook_exists',
      'webhook_limit',
      'event_unknown',
      'signing_secret_invalid',
      'app_unknown',
      'function_not_found',
      'function_type_mismatch',
    ],
  },
  'webhooks.update': {
    ...endpoints,
    route: 'PATCH /webhooks/:id',
    summary: 'Change a webhook endpoint, enable it or disable it',
    errors: [
      'webhook_not_found',
      'webhook_of_app',
      'webhook_url_invalid',
      'webhook_url_insecure',
      'webhook_url_private',
      'webhook_exists',
      'event_unknown',
    ],
    emits: ['webhookEndpoint.disabled'],
  },
  'webhooks.remove': {
    ...endpoints,
    route: 'DELETE /webhooks/:id',
    summary: 'Remove a webhook endpoint and what was delivered to it; nothing more is sent there',
    errors: ['webhook_not_found', 'webhook_of_app'],
  },
  'webhooks.rotateSecret': {
    ...endpoints,
    route: 'POST /webhooks/:id/rotate-secret',
    sealed: true,
    needs: { secret: 'text' },
    summary: 'Replace the signing secret; for 24 hours both sign. The new one is shown once',
    errors: ['webhook_not_found', 'webhook_unsigned', 'signing_secret_invalid'],
  },
  'webhooks.ping': {
    ...endpoints,
    route: 'POST /webhooks/:id/ping',
    summary: 'Send a webhook.ping to this endpoint only',
    errors: ['webhook_not_found', 'webhook_disabled'],
    emits: ['webhook.ping'],
  },
  'webhooks.recover': {
    ...endpoints,
    route: 'POST /webhooks/:id/recover',
    summary: 'Deliver what an endpoint has missed since a time: what failed, and what happened while it was disabled',
    errors: ['webhook_not_found', 'webhook_disabled'],
  },
} as const satisfies Record<string, Operation>;
