import { createHash } from 'node:crypto';
import type { OperationName } from '../../src/contract/index.ts';
import { WorkspaceError } from '../../src/std/index.ts';
import { type Functions, method } from './an-emulator.ts';

/** What the steps call. */
export const functions: Functions = {
  'api/call': method(
    `const { area, verb, input } = await sdk.request.json();
     try { return { output: await sdk[area][verb](input) }; }
     catch (error) { return { refused: { name: error.name, code: error.code, status: error.status } }; }`,
  ),
  'tools/echo': {
    config: {
      type: 'ai-tool',
      name: 'echo',
      description: 'Says it again',
      input: { type: 'object', properties: { say: { type: 'string' } } },
      permissions: { callers: { code: true } },
    },
    body: 'return sdk.tool.args;',
  },
  'tools/careful': {
    config: {
      type: 'ai-tool',
      name: 'careful',
      description: 'Needs a person',
      input: { type: 'object' },
      permissions: { callers: { code: true } },
      confirm: 'human',
    },
    body: 'return {};',
  },
  'api/hello': method('return { hello: (await sdk.request.json()).name };'),
};

/** One way to the same workspace. */
export type Face = (name: OperationName, input: Record<string, unknown>) => Promise<unknown>;

/** What earlier steps answered, by the name of the step. */
export type Known = Record<string, Record<string, string>>;
export type Step = readonly [label: string, name: OperationName, input: (known: Known) => Record<string, unknown>];

const code = '(async (register) => { register({ default: async () => 1 }); })';
const sha256 = createHash('sha256').update(code).digest('hex');
const manifest = [
  {
    path: 'api/one.js',
    type: 'server-side-method',
    config: { type: 'server-side-method' },
    sha256,
    bytes: code.length,
  },
];
const of = (known: Known, label: string, key = 'id') => known[label]?.[key] ?? `no ${label}.${key}`;

/** Every row with an address, the refusals that matter among them. Order counts. */
export const steps: readonly Step[] = [
  ['workspace', 'workspace.show', () => ({})],
  ['channels', 'channels.list', () => ({})],
  ['connected', 'channels.connect', () => ({ kind: 'sms', name: 'Texts' })],
  ['connected twice', 'channels.connect', () => ({ kind: 'sms', name: 'Texts' })],
  ['agents', 'agents.list', () => ({ limit: 2 })],
  ['workgroups', 'workgroups.list', () => ({})],
  ['customer', 'customers.findOrCreate', () => ({ phone: '+49 30 901820', name: 'Ann', fields: { vip: true } })],
  ['customer again', 'customers.findOrCreate', () => ({ phone: '+4930901820' })],
  ['bad phone', 'customers.findOrCreate', () => ({ phone: '12' })],
  ['no identity', 'customers.findOrCreate', () => ({ name: 'x' })],
  ['surplus', 'customers.findOrCreate', () => ({ phone: '+4930901820', shoe: 43 })],
  ['found', 'customers.find', () => ({ phone: '+4930901820' })],
  ['not found', 'customers.find', () => ({ email: 'nobody@example.org' })],
  ['got', 'customers.get', (known) => ({ id: of(known, 'customer') })],
  ['unknown', 'customers.get', () => ({ id: 'cus_00000000000000000000000000' })],
  [
    'updated',
    'customers.update',
    (known) => ({ id: of(known, 'customer'), email: 'ann@example.org', fields: { vip: null, shoe: 43 } }),
  ],
  ['customers', 'customers.list', () => ({ limit: 3 })],
  ['bad limit', 'customers.list', () => ({ limit: 500 })],
  ['bad cursor', 'customers.list', () => ({ cursor: 'nonsense' })],
  ['received', 'messages.receive', () => ({ phone: '+4930901820', text: 'Hello?' })],
  ['conversations', 'conversations.list', () => ({ limit: 1 })],
  ['conversation', 'conversations.get', (known) => ({ id: of(known, 'received', 'conversationId') })],
  [
    'sent',
    'messages.send',
    (known) => ({
      conversationId: of(known, 'received', 'conversationId'),
      text: 'Hi Ann',
      quickReplies: [{ id: 'y', title: 'Yes' }],
    }),
  ],
  ['read', 'messages.updateStatus', (known) => ({ id: of(known, 'sent'), status: 'read' })],
  ['no such message', 'messages.updateStatus', () => ({ id: 'msg_none', status: 'read' })],
  [
    'conversation updated',
    'conversations.update',
    (known) => ({ id: of(known, 'received', 'conversationId'), fields: { order: 'A-1' } }),
  ],
  ['tools', 'tools.list', () => ({})],
  ['tool', 'tools.show', () => ({ name: 'echo' })],
  ['no such tool', 'tools.show', () => ({ name: 'ecco' })],
  ['tool called', 'tools.call', () => ({ name: 'echo', arguments: { say: 'hi' } })],
  ['tool called wrongly', 'tools.call', () => ({ name: 'echo', arguments: { say: 3 } })],
  ['unknown tool called', 'tools.call', () => ({ name: 'ecco', arguments: {} })],
  ['confirmation needed', 'tools.call', () => ({ name: 'careful', arguments: {} })],
  ['confirmations', 'confirmations.list', () => ({ open: true })],
  ['confirmation', 'confirmations.show', (known) => ({ id: of(known, 'confirmation needed', 'confirmationId') })],
  [
    'denied',
    'confirmations.answer',
    (known) => ({ id: of(known, 'confirmation needed', 'confirmationId'), answer: 'deny', reason: 'No' }),
  ],
  [
    'answered twice',
    'confirmations.answer',
    (known) => ({ id: of(known, 'confirmation needed', 'confirmationId'), answer: 'allow' }),
  ],
  ['no such confirmation', 'confirmations.show', () => ({ id: 'cfm_none' })],
  ['note', 'notes.add', (known) => ({ conversationId: of(known, 'received', 'conversationId'), text: 'Called back' })],
  ['notes', 'notes.list', (known) => ({ conversationId: of(known, 'received', 'conversationId') })],
  ['empty message', 'messages.send', (known) => ({ conversationId: of(known, 'received', 'conversationId') })],
  ['messages', 'messages.list', (known) => ({ conversationId: of(known, 'received', 'conversationId') })],
  [
    'assigned to nobody known',
    'conversations.assign',
    (known) => ({ id: of(known, 'received', 'conversationId'), assign: { agentEmail: 'no@example.org' } }),
  ],
  [
    'assigned',
    'conversations.assign',
    (known) => ({
      id: of(known, 'received', 'conversationId'),
      assign: { workgroupId: of(known, 'workgroups', 'first') },
    }),
  ],
  ['closed', 'conversations.close', (known) => ({ id: of(known, 'received', 'conversationId') })],
  [
    'sent to a closed one',
    'messages.send',
    (known) => ({ conversationId: of(known, 'received', 'conversationId'), text: 'late' }),
  ],
  ['reopened', 'conversations.reopen', (known) => ({ id: of(known, 'received', 'conversationId') })],
  ['disconnected', 'channels.disconnect', (known) => ({ id: of(known, 'connected') })],
  ['templates', 'templates.list', () => ({ limit: 2 })],
  [
    'template',
    'templates.send',
    () => ({ to: '+4930901821', template: 'order_shipped', variables: { body: ['Ann', 'A-17'] } }),
  ],
  ['template without variables', 'templates.send', () => ({ to: '+4930901821', template: 'order_shipped' })],
  ['no template', 'templates.send', () => ({ to: '+4930901821', template: 'no_such' })],
  ['credentials', 'templates.uploadCredentials', () => ({ fileName: 'a.png', contentType: 'image/png', bytes: 3 })],
  [
    'bad media',
    'templates.uploadCredentials',
    () => ({ fileName: 'a.exe', contentType: 'application/x-msdownload', bytes: 3 }),
  ],
  ['link', 'sessions.link', () => ({ phone: '+4930901822', name: 'Ben' })],
  ['link again', 'sessions.link', () => ({ phone: '+4930901822' })],
  ['link to both', 'sessions.link', () => ({ phone: '+4930901822', email: 'ben@example.org' })],
  ['functions', 'functions.list', () => ({ app: 'shop' })],
  ['builds', 'builds.list', () => ({ app: 'shop' })],
  ['function', 'functions.show', () => ({ app: 'shop', name: 'api/hello' })],
  ['no function', 'functions.show', () => ({ app: 'shop', name: 'api/none' })],
  ['invoked', 'functions.invoke', () => ({ app: 'shop', name: 'api/hello', input: { name: 'Ann' } })],
  ['logs', 'functions.logs', () => ({ app: 'shop', function: 'api/hello' })],
  ['invocations', 'invocations.list', () => ({ app: 'shop', function: 'api/hello' })],
  ['invocation', 'invocations.show', (known) => ({ id: of(known, 'invoked', 'invocationId') })],
  ['called later', 'methods.enqueue', () => ({ app: 'shop', path: 'api/hello', delayMs: 86_400_000 })],
  ['no such method', 'methods.enqueue', () => ({ app: 'shop', path: 'api/none' })],
  ['flows', 'flows.list', () => ({})],
  ['flows checked', 'flows.check', () => ({})],
  ['no flow', 'flows.show', () => ({ id: 'none' })],
  ['no flow to run', 'flows.run', () => ({ id: 'none', input: { a: 1 } })],
  ['no flow to enable', 'flows.enable', () => ({ id: 'none' })],
  ['no flow to disable', 'flows.disable', () => ({ id: 'none' })],
  ['flow runs', 'flowRuns.list', () => ({ status: 'failed' })],
  ['no flow run', 'flowRuns.show', () => ({ id: 'flr_none' })],
  ['no flow run to cancel', 'flowRuns.cancel', () => ({ id: 'flr_none' })],
  ['no flow run to run again', 'flowRuns.rerun', () => ({ id: 'flr_none', from: 'a' })],
  ['jobs', 'jobs.list', () => ({ kind: 'invocation' })],
  ['job', 'jobs.show', (known) => ({ id: of(known, 'called later') })],
  ['job cancelled', 'jobs.cancel', (known) => ({ id: of(known, 'called later') })],
  ['no job', 'jobs.show', () => ({ id: 'job_none' })],
  ['events', 'events.list', () => ({ type: 'customer.created', limit: 1 })],
  ['no trace', 'traces.show', () => ({ id: 'evt_none' })],
  ['no event', 'events.show', () => ({ id: 'evt_none' })],
  ['no invocation', 'invocations.show', () => ({ id: 'inv_none' })],
  ['deployment', 'deployments.create', () => ({ app: 'till', baseVersion: null, manifest })],
  ['deployment shown', 'deployments.show', (known) => ({ app: 'till', id: of(known, 'deployment') })],
  ['activated too early', 'deployments.activate', (known) => ({ app: 'till', id: of(known, 'deployment') })],
  ['rolled back to nothing', 'deployments.rollback', () => ({ app: 'till' })],
  ['deployments', 'deployments.list', () => ({ app: 'till' })],
  ['installed', 'apps.install', () => ({ app: 'shop' })],
  ['apps', 'apps.list', () => ({})],
  ['uninstalled', 'apps.uninstall', () => ({ app: 'session-link-app' })],
  ['link without its app', 'sessions.link', () => ({ phone: '+4930901822' })],
  ['secret', 'secrets.set', () => ({ app: 'shop', name: 'KEY', value: 'abcdef' })],
  ['secrets', 'secrets.list', () => ({ app: 'shop' })],
  ['secret deleted', 'secrets.delete', () => ({ app: 'shop', name: 'KEY' })],
  ['secret gone', 'secrets.delete', () => ({ app: 'shop', name: 'KEY' })],
  ['var', 'vars.set', () => ({ app: 'shop', name: 'RATE', value: { eur: 1.5 } })],
  ['var read', 'vars.get', () => ({ app: 'shop', name: 'RATE' })],
  ['vars', 'vars.list', () => ({ app: 'shop' })],
  ['var deleted', 'vars.delete', () => ({ app: 'shop', name: 'RATE' })],
  ['var gone', 'vars.get', () => ({ app: 'shop', name: 'RATE' })],
  ['token made', 'tokens.create', () => ({ name: 'ci', scopes: ['deploy'] })],
  ['tokens', 'tokens.list', () => ({})],
  ['revoked', 'tokens.revoke', (known) => ({ id: of(known, 'token made') })],
  ['pack', 'packs.add', () => ({ days: 5, name: 'Five' })],
  ['used', 'packs.use', () => ({ days: 1.25, note: 'CRM' })],
  ['too many days', 'packs.use', () => ({ days: 1000 })],
  ['packs', 'packs.list', () => ({})],
  ['history', 'packs.history', () => ({})],
  ['balance', 'packs.balance', () => ({})],
  ['event', 'events.show', (known) => ({ id: of(known, 'events', 'first') })],
  ['triggered', 'events.trigger', () => ({ type: 'note.created', data: { note: { text: 'Hi' } } })],
  ['triggered unknown', 'events.trigger', () => ({ type: 'note.creatd' })],
  ['hook', 'webhooks.add', () => ({ url: 'https://hooks.invalid/', events: ['customer.updated'] })],
  ['hook twice', 'webhooks.add', () => ({ url: 'https://hooks.invalid', events: ['*'] })],
  ['hook elsewhere', 'webhooks.add', () => ({ url: 'http://hooks.invalid/', events: ['*'] })],
  ['hook of unknown events', 'webhooks.add', () => ({ url: 'https://other.invalid/', events: ['customer.changed'] })],
  ['hook of no method', 'webhooks.add', () => ({ function: 'shop/nothing', events: ['*'] })],
  ['hooks', 'webhooks.list', () => ({})],
  ['hook shown', 'webhooks.show', (known) => ({ id: of(known, 'hook') })],
  ['hook updated', 'webhooks.update', (known) => ({ id: of(known, 'hook'), description: 'CRM' })],
  ['hook rotated', 'webhooks.rotateSecret', (known) => ({ id: of(known, 'hook') })],
  ['hook recovered', 'webhooks.recover', (known) => ({ id: of(known, 'hook') })],
  ['hook pinged', 'webhooks.ping', (known) => ({ id: of(known, 'hook') })],
  ['hook removed', 'webhooks.remove', (known) => ({ id: of(known, 'hook') })],
  ['hook gone', 'webhooks.show', (known) => ({ id: of(known, 'hook') })],
  ['deliveries', 'deliveries.list', () => ({})],
  ['unknown delivery', 'deliveries.show', () => ({ id: 'dlv_00000000000000000000000000' })],
  ['listener', 'listeners.open', () => ({ name: 'laptop', events: ['message.received'] })],
  ['resent', 'deliveries.resend', (k) => ({ eventId: of(k, 'events', 'first'), endpointId: of(k, 'listener') })],
  [
    'acknowledged',
    'listeners.ack',
    (k) => ({ id: of(k, 'listener'), attempts: [{ eventId: of(k, 'events', 'first'), status: 204, ms: 3 }] }),
  ],
  ['deliveries to the listener', 'deliveries.list', (known) => ({ endpointId: of(known, 'listener') })],
  ['listeners', 'listeners.list', () => ({})],
  ['listener removed', 'listeners.remove', (known) => ({ id: of(known, 'listener') })],
  ['harnesses', 'harnesses.list', () => ({})],
  [
    'harness',
    'harnesses.add',
    () => ({ name: 'mine', kind: 'custom', endpoint: 'http://127.0.0.1:9/agent', unsigned: true }),
  ],
  ['harness twice', 'harnesses.add', () => ({ name: 'mine', kind: 'builtin' })],
  ['harness shown', 'harnesses.show', () => ({ id: 'mine' })],
  ['harness updated', 'harnesses.update', () => ({ id: 'mine', models: { main: 'm-1' } })],
  ['harness unsigned', 'harnesses.rotateSecret', () => ({ id: 'mine' })],
  ['harness checked', 'harnesses.check', () => ({ id: 'builtin' })],
  ['harness removed', 'harnesses.remove', () => ({ id: 'mine' })],
  ['ai agents', 'aiAgents.list', () => ({})],
  ['unknown ai agent', 'aiAgents.show', () => ({ id: 'nobody' })],
  ['run of nobody', 'aiAgentRuns.create', () => ({ agent: 'nobody', input: 'Hello' })],
  ['run without instructions', 'aiAgentRuns.create', () => ({ harness: 'builtin', input: 'Hello' })],
  ['runs', 'aiAgentRuns.list', () => ({})],
  ['unknown run', 'aiAgentRuns.show', () => ({ id: 'run_00000000000000000000000000' })],
  ['unknown run cancelled', 'aiAgentRuns.cancel', () => ({ id: 'run_00000000000000000000000000' })],
  ['unknown run answered', 'aiAgentRuns.answer', () => ({ id: 'run_00000000000000000000000000', payload: true })],
  ['unknown run again', 'aiAgentRuns.rerun', () => ({ id: 'run_00000000000000000000000000' })],
  [
    'unknown model call',
    'aiAgentRuns.showModelCall',
    () => ({ id: 'run_00000000000000000000000000', modelCallId: 'mdc_00000000000000000000000000' }),
  ],
  ['ai paused', 'conversations.pauseAi', (known) => ({ id: of(known, 'received', 'conversationId') })],
  ['ai resumed', 'conversations.resumeAi', (known) => ({ id: of(known, 'received', 'conversationId') })],
  // Where nothing listens.
  ['mcp client', 'mcpClients.add', () => ({ name: 'stock', url: 'http://127.0.0.1:2/sse' })],
  ['mcp client twice', 'mcpClients.add', () => ({ name: 'stock', url: 'https://mcp.invalid/sse' })],
  ['mcp client unencrypted', 'mcpClients.add', () => ({ name: 'other', url: 'http://mcp.invalid/sse' })],
  ['mcp clients', 'mcpClients.list', () => ({})],
  ['mcp client updated', 'mcpClients.update', () => ({ id: 'stock', code: true })],
  ['mcp tools', 'mcpClients.tools', () => ({ id: 'stock' })],
  ['mcp client shown', 'mcpClients.show', () => ({ id: 'stock' })],
  ['mcp call', 'mcpClients.call', () => ({ id: 'stock', tool: 'available' })],
  ['mcp check', 'mcpClients.check', () => ({ id: 'stock' })],
  ['mcp accepted', 'mcpClients.accept', () => ({ id: 'stock' })],
  ['mcp client removed', 'mcpClients.remove', () => ({ id: 'stock' })],
  ['mcp client gone', 'mcpClients.show', () => ({ id: 'stock' })],
  ['tool calls', 'tools.logs', () => ({ limit: 10 })],
  ['fixtures', 'fixtures.list', () => ({ app: 'template-app', function: 'api/template/send' })],
  [
    'fixture saved',
    'fixtures.save',
    () => ({ app: 'template-app', function: 'api/template/send', name: 'mine', input: {} }),
  ],
  ['test saved', 'tests.save', (known) => ({ conversationId: of(known, 'received', 'conversationId'), name: 'mine' })],
  ['clock', 'clock.show', () => ({})],
  ['advanced', 'clock.advance', () => ({ ms: 60_000 })],
  ['clock set', 'clock.set', () => ({ now: '2030-01-02T03:04:05.000Z' })],
  ['opened', 'workspace.openUrl', () => ({ path: '/tenants/dev' })],
  ['opened elsewhere', 'workspace.openUrl', () => ({ path: '//evil.example' })],
  ['exported', 'workspace.export', () => ({})],
  ['imported', 'workspace.import', () => ({ seed: { customers: [{ phone: '+4930901899' }] } })],
  ['imported badly', 'workspace.import', () => ({ seed: { customers: [{ phone: 12 }] } })],
  ['reset', 'workspace.reset', () => ({ seed: {} })],
];

/** Bytes go in and out of these, or events as they happen; they have tests of their own. */
export const beyondJson: readonly OperationName[] = [
  'media.upload',
  'media.get',
  'deployments.putFile',
  'deployments.getFile',
  'events.stream',
  'listeners.stream',
];

/** Takes every step by one way: what was answered, or the code of the refusal, by the label of the step. */
export async function takeSteps(face: Face): Promise<Record<string, unknown>> {
  const known: Known = {};
  const answers: Record<string, unknown> = {};
  for (const [label, name, input] of steps) {
    try {
      const output = await face(name, input(known));
      answers[label] = output;
      known[label] = {
        ...(output as Record<string, string>),
        first: (output as { items?: { id: string }[] }).items?.[0]?.id ?? '',
      };
    } catch (error) {
      if (!(error instanceof WorkspaceError)) throw error;
      answers[label] = { refused: error.code, status: error.status };
    }
  }
  return answers;
}
