import { list, type Operation, write } from '../row.ts';

/** Custom functions. */
export const functionOperations = {
  'functions.list': {
    ...list,
    by: 'machine',
    route: 'GET /apps/:app/functions',
    faces: ['rest', 'cli'],
    summary: 'List the live functions of an app',
    errors: ['app_unknown'],
  },
  'functions.show': {
    ...list,
    by: 'machine',
    route: 'GET /apps/:app/functions/:name',
    faces: ['rest', 'cli'],
    summary: 'Show a function with its config',
    errors: ['app_unknown', 'function_not_found'],
  },
  'functions.invoke': {
    ...write,
    by: 'machine',
    route: 'POST /apps/:app/functions/:name/invoke',
    faces: ['rest', 'cli'],
    summary: 'Invoke a function of any type once',
    errors: [
      'app_unknown',
      'function_not_found',
      'function_failed',
      'function_timeout',
      'function_memory',
      'function_crashed',
      'result_too_large',
      'function_busy',
    ],
    emits: ['function.invoked', 'function.failed'],
  },
  'functions.logs': {
    ...list,
    route: 'GET /apps/:app/logs',
    faces: ['rest', 'cli'],
    summary: 'Read log lines of an app’s functions in the order written; also as an event stream',
    errors: ['app_unknown'],
  },
  'methods.call': {
    ...write,
    by: 'machine',
    fact: 'contract 2',
    route: null,
    faces: ['sdk', 'client'],
    summary: 'Call another Server Side Method of the same app',
    errors: ['function_not_found', 'function_failed', 'function_timeout'],
  },
} as const satisfies Record<string, Operation>;
