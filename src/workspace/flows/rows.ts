import type { Selectable } from 'kysely';
import { type Output, refusal } from '../../contract/index.ts';
import type { Flow as Definition } from '../../contract/shapes/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import type { Json } from '../types.ts';

export type FlowRow = Selectable<Tables['flow']>;
export type FlowRunRow = Selectable<Tables['flow_run']>;
type Flow = Output<'flows.enable'>;
type FlowRun = Output<'flows.run'>;

/** The trigger of a flow that was checked. */
export function triggerOf({ nodes }: Definition): { readonly name: string } & Trigger {
  for (const [name, node] of Object.entries(nodes)) if (node.type === 'trigger') return { name, ...node };
  throw new Error('a flow that was checked has a trigger');
}

type Trigger = Extract<Definition['nodes'][string], { type: 'trigger' }>;

/** A flow by id or name. @throws WorkspaceError flow_not_found, flow_ambiguous */
export async function requireFlow({ db, caller }: Tx, asked: string): Promise<FlowRow> {
  const byId = await db.selectFrom('flow').selectAll().where('id', '=', asked).executeTakeFirst();
  if (byId) return byId;
  const [name = '', app] = asked.split('/').reverse();
  const rows = await db
    .selectFrom('flow')
    .selectAll()
    .where('name', '=', name)
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .orderBy('live', 'desc')
    .orderBy('app')
    .execute();
  const own = rows.find((row) => row.app === caller.app);
  const live = rows.filter((row) => row.live === 1);
  if (own) return own;
  if (live.length > 1) {
    const names = live.map((row) => `${row.app}/${row.name}`).join(', ');
    throw refusal('flow_ambiguous', `Several apps have a flow ${name}: ${names}`, { hint: 'Name it with its app.' });
  }
  const [found] = live.length === 1 ? live : rows;
  if (found === undefined) throw refusal('flow_not_found', `There is no flow ${asked}`);
  return found;
}

export function flowOf(row: FlowRow): Flow {
  const definition = fromJson<Definition>(row.definition);
  const { on, filter, priority = 0, also = false, schedule, timezone } = triggerOf(definition);
  return {
    id: row.id,
    app: row.app,
    name: row.name,
    title: definition.title ?? null,
    version: row.version,
    state: row.live === 0 ? 'removed' : row.enabled === 1 ? 'enabled' : 'disabled',
    trigger: {
      on,
      filtered: filter !== undefined,
      priority,
      also,
      schedule: schedule ?? null,
      timezone: timezone ?? null,
    },
    publishedAt: toTimestamp(row.published_at),
  };
}

export async function flowRunRow({ db }: Tx, id: string): Promise<FlowRunRow> {
  const row = await db.selectFrom('flow_run').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('flow_run_not_found', `There is no flow run ${id}, or it is no longer kept`);
  return row;
}

export function flowRunOf(row: FlowRunRow): FlowRun {
  const waits = row.status === 'waiting' && row.waiting_for !== null;
  return {
    id: row.id,
    flowId: row.flow_id,
    app: row.app,
    flow: row.flow,
    version: row.version,
    status: row.status as FlowRun['status'],
    trigger: row.trigger_kind,
    conversationId: row.conversation_id,
    customerId: row.customer_id,
    node: row.node,
    waitingFor: waits
      ? {
          type: row.waiting_for as 'message' | 'time' | 'run',
          until: row.waiting_until === null ? null : toTimestamp(row.waiting_until),
          runId: row.ai_run_id,
        }
      : null,
    stepCount: row.steps,
    missedMessages: row.missed,
    error: row.error === null ? null : fromJson<NonNullable<FlowRun['error']>>(row.error),
    reason: row.reason,
    rerunOf: row.rerun_of,
    traceId: row.trace_id,
    startedAt: toTimestamp(row.created_at),
    endedAt: row.ended_at === null ? null : toTimestamp(row.ended_at),
  };
}

/** JSON of a column that may be empty. */
export function optionalJson(text: string | null): Json | undefined {
  return text === null ? undefined : fromJson<Json[]>(text);
}
