import { list, type Operation, write } from '../row.ts';

/** Customers: identified by a phone number or an e-mail address (spec 2). */
export const customerOperations = {
  'customers.list': {
    ...list,
    route: 'GET /customers',
    faces: ['rest', 'sdk', 'client'],
    summary: 'List customers, newest first',
  },
  'customers.find': {
    ...list,
    route: 'GET /customers/find',
    faces: ['rest', 'sdk', 'client'],
    summary: 'Find the customer with a phone number or an e-mail address',
    errors: ['customer_not_found', 'recipient_invalid', 'customer_ambiguous'],
  },
  'customers.get': {
    ...list,
    route: 'GET /customers/:id',
    faces: ['rest', 'sdk', 'client'],
    summary: 'Read a customer',
    errors: ['customer_not_found'],
    versioned: 'content',
  },
  'customers.findOrCreate': {
    ...write,
    fact: 'spec 2: identified by a phone number or an e-mail address',
    route: 'POST /customers',
    faces: ['rest', 'sdk'],
    summary: 'Find the customer with a phone number or an e-mail address, or create it',
    errors: ['recipient_invalid', 'customer_ambiguous'],
    emits: ['customer.created'],
    relay: 'simulated',
  },
  'customers.update': {
    ...write,
    route: 'PATCH /customers/:id',
    faces: ['rest', 'sdk'],
    summary: 'Change fields of a customer',
    changes: [{ of: 'customer', by: { id: 'id' }, path: 'customer.*' }],
    errors: ['customer_not_found', 'recipient_invalid', 'customer_exists', 'version_conflict'],
    emits: ['customer.updated'],
    versioned: 'content',
    relay: 'simulated',
  },
} as const satisfies Record<string, Operation>;
