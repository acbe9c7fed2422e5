import { list, type Operation, write } from '../row.ts';
import { messageOperations } from './messages.ts';

/** The built-in Template API app does exactly what this operation does. */
const sending = messageOperations['messages.sendTemplate'];

/** Message templates: the Template API app (built-in custom functions serve these paths) and what it is made of. */
export const templateOperations = {
  'templates.send': {
    ...write,
    scope: 'send',
    by: 'machine',
    source: 'documented',
    fact: 'spec 4.1',
    route: 'POST /custom-functions/template-app/api/template/send.js',
    faces: ['rest', 'sdk', 'cli'],
    summary: 'Send an approved message template to a number',
    changes: [
      { of: 'customer', by: { phone: 'to' }, path: 'messages' },
      { of: 'customer', by: { phone: 'to' }, path: 'assignee', if: 'assign' },
    ],
    errors: ['app_not_installed', ...sending.errors],
    emits: sending.emits,
    needs: { conversationId: 'text', conversationUrl: 'text' },
    relay: 'simulated',
    builtIn: { app: 'template-app', name: 'api/template/send' },
  },
  'templates.list': {
    ...list,
    by: 'machine',
    source: 'documented',
    fact: 'spec 4.2',
    route: 'GET /custom-functions/template-app/api/template/list.js',
    faces: ['rest', 'sdk', 'client', 'cli'],
    summary: 'List the approved message templates',
    errors: ['app_not_installed'],
    builtIn: { app: 'template-app', name: 'api/template/list' },
  },
  'templates.uploadCredentials': {
    ...write,
    scope: 'send',
    by: 'machine',
    fact: 'spec 4.3: the operation is stated, its path and shape are assumed',
    route: 'POST /custom-functions/template-app/api/template/upload-credentials.js',
    faces: ['rest', 'sdk', 'cli'],
    status: 201,
    summary: 'Get credentials for one upload of template header media',
    errors: ['app_not_installed', 'media_type_unsupported', 'media_too_large'],
    needs: { mediaId: 'text', uploadUrl: 'text' },
    repeat: 'harmless',
    builtIn: { app: 'template-app', name: 'api/template/upload-credentials' },
  },
  'messageTemplates.list': {
    ...list,
    fact: 'spec 4.2: the primitive behind the Template API app',
    route: null,
    faces: ['sdk'],
    onlyApp: 'template-app',
    summary: 'Read the approved message templates',
  },
} as const satisfies Record<string, Operation>;
