import { list, type Operation, write } from '../row.ts';

/** Work that goes on in the background. */
export const jobOperations = {
  'methods.enqueue': {
    ...write,
    by: 'machine',
    fact: 'contract 8',
    route: 'POST /jobs',
    faces: ['rest', 'sdk', 'cli'],
    status: 202,
    summary: 'Call a Server Side Method of the app later, in the background, with retries',
    errors: ['function_not_found', 'function_type_mismatch', 'body_too_large', 'loop_detected'],
  },
  'jobs.list': {
    ...list,
    fact: 'contract 8',
    route: 'GET /jobs',
    faces: ['rest', 'cli'],
    summary: 'List what runs later, newest first: background calls, deliveries, schedules, waits',
  },
  'jobs.show': {
    ...list,
    fact: 'contract 8',
    route: 'GET /jobs/:id',
    faces: ['rest', 'cli'],
    summary: 'Show a job with what it carries and how its last try ended',
    errors: ['job_not_found'],
  },
  'jobs.cancel': {
    ...write,
    fact: 'contract 8',
    route: 'POST /jobs/:id/cancel',
    faces: ['rest', 'cli'],
    summary: 'Cancel a background call that has not begun, or waits to be tried again',
    errors: ['job_not_found', 'job_running', 'job_not_cancellable'],
  },
} as const satisfies Record<string, Operation>;
