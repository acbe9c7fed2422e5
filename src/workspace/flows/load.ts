import type { Caller, Output } from '../../contract/index.ts';
import type { Flow } from '../../contract/shapes/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { conversationHandlers } from '../handlers/conversations.ts';
import { customerHandlers } from '../handlers/customers.ts';
import { messageOf } from '../handlers/store-message.ts';
import type { Job } from '../jobs/types.ts';
import { nameOf } from '../settings.ts';
import type {
  FlowBeginning,
  FlowRunSurroundings,
  FlowRunUnderWay,
  FlowSituation,
  Json,
  LoadedFlowRun,
} from '../types.ts';
import type { LiveFlow } from './live-flows.ts';
import { type FlowRunRow, optionalJson } from './rows.ts';

const reader: Caller = { type: 'system', id: null, scopes: ['read'] };

/** What happened, as the payload of its job says; undefined if its conversation is gone. */
export async function readSituation(tx: Tx, payload: Job['payload']): Promise<FlowSituation | undefined> {
  if (payload['type'] === 'schedule') return readDue(tx, payload);
  const { conversationId, messageId, type } = payload as {
    conversationId: string;
    messageId: string | null;
    type: string;
  };
  const surroundings = await surroundingsOf(tx, conversationId);
  if (surroundings.conversation === null) return undefined;
  const message = messageId === null ? null : await readMessage(tx, messageId);
  if (messageId !== null && message === null) return undefined;
  const triggers = message !== null && (await answersTemplate(tx, message)) ? [type, 'template.replied'] : [type];
  const rows = await tx.db
    .selectFrom('flow_run')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .where('ended_at', 'is', null)
    .orderBy('seq')
    .execute();
  // While people answer, the customer's messages start no flow.
  const isForPeople = message !== null && surroundings.conversation.ai.state === 'paused';
  const all = isForPeople ? [] : await tx.facts.flows.get(tx.db);
  const live = all.filter(({ on }) => triggers.includes(on));
  return {
    triggers,
    message,
    input: null,
    surroundings,
    runs: await Promise.all(rows.map((row) => underWay(tx, row))),
    flows: await withVariables(tx, live),
  };
}

/** A flow whose schedule is due: none if it was disabled or removed meanwhile. */
async function readDue(tx: Tx, payload: Job['payload']): Promise<FlowSituation> {
  const { app, name, input } = payload as { app: string; name: string; input: Json };
  const all = await tx.facts.flows.get(tx.db);
  const due = all.filter((flow) => flow.on === 'schedule' && flow.app === app && flow.name === name);
  return {
    triggers: ['schedule'],
    message: null,
    input,
    surroundings: await surroundingsOf(tx, null),
    runs: [],
    flows: await withVariables(tx, due),
  };
}

async function withVariables(tx: Tx, live: readonly LiveFlow[]): Promise<FlowSituation['flows']> {
  const vars = new Map<string, { readonly [name: string]: Json }>();
  for (const { app } of live) if (!vars.has(app)) vars.set(app, await variablesOf(tx, app));
  return live.map(({ id, app, name, definition }) => ({ id, app, name, definition, vars: vars.get(app) ?? {} }));
}

/** Whether the customer's message is the first after a message template. */
async function answersTemplate({ db }: Tx, message: Output<'messages.send'>): Promise<boolean> {
  const before = await db
    .selectFrom('message')
    .select('template')
    .where('conversation_id', '=', message.conversationId)
    .where('created_at', '<=', Date.parse(message.createdAt))
    .where('id', '<', message.id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return before !== undefined && before.template !== null;
}

export async function readMessage({ db }: Tx, id: string): Promise<Output<'messages.send'> | null> {
  const row = await db.selectFrom('message').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : messageOf(row);
}

export async function readRun(tx: Tx, row: FlowRunRow): Promise<LoadedFlowRun> {
  return {
    ...(await underWay(tx, row)),
    flowId: row.flow_id,
    app: row.app,
    flow: row.flow,
    event: fromJson<{ type: string }>(row.event),
    input: fromJson<Json[]>(row.input),
    vars: await variablesOf(tx, row.app),
    surroundings: await surroundingsOf(tx, row.conversation_id),
    trace: { traceId: row.trace_id, causeId: row.id, depth: row.depth },
  };
}

async function underWay(tx: Tx, row: FlowRunRow): Promise<FlowRunUnderWay> {
  const { definition } = await tx.db
    .selectFrom('flow_version')
    .select('definition')
    .where('flow_id', '=', row.flow_id)
    .where('version', '=', row.version)
    .executeTakeFirstOrThrow();
  return {
    id: row.id,
    definition: fromJson<Flow>(definition),
    state: optionalJson(row.state),
    beginning: row.state === null ? await beginningOf(tx, row) : { message: null },
    waitingFor: row.status === 'waiting' ? (row.waiting_for as FlowRunUnderWay['waitingFor']) : null,
  };
}

async function beginningOf({ db }: Tx, row: FlowRunRow): Promise<FlowBeginning> {
  const message = row.message === null ? null : fromJson<Output<'messages.send'>>(row.message);
  if (row.rerun_of === null || row.rerun_from === null) return { message };
  const steps = await db
    .selectFrom('flow_step')
    .select(['node', 'outcome', 'output', 'variables', 'message'])
    .where('run_id', '=', row.rerun_of)
    .orderBy('seq')
    .execute();
  const last = steps.map(({ node }) => node).lastIndexOf(row.rerun_from);
  return {
    message,
    from: {
      node: row.rerun_from,
      steps: steps.slice(0, Math.max(0, last)).map((step) => ({
        node: step.node,
        outcome: step.outcome,
        output: optionalJson(step.output),
        variables: optionalJson(step.variables) as { [name: string]: Json } | undefined,
        message: optionalJson(step.message),
      })),
    },
  };
}

async function surroundingsOf(tx: Tx, conversationId: string | null): Promise<FlowRunSurroundings> {
  const workspace = { slug: tx.facts.slug, name: await nameOf(tx) };
  const found =
    conversationId === null
      ? undefined
      : await tx.db
          .selectFrom('conversation')
          .innerJoin('channel', 'channel.id', 'conversation.channel_id')
          .select('channel.kind')
          .where('conversation.id', '=', conversationId)
          .executeTakeFirst();
  if (conversationId === null || found === undefined)
    return { conversation: null, channel: null, customer: null, workspace };
  const conversation = await conversationHandlers['conversations.get']({ id: conversationId }, tx, reader);
  const customer = await customerHandlers['customers.get']({ id: conversation.customerId }, tx, reader);
  return { conversation, channel: found.kind, customer, workspace };
}

async function variablesOf({ db }: Tx, app: string): Promise<{ readonly [name: string]: Json }> {
  const rows = await db.selectFrom('variable').select(['name', 'value']).where('app', '=', app).execute();
  return Object.fromEntries(rows.map(({ name, value }) => [name, fromJson<Json[]>(value)]));
}
