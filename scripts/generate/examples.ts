import type { OperationName } from '../../src/contract/index.ts';
import type { Schema } from './schemas-of.ts';

/** An input that the operation takes, for the reference; a test parses each. What stands here is better than what can be made up. */
export const given: Partial<Record<OperationName, unknown>> = {
  'customers.find': { phone: '+4930901820' },
  'customers.findOrCreate': { phone: '+49 30 901820', name: 'Ann Larsen', fields: { tier: 'gold' } },
  'customers.update': { id: 'cus_01JZ8Q6K3V4N5M6P7R8S9T0V1W', fields: { tier: 'gold', lastOrder: null } },
  'conversations.list': { status: 'open', limit: 10 },
  'conversations.assign': {
    id: 'cnv_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
    assign: { agentEmail: 'jana.winter@nordwind.example' },
  },
  'conversations.link': { phone: '+4930901820', channel: 'messaging-app' },
  'messages.send': {
    conversationId: 'cnv_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
    text: 'Is the address still right?',
    quickReplies: [
      { id: 'yes', title: 'Yes' },
      { id: 'no', title: 'No, change it' },
    ],
  },
  'messages.receive': { phone: '+4930901820', text: 'Where is my order?' },
  'templates.send': {
    to: '+4930901820',
    template: 'order_shipped',
    language: 'en',
    variables: { header: 'A-1017', body: ['Ann', 'Friday'], buttons: [{ index: 0, value: 'A-1017' }] },
    assign: { agentEmail: 'jana.winter@nordwind.example' },
  },
  'messages.sendTemplate': { to: '+4930901820', template: 'order_shipped', variables: { body: ['Ann', 'Friday'] } },
  'templates.uploadCredentials': { fileName: 'tent.jpg', contentType: 'image/jpeg', bytes: 184_320 },
  'media.createUpload': { fileName: 'tent.jpg', contentType: 'image/jpeg', bytes: 184_320 },
  'sessions.link': { phone: '+4930901820', assign: { workgroupId: 'wgr_01JZ8Q6K3V4N5M6P7R8S9T0V1W' } },
  'functions.invoke': { app: 'order-desk', name: 'tools/refund', input: { orderId: 'A-1017', reason: 'Too small' } },
  'methods.call': { path: 'api/orders/find', body: { order: 'A-1017' } },
  'conversations.update': { id: 'cnv_01JZ8Q6K3V4N5M6P7R8S9T0V1W', fields: { order: 'A-1017' } },
  'methods.enqueue': { path: 'api/orders/sync', body: { page: 2 }, key: 'sync page 2' },
  'workspace.import': { seed: { customers: [{ name: 'Ann Larsen', phone: '+4930901820' }] } },
  'deployments.create': {
    app: 'order-desk',
    baseVersion: null,
    manifest: [
      {
        path: 'tools/refund.js',
        type: 'ai-tool',
        config: { type: 'ai-tool', name: 'refund', description: 'Refunds an order', input: { type: 'object' } },
        sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
        bytes: 1834,
      },
    ],
    message: 'Refunds over 100 € need a person',
  },
  'store.set': { key: 'orders/A-1017', value: { refunded: true }, ttlSeconds: 86_400 },
  'harnesses.add': {
    name: 'mine',
    kind: 'custom',
    endpoint: 'https://agent.shop.example/run',
    requireSignedReplies: true,
  },
  'harnesses.update': { id: 'builtin', models: { main: 'script:nora' } },
  'harnesses.rotateSecret': { id: 'mine' },
  'aiAgentRuns.create': {
    agent: 'nora',
    input: 'Where is order A-1017?',
    conversationId: 'cnv_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
    budget: { maxCostUsd: 0.5, maxToolCalls: 5 },
  },
  'aiAgentRuns.list': { status: 'failed', agent: 'order-desk/nora' },
  'aiAgentRuns.rerun': { id: 'run_01JZ8Q6K3V4N5M6P7R8S9T0V1W', models: { main: 'script:nora' } },
  'events.trigger': { type: 'message.received', data: { message: { text: 'Where is my order?' } } },
  'webhooks.add': { url: 'https://shop.example/hooks', events: ['message.received', 'conversation.*'] },
  'webhooks.update': { id: 'whk_01JZ8Q6K3V4N5M6P7R8S9T0V1W', events: ['message.*'], state: 'enabled' },
  'webhooks.rotateSecret': { id: 'whk_01JZ8Q6K3V4N5M6P7R8S9T0V1W' },
  'webhooks.recover': { id: 'whk_01JZ8Q6K3V4N5M6P7R8S9T0V1W', since: '2026-11-20T09:00:00Z', perSecond: 20 },
  'deliveries.list': { endpointId: 'whk_01JZ8Q6K3V4N5M6P7R8S9T0V1W', state: 'failed' },
  'deliveries.resend': { failedSince: '2026-11-20T09:00:00Z', perSecond: 20 },
  'listeners.open': { name: 'laptop order-desk', events: ['message.received'] },
  'listeners.ack': {
    id: 'lsn_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
    attempts: [{ eventId: 'evt_01JZ8Q6K3V4N5M6P7R8S9T0V1W', status: 204, ms: 12 }],
  },
  'mcpClients.add': {
    name: 'stock',
    url: 'https://mcp.shop.example/sse',
    auth: { kind: 'bearer', secret: 'the token of the server' },
  },
  'mcpClients.update': { id: 'stock', tools: { reserve: { confirm: 'human', limits: { perMinute: 5 } } } },
  'mcpClients.call': { id: 'stock', tool: 'available', arguments: { sku: 'A-17' } },
  'mcpClients.check': { url: 'https://mcp.shop.example/sse' },
  'mcpClients.accept': {
    id: 'stock',
    tools: { reserve: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9' },
  },
  'tools.call': { name: 'order_status', arguments: { orderId: 'A-1017' } },
  'confirmations.answer': { id: 'cfm_01JZ8Q6K3V4N5M6P7R8S9T0V1W', answer: 'deny', reason: 'The order was delivered' },
  'clock.advance': { ms: 3_600_000 },
  'clock.set': { now: '2026-03-02T09:00:00Z' },
};

/** Calls that `sdk` has in a form of their own: the app is known, and what is named most stands first. A test checks their types. */
export const shortCalls: Partial<Record<OperationName, string>> = {
  'methods.call': "sdk.methods.call('api/orders/find', { order: 'A-1017' }); // what the method answers",
  'methods.enqueue': "sdk.methods.enqueue('api/orders/sync', { page: 2 }, { key: 'sync page 2' }); // {id, created}",
  'secrets.get': "sdk.secrets.get('SHOP_KEY'); // the value, or null",
  'vars.list': 'sdk.vars.list(); // {items: [{name, value, updatedAt}], nextCursor}',
  'vars.get': "sdk.vars.get('greeting'); // the value, or null",
  'vars.set': "sdk.vars.set('greeting', 'Good day'); // {name, value, updatedAt}",
  'vars.delete': "sdk.vars.delete('greeting');",
  'store.get': "sdk.store.get('orders/A-1017'); // the value, or null",
  'store.list': "sdk.store.list('orders/'); // {items: [{key, value, expiresAt}], nextCursor}",
  'store.set': "sdk.store.set('orders/A-1017', { refunded: true }, { ttlSeconds: 86400 });",
  'store.delete': "sdk.store.delete('orders/A-1017'); // whether there was something",
  'store.increment': "sdk.store.increment('visits'); // the sum",
};

const byName: Readonly<Record<string, unknown>> = {
  phone: '+4930901820',
  email: 'ann.larsen@mail.example',
  app: 'order-desk',
  name: 'Nightly',
  key: 'orders/A-1017',
  value: 'high',
  sha256: 'b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9',
  conversationId: 'cnv_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
  mediaId: 'med_01JZ8Q6K3V4N5M6P7R8S9T0V1W',
  kind: 'sms',
};

/** An input with what is required and nothing else. */
export function exampleOf(name: OperationName, input: Schema): unknown {
  if (given[name] !== undefined) return given[name];
  const required = Object.entries(input.properties ?? {}).filter(([field]) => input.required?.includes(field));
  return Object.fromEntries(required.map(([field, schema]) => [field, valueFor(name, field, schema)]));
}

function valueFor(operation: OperationName, field: string, schema: Schema): unknown {
  const prefix = /^Id, (\w+)_…/.exec(schema.description ?? '')?.[1];
  if (prefix !== undefined) return `${prefix}_01JZ8Q6K3V4N5M6P7R8S9T0V1W`;
  if (field === 'name' && /^functions\./.test(operation)) return 'tools/refund';
  if (field === 'name' && operation.startsWith('secrets.')) return 'SHOP_KEY';
  if (field === 'name' && operation.startsWith('vars.')) return 'greeting';
  if (field in byName) return byName[field];
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  return `${field}`;
}
