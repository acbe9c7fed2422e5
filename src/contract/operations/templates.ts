import { peopleOperations } from './people.ts';
import { list, type Operation, write } from './row.ts';

/** The built-in Template API app does exactly what this operation does. */
const sending = peopleOperations['messages.sendTemplate'];

/** Templates, their media, and direct links: two built-in apps serve these paths. */
export const templateOperations = {
  // The Template API app (built-in custom functions serve these paths)
  'templates.send': {
    ...write,
    scope: 'send',
    by: 'machine',
    source: 'documented',
    fact: 'spec 4.1',
    route: 'POST /custom-functions/template-app/api/template/send.js',
    faces: ['rest', 'sdk', 'cli'],
    summary: 'Send an approved message template to a number',
    errors: ['app_not_installed', ...sending.errors],
    emits: sending.emits,
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
  },
  'messageTemplates.list': {
    ...list,
    fact: 'spec 4.2: the primitive behind the Template API app',
    route: null,
    faces: ['sdk'],
    onlyApp: 'template-app',
    summary: 'Read the approved message templates',
  },
  'media.createUpload': {
    ...write,
    scope: 'send',
    fact: 'spec 4.3: the primitive behind the Template API app',
    route: null,
    faces: ['sdk'],
    onlyApp: 'template-app',
    summary: 'Create upload credentials',
    errors: ['media_type_unsupported', 'media_too_large'],
  },
  'media.upload': {
    ...write,
    by: 'machine',
    scope: 'send',
    fact: 'spec 4.3: the PUT that follows; the signed address is the credential, no token is asked',
    route: 'PUT /media/:mediaId',
    faces: ['rest'],
    rawBody: true,
    summary: 'Upload the bytes, using upload credentials',
    errors: [
      'upload_credentials_invalid',
      'upload_credentials_expired',
      'upload_already_done',
      'media_too_large',
      'media_size_mismatch',
      'media_type_mismatch',
    ],
  },
  'media.get': {
    ...list,
    by: 'machine',
    route: 'GET /media/:mediaId',
    faces: ['rest'],
    summary: 'Download uploaded media',
    errors: ['file_not_found'],
  },

  // The Session Link app
  'sessions.link': {
    ...write,
    by: 'machine',
    fact: 'spec 4.4: purpose and rules are stated, path and shape are assumed',
    route: 'POST /custom-functions/session-link-app/api/session/link.js',
    faces: ['rest', 'sdk', 'cli'],
    summary: 'Get the direct link to a customer’s conversation, creating customer and conversation if necessary',
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
  },
} as const satisfies Record<string, Operation>;
