import type { ErrorCode } from './error-codes.ts';
import type { EventKind } from './events.ts';

/** Who may reach an operation, and how: over HTTP, from a function, from a Custom View, by a command of its own. */
export type Face = 'rest' | 'sdk' | 'client' | 'cli';

/** What a token must be allowed to do. `admin` includes the others; an app's functions have all but `admin`. */
export type Scope = 'read' | 'write' | 'send' | 'deploy' | 'admin';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One thing a workspace can do: a row here, a shape in `shapes/`, a handler, and every face follows. */
export interface Operation {
  /** Method and path below `/api/<slug>`; `:name` is one segment, percent-encoded. Without: not on the wire. */
  readonly route: `${Method} /${string}` | null;
  /** `documented`: stated by the platform's developer interface. `assumed`: our decision; a profile may override its route. */
  readonly source: 'documented' | 'assumed';
  /** Where the fact comes from: a section of the developer interface, or of docs/platform. */
  readonly fact: string;
  readonly faces: readonly Face[];
  readonly scope: Scope;
  readonly effect: 'read' | 'write';
  /** `state`: a handler on the database. `machine`: it needs a sandbox, a stream or the clock, so the emulator does it. */
  readonly by: 'state' | 'machine';
  /** One sentence for help and reference. */
  readonly summary: string;
  /** Refusals beyond the common ones (token, scope, input, limits). */
  readonly errors?: readonly ErrorCode[];
  readonly emits?: readonly EventKind[];
  /** Status of success; 200 unless said. */
  readonly status?: 201 | 202 | 204;
  /** Only functions of this app may call it. */
  readonly onlyApp?: string;
  /** Exists in a local workspace only. */
  readonly localOnly?: true;
  /** The request body is bytes, not JSON. */
  readonly rawBody?: true;
  /** What is replaced has a version: `ETag` on answers, `If-Match` honoured. */
  readonly versioned?: true;
}

const list = { scope: 'read', effect: 'read', by: 'state', source: 'assumed', fact: 'contract 4' } as const;
const write = { scope: 'write', effect: 'write', by: 'state', source: 'assumed', fact: 'contract 4' } as const;
const deploy = { ...write, scope: 'deploy', fact: 'contract 6' } as const;
const admin = { ...write, scope: 'admin' } as const;

/** The platform as a table. Data only: one-line commands load it. */
export const operations = {
  // The workspace itself
  'workspace.show': {
    ...list,
    route: 'GET /workspace',
    faces: ['rest', 'sdk', 'client', 'cli'],
    summary: 'Show the workspace and the token that asks',
  },

  // Customers: identified by a phone number or an e-mail address (spec 2)
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
    versioned: true,
  },
  'customers.findOrCreate': {
    ...write,
    fact: 'spec 2: identified by a phone number or an e-mail address',
    route: 'POST /customers',
    faces: ['rest', 'sdk'],
    summary: 'Find the customer with a phone number or an e-mail address, or create it',
    errors: ['recipient_invalid', 'customer_ambiguous'],
    emits: ['customer.created'],
  },
  'customers.update': {
    ...write,
    route: 'PATCH /customers/:id',
    faces: ['rest', 'sdk'],
    summary: 'Change fields of a customer',
    errors: ['customer_not_found', 'recipient_invalid', 'customer_exists', 'version_conflict'],
    emits: ['customer.updated'],
    versioned: true,
  },

  // Conversations
  'conversations.list': {
    ...list,
    route: 'GET /conversations',
    faces: ['rest', 'sdk', 'client'],
    summary: 'List conversations of the inbox, the one with the newest activity first',
  },
  'conversations.get': {
    ...list,
    route: 'GET /conversations/:id',
    faces: ['rest', 'sdk', 'client'],
    summary: 'Read a conversation with its direct link',
    errors: ['conversation_not_found'],
    versioned: true,
  },
  'conversations.assign': {
    ...write,
    route: 'POST /conversations/:id/assign',
    faces: ['rest', 'sdk'],
    summary: 'Assign a conversation to an agent (by id or e-mail) or a workgroup, or to nobody',
    errors: ['conversation_not_found', 'agent_not_found', 'workgroup_not_found', 'version_conflict'],
    emits: ['conversation.assigned', 'conversation.unassigned'],
    versioned: true,
  },
  'conversations.close': {
    ...write,
    route: 'POST /conversations/:id/close',
    faces: ['rest', 'sdk'],
    summary: 'Close a conversation',
    errors: ['conversation_not_found', 'version_conflict'],
    emits: ['conversation.closed'],
    versioned: true,
  },
  'conversations.reopen': {
    ...write,
    route: 'POST /conversations/:id/reopen',
    faces: ['rest', 'sdk'],
    summary: 'Reopen a closed conversation',
    errors: ['conversation_not_found', 'version_conflict'],
    emits: ['conversation.reopened'],
    versioned: true,
  },
  'conversations.link': {
    ...write,
    fact: 'spec 4.4: the atomic primitive behind the Session Link app',
    route: null,
    faces: ['sdk'],
    onlyApp: 'session-link-app',
    summary: 'Find or create customer and conversation, assign it, and return the direct link',
    errors: [
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

  // Messages
  'messages.list': {
    ...list,
    route: 'GET /conversations/:conversationId/messages',
    faces: ['rest', 'sdk', 'client'],
    summary: 'List the messages of a conversation, oldest first',
    errors: ['conversation_not_found'],
  },
  'messages.send': {
    ...write,
    scope: 'send',
    route: 'POST /conversations/:conversationId/messages',
    faces: ['rest', 'sdk'],
    status: 201,
    summary: 'Send a message to the customer of a conversation',
    errors: ['conversation_not_found', 'conversation_closed', 'media_not_found', 'channel_disconnected'],
    emits: ['message.sent'],
  },
  'messages.sendTemplate': {
    ...write,
    scope: 'send',
    fact: 'spec 4.1: the atomic primitive behind the Template API app',
    route: null,
    faces: ['sdk'],
    onlyApp: 'template-app',
    summary: 'Find or create customer and conversation, check the template and its variables, and send: all or nothing',
    errors: [
      'recipient_invalid',
      'template_not_found',
      'template_not_approved',
      'template_language_unknown',
      'variables_invalid',
      'variable_missing',
      'media_not_found',
      'channel_unreachable',
      'agent_not_found',
      'workgroup_not_found',
    ],
    emits: [
      'customer.created',
      'conversation.created',
      'conversation.reopened',
      'conversation.assigned',
      'message.sent',
      'template.sent',
    ],
  },
  'messages.receive': {
    ...write,
    route: 'POST /_local/messages/receive',
    faces: ['rest', 'cli'],
    localOnly: true,
    status: 201,
    fact: 'spec 4.1: when the customer replies, the conversation appears in the inbox',
    summary: 'Write to the workspace as a customer would',
    errors: [
      'recipient_invalid',
      'customer_ambiguous',
      'conversation_not_found',
      'channel_not_found',
      'channel_disconnected',
      'channel_unreachable',
    ],
    emits: ['message.received', 'customer.created', 'conversation.created', 'conversation.reopened'],
  },

  // The team and the channels
  'agents.list': { ...list, route: 'GET /agents', faces: ['rest', 'sdk', 'client'], summary: 'List the human agents' },
  'workgroups.list': {
    ...list,
    route: 'GET /workgroups',
    faces: ['rest', 'sdk', 'client'],
    summary: 'List the workgroups',
  },
  'channels.list': {
    ...list,
    route: 'GET /channels',
    faces: ['rest', 'sdk', 'client', 'cli'],
    summary: 'List the channels, connected or not',
  },
  'channels.connect': {
    ...admin,
    fact: 'spec 1: getting started (2)',
    route: 'POST /channels',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Connect a channel',
    errors: ['channel_exists'],
    emits: ['channel.connected'],
  },
  'channels.disconnect': {
    ...admin,
    route: 'DELETE /channels/:id',
    faces: ['rest', 'cli'],
    summary: 'Disconnect a channel; its conversations stay',
    errors: ['channel_not_found'],
    emits: ['channel.disconnected'],
  },

  // The Template API app (custom functions of ours behind these paths)
  'templates.send': {
    ...write,
    scope: 'send',
    by: 'machine',
    source: 'documented',
    fact: 'spec 4.1',
    route: 'POST /custom-functions/template-app/api/template/send.js',
    faces: ['rest', 'sdk', 'cli'],
    summary: 'Send an approved message template to a number',
    errors: [
      'app_not_installed',
      'recipient_invalid',
      'template_not_found',
      'template_not_approved',
      'template_language_unknown',
      'variables_invalid',
      'variable_missing',
      'media_not_found',
      'channel_unreachable',
      'agent_not_found',
      'workgroup_not_found',
    ],
    emits: [
      'customer.created',
      'conversation.created',
      'conversation.reopened',
      'conversation.assigned',
      'message.sent',
      'template.sent',
    ],
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
    summary: 'Get credentials to upload the media of a template header once',
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
    summary: 'Make upload credentials',
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
    summary: 'Upload the bytes that credentials were given for',
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
    errors: ['media_not_found'],
  },

  // The Session Link app
  'sessions.link': {
    ...write,
    by: 'machine',
    fact: 'spec 4.4: purpose and rules are stated, path and shape are assumed',
    route: 'POST /custom-functions/session-link-app/api/session/link.js',
    faces: ['rest', 'sdk', 'cli'],
    summary: 'Get the direct link to the conversation of a customer, creating what is missing',
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

  // Custom functions
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
  'invocations.list': {
    ...list,
    fact: 'contract 7',
    route: 'GET /invocations',
    faces: ['rest', 'cli'],
    summary: 'List invocations, newest first',
  },
  'invocations.show': {
    ...list,
    fact: 'contract 7',
    route: 'GET /invocations/:id',
    faces: ['rest', 'cli'],
    summary: 'Show an invocation with input, result, logs and calls',
    errors: ['invocation_not_found'],
  },

  // Deployments
  'deployments.list': {
    ...list,
    fact: 'contract 6',
    route: 'GET /apps/:app/deployments',
    faces: ['rest', 'cli'],
    summary: 'List the deployments of an app, newest first, and which one is live',
  },
  'deployments.show': {
    ...list,
    fact: 'contract 6',
    route: 'GET /apps/:app/deployments/:id',
    faces: ['rest', 'cli'],
    summary: 'Show a deployment with its manifest; the id `live` is the live one',
    errors: ['deployment_not_found'],
    versioned: true,
  },
  'deployments.create': {
    ...deploy,
    route: 'POST /apps/:app/deployments',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Announce a complete manifest; the answer names the files that are missing',
    errors: ['deployment_older', 'version_conflict', 'secrets_missing'],
  },
  'deployments.putFile': {
    ...deploy,
    by: 'machine',
    route: 'PUT /apps/:app/deployments/:id/files/:sha256',
    faces: ['rest'],
    rawBody: true,
    summary: 'Upload one missing file under its hash',
    errors: ['deployment_not_found', 'deployment_expired', 'file_hash_mismatch', 'file_unexpected', 'body_too_large'],
  },
  'deployments.getFile': {
    ...list,
    by: 'machine',
    fact: 'contract 6',
    route: 'GET /apps/:app/deployments/:id/files/:sha256',
    faces: ['rest', 'cli'],
    summary: 'Download a file of a deployment',
    errors: ['deployment_not_found', 'file_not_found'],
  },
  'deployments.activate': {
    ...deploy,
    by: 'machine',
    route: 'POST /apps/:app/deployments/:id/activate',
    faces: ['rest', 'cli'],
    summary: 'Switch all functions of an app to a deployment at once',
    errors: [
      'deployment_not_found',
      'deployment_incomplete',
      'deployment_expired',
      'version_conflict',
      'deployment_older',
    ],
    emits: ['function.deployed'],
    versioned: true,
  },
  'deployments.rollback': {
    ...deploy,
    by: 'machine',
    route: 'POST /apps/:app/rollback',
    faces: ['rest', 'cli'],
    summary: 'Make an older deployment live again',
    errors: ['deployment_not_found', 'version_conflict', 'app_unknown'],
    emits: ['function.deployed'],
    versioned: true,
  },

  // Apps
  'apps.list': {
    ...list,
    route: 'GET /apps',
    faces: ['rest', 'cli'],
    summary: 'List apps and whether they are installed',
  },
  'apps.install': {
    ...admin,
    by: 'machine',
    route: 'POST /apps/:app/install',
    faces: ['rest', 'cli'],
    summary: 'Install an app (runs its Custom App Setup), or update its settings',
    errors: ['app_unknown', 'settings_invalid', 'setup_failed'],
    emits: ['app.installed'],
  },
  'apps.uninstall': {
    ...admin,
    by: 'machine',
    route: 'POST /apps/:app/uninstall',
    faces: ['rest', 'cli'],
    summary: 'Uninstall an app (runs its Custom App Setup)',
    errors: ['app_unknown', 'app_not_installed', 'setup_failed'],
    emits: ['app.uninstalled'],
  },

  // What an app keeps
  'secrets.list': {
    ...list,
    route: 'GET /apps/:app/secrets',
    faces: ['rest', 'cli'],
    summary: 'List the names of an app’s secrets',
  },
  'secrets.set': {
    ...admin,
    scope: 'deploy',
    route: 'PUT /apps/:app/secrets/:name',
    faces: ['rest', 'cli'],
    summary: 'Set a secret; its value never comes back',
  },
  'secrets.delete': {
    ...admin,
    scope: 'deploy',
    route: 'DELETE /apps/:app/secrets/:name',
    faces: ['rest', 'cli'],
    summary: 'Delete a secret',
    errors: ['secret_not_found'],
  },
  'secrets.get': { ...list, fact: 'contract 2', route: null, faces: ['sdk'], summary: 'Read a secret of this app' },
  'vars.list': { ...list, route: 'GET /apps/:app/vars', faces: ['rest', 'sdk'], summary: 'List an app’s variables' },
  'vars.get': {
    ...list,
    route: 'GET /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Read a variable of an app',
    errors: ['var_not_found'],
  },
  'vars.set': {
    ...write,
    route: 'PUT /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Set a variable of an app',
  },
  'vars.delete': {
    ...write,
    route: 'DELETE /apps/:app/vars/:name',
    faces: ['rest', 'sdk'],
    summary: 'Delete a variable of an app',
    errors: ['var_not_found'],
  },
  'store.get': {
    ...list,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Read a value of this app’s store',
  },
  'store.list': {
    ...list,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'List keys and values of this app’s store',
  },
  'store.set': {
    ...write,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Keep a value in this app’s store, for ever or for a time',
    errors: ['store_full', 'store_value_too_large'],
  },
  'store.delete': {
    ...write,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Delete a value of this app’s store',
  },
  'store.increment': {
    ...write,
    fact: 'contract 2',
    route: null,
    faces: ['sdk'],
    summary: 'Add to a number in this app’s store, atomically',
    errors: ['store_not_a_number', 'store_full'],
  },

  // API tokens (spec 2, 5)
  'tokens.list': {
    ...admin,
    effect: 'read',
    route: 'GET /tokens',
    faces: ['rest', 'cli'],
    summary: 'List API tokens, never their values',
  },
  'tokens.create': {
    ...admin,
    fact: 'spec 2: displayed once at creation',
    route: 'POST /tokens',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Create an API token; its value is shown once',
  },
  'tokens.revoke': {
    ...admin,
    route: 'DELETE /tokens/:id',
    faces: ['rest', 'cli'],
    summary: 'Revoke an API token at once',
    errors: ['token_not_found'],
  },

  // Development Packs (spec 1, 9: prepaid days that never expire and can be combined)
  'packs.list': {
    ...list,
    fact: 'spec 1 (9)',
    route: 'GET /development-packs',
    faces: ['rest', 'cli'],
    summary: 'List Development Packs',
  },
  'packs.balance': {
    ...list,
    fact: 'spec 1 (9)',
    route: 'GET /development-packs/balance',
    faces: ['rest', 'cli'],
    summary: 'Show the days left in all packs together',
  },
  'packs.history': {
    ...list,
    route: 'GET /development-packs/history',
    faces: ['rest', 'cli'],
    summary: 'List what was added and used, newest first',
  },
  'packs.add': {
    ...admin,
    fact: 'spec 1 (9)',
    route: 'POST /development-packs',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Add a pack of prepaid days',
  },
  'packs.use': {
    ...admin,
    fact: 'spec 1 (9)',
    route: 'POST /development-packs/use',
    faces: ['rest', 'cli'],
    status: 201,
    summary: 'Book days of work, taken from the oldest pack first',
    errors: ['pack_days_insufficient'],
  },

  // The local workspace
  'clock.show': {
    ...list,
    route: 'GET /_local/clock',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Show the workspace clock',
  },
  'clock.set': {
    ...admin,
    by: 'machine',
    route: 'PUT /_local/clock',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Set the workspace clock',
  },
  'clock.advance': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/clock/advance',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Move the workspace clock on; each job that falls due fires once',
  },
  'workspace.openUrl': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/open',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Make an address that signs a browser in, once and within ten minutes',
  },
  'workspace.reset': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/workspace/reset',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Empty the workspace and seed it anew',
  },
  'workspace.export': {
    ...admin,
    effect: 'read',
    route: 'GET /_local/workspace/export',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Write the workspace as a seed',
  },
  'workspace.import': {
    ...admin,
    by: 'machine',
    route: 'POST /_local/workspace/import',
    faces: ['rest', 'cli'],
    localOnly: true,
    summary: 'Add what a seed describes to the workspace',
    errors: ['seed_invalid'],
  },
} as const satisfies Record<string, Operation>;

/** The name of an operation: area, a full stop, a verb. */
export type OperationName = keyof typeof operations;

type NamesWhere<Property extends keyof Operation, Value> = {
  [N in OperationName]: (typeof operations)[N] extends Record<Property, Value> ? N : never;
}[OperationName];

/** Operations that a handler on the database carries out. */
export type StateOperation = NamesWhere<'by', 'state'>;
/** Operations that need a machine: a sandbox, a stream, the clock. */
export type MachineOperation = NamesWhere<'by', 'machine'>;

/** A row of the table with its optional columns. */
export function operationOf(name: OperationName): Operation {
  return operations[name];
}

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

export const operationNames = Object.keys(operations) as OperationName[];
