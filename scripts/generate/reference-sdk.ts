import { operationNames, operationOf } from '../../src/contract/index.ts';
import { page, table } from './markdown.ts';
import { areasByHand } from './types-areas.ts';

/** `docs/reference/sdk.md`: what a function is handed. */
export function sdkPage(): string {
  return page(
    'sdk',
    "A function receives one object, `sdk`. Every call returns a promise, copies its arguments, and throws an `SdkError` {code, message, status, requestId, details} if the workspace refuses it, with the same [codes](errors.md) as over REST. After its input, a write takes `{idempotencyKey?, ifMatch?}`, like the REST headers. The types are in `convo-fn`: `import type { MethodSdk } from 'convo-fn'`, or `@param {import('convo-fn').MethodSdk} sdk`.",
    `## Server SDK\n\nAll types but Custom View.\n\n${table(['member', ''], [...serverMembers, ...operationRows('sdk')])}`,
    `## Client SDK\n\nCustom Views, in the browser, with the rights of the agent who views them.\n\n${table(['member', ''], [...clientMembers, ...operationRows('client')])}`,
    `## What each type adds\n\n${table(['type', 'adds'], byType)}`,
  );
}

const serverMembers = [
  [
    '`sdk.context`',
    '{workspace: {slug, url}, app, function, version, invocationId, environment: `local` or `workspace`, now()}',
  ],
  [
    '`sdk.log.debug · info · warn · error(…values)`',
    'Writes log lines, which are recorded with the invocation; `fn logs` shows them. `console` does the same',
  ],
  ['`sdk.secrets.get(name)`', 'The value of a secret of the app, or null'],
  [
    '`sdk.vars.get(name) · set(name, value) · delete(name) · list()`',
    'Variables of the app, which people can see and change',
  ],
  ['`sdk.store.get(key)`', 'A stored value, or null'],
  ['`sdk.store.set(key, value, {ttlSeconds?})`', 'Stores a value, for a limited time or indefinitely'],
  ['`sdk.store.increment(key, by = 1)`', 'Adds to a number atomically and returns the sum'],
  ['`sdk.store.delete(key) · list(prefix?, {limit?, cursor?})`', 'Deletes; lists keys and values'],
  ['`sdk.methods.call(path, body?, {method?})`', 'Calls another Server Side Method of the same app'],
  [
    '`sdk.methods.enqueue(path, body?, {delayMs?, runAt?, key?, attempts?})`',
    'Calls one later, in the background: it survives a restart, and is tried again when it fails',
  ],
] as const;

const clientMembers = [
  ['`sdk.context`', '{workspace, app, function, version, environment, now()}'],
  ['`sdk.user`', 'The agent who views it: {id, name, email}'],
  ['`sdk.conversation`, `sdk.customer`', 'The open conversation and its customer, or null'],
  ['`sdk.methods.call(path, body?)`', 'Calls a Server Side Method of the same app'],
  ['`sdk.ui.toast(text, {kind?}) · openConversation(id) · confirm(text)`', 'The workspace’s interface around the view'],
] as const;

const byType = [
  ['Server Side Method', '`sdk.request`: a web-standard `Request`'],
  ['Custom Flow Node', '`sdk.flow` {node, input, conversation, customer, variables}'],
  [
    'Custom View',
    '`sdk.view` {container, context: {conversation, customer}, on(`context` or `dispose`, listener), resize(height?)}',
  ],
  ['AI Tool', '`sdk.tool` {args, run: {id} or null, conversation}'],
  ['Cron Job', '`sdk.cron` {scheduledAt, lastRunAt}'],
  ['Custom App Setup', '`sdk.setup` {phase: `install`, `update` or `uninstall`, settings, fromVersion}'],
] as const;

function operationRows(face: 'sdk' | 'client'): string[][] {
  return operationNames
    .filter((name) => {
      const { faces, onlyApp } = operationOf(name);
      return faces.includes(face) && onlyApp === undefined && !areasByHand.has(name.split('.')[0] ?? '');
    })
    .map((name) => [
      `[\`sdk.${name}(…)\`](operations.md#${name.toLowerCase().replaceAll('.', '')})`,
      operationOf(name).summary,
    ]);
}
