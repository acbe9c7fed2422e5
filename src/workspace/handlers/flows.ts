import { schemaCheck } from '../../contract/function-config/index.ts';
import { limits, refusal } from '../../contract/index.ts';
import type { Flow } from '../../contract/shapes/index.ts';
import { toTimestamp } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { cancelFlowRun } from '../flows/cancel.ts';
import { createFlowRun } from '../flows/create.ts';
import { type FlowRow, flowOf, flowRunOf, flowRunRow, optionalJson, requireFlow, triggerOf } from '../flows/rows.ts';
import { pageBy } from '../lists/page.ts';
import type { Json } from '../types.ts';
import { conversationRow } from './conversations.ts';
import type { HandlersOf } from './index.ts';

export const flowHandlers: HandlersOf<'flows' | 'flowRuns'> = {
  async 'flows.list'(input, tx) {
    const page = await pageBy(
      tx,
      'flows.list',
      input,
      tx.db
        .selectFrom('flow')
        .selectAll()
        .where('live', '=', 1)
        .$if(input.app !== undefined, (query) => query.where('app', '=', input.app ?? '')),
      { by: 'sort_key' },
    );
    return { items: page.rows.map(flowOf), nextCursor: page.nextCursor };
  },

  async 'flows.show'({ id }, tx) {
    const row = await requireFlow(tx, id);
    return { ...flowOf(row), definition: fromJson<Json[]>(row.definition) };
  },

  async 'flows.run'({ id, conversationId, input = null }, tx, caller) {
    const flow = await requireFlow(tx, id);
    requireStartable(flow, caller.type === 'function');
    const value = input as Json;
    await requireInput(flow, value);
    const conversation = conversationId === undefined ? null : await conversationRow(tx, conversationId);
    const run = await createFlowRun(tx, { flow, trigger: flow.trigger_on, conversation, input: value });
    return flowRunOf(run);
  },

  'flows.enable': ({ id }, tx) => setEnabled(tx, id, 1),
  'flows.disable': ({ id }, tx) => setEnabled(tx, id, 0),

  async 'flowRuns.list'(input, tx) {
    const flow = input.flow === undefined ? undefined : await requireFlow(tx, input.flow);
    const page = await pageBy(
      tx,
      'flowRuns.list',
      input,
      tx.db
        .selectFrom('flow_run')
        .selectAll()
        .$if(flow !== undefined, (query) => query.where('flow_id', '=', flow?.id ?? ''))
        .$if(input.conversationId !== undefined, (query) =>
          query.where('conversation_id', '=', input.conversationId ?? ''),
        )
        .$if(input.status !== undefined, (query) => query.where('status', '=', input.status ?? '')),
      { by: 'seq', desc: true },
    );
    return { items: page.rows.map(flowRunOf), nextCursor: page.nextCursor };
  },

  async 'flowRuns.show'({ id }, tx) {
    const row = await flowRunRow(tx, id);
    const steps = await tx.db.selectFrom('flow_step').selectAll().where('run_id', '=', id).orderBy('seq').execute();
    const state = optionalJson(row.state) as { variables: { [name: string]: Json } } | undefined;
    return {
      ...flowRunOf(row),
      input: fromJson<Json[]>(row.input),
      variables: state?.variables ?? {},
      steps: steps.map((step) => ({
        seq: step.seq,
        node: step.node,
        type: step.type,
        outcome: step.outcome,
        output: optionalJson(step.output) ?? null,
        error: step.error === null ? null : fromJson<{ code: string; message: string }>(step.error),
        ref: step.ref,
        at: toTimestamp(step.at),
        ms: step.ms,
      })),
    };
  },

  async 'flowRuns.cancel'({ id, reason }, tx) {
    return flowRunOf(await cancelFlowRun(tx, await flowRunRow(tx, id), reason ?? null));
  },

  async 'flowRuns.rerun'({ id, from }, tx) {
    const before = await flowRunRow(tx, id);
    if (before.ended_at === null)
      throw refusal('flow_run_not_ended', `${id} is still ${before.status}`, { hint: `Cancel it first: ${id}.` });
    if (from !== undefined) await requirePassed(tx, id, from);
    const conversation = before.conversation_id === null ? null : await conversationRow(tx, before.conversation_id);
    const { definition } = await tx.db
      .selectFrom('flow_version')
      .select('definition')
      .where('flow_id', '=', before.flow_id)
      .where('version', '=', before.version)
      .executeTakeFirstOrThrow();
    const run = await createFlowRun(tx, {
      flow: { id: before.flow_id, app: before.app, name: before.flow, version: before.version, definition },
      trigger: before.trigger_kind,
      conversation,
      message: optionalJson(before.message) as object | null,
      input: fromJson<Json[]>(before.input),
      rerunOf: id,
      rerunFrom: from,
    });
    return flowRunOf(run);
  },
};

async function setEnabled(tx: Tx, asked: string, enabled: 0 | 1) {
  const row = await requireFlow(tx, asked);
  if (row.enabled !== enabled) {
    await tx.db.updateTable('flow').set({ enabled }).where('id', '=', row.id).execute();
    tx.facts.flows.changed(tx);
  }
  return flowOf({ ...row, enabled });
}

function requireStartable(flow: FlowRow, byFunction: boolean): void {
  if (flow.live === 0) throw refusal('flow_not_found', `The file of the flow ${flow.name} is gone`);
  if (flow.enabled === 0)
    throw refusal('flow_disabled', `${flow.name} is disabled`, { hint: `Enable it: fn flow enable ${flow.name}` });
  const startable = byFunction ? ['code'] : ['manual', 'code'];
  if (startable.includes(flow.trigger_on)) return;
  throw refusal(
    'flow_trigger_mismatch',
    `${flow.name} starts on ${flow.trigger_on}, not on ${startable.join(' or ')}`,
    {
      hint: byFunction
        ? 'Let its trigger say "on": "code".'
        : `Write as a customer: fn flow run ${flow.name} --as +49… --message '…'`,
    },
  );
}

async function requireInput(flow: FlowRow, input: Json): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(input)) > limits.jobs.payloadBytes)
    throw refusal('body_too_large', `The input of a flow may be ${limits.jobs.payloadBytes / 1024} KiB at most`);
  const { input: schema } = triggerOf(fromJson<Flow>(flow.definition));
  if (schema === undefined) return;
  const check = await schemaCheck(schema, `The input of ${flow.name}`);
  const problems = check(input);
  const [first] = problems;
  if (first === undefined) return;
  const errors = problems.map(({ path, message }) => ({ path: path === '' ? 'input' : `input.${path}`, message }));
  throw refusal('flow_input_invalid', `${flow.name}: ${errors[0]?.path} ${first.message}`, { errors });
}

async function requirePassed({ db }: Tx, runId: string, node: string): Promise<void> {
  const steps = await db.selectFrom('flow_step').select('node').where('run_id', '=', runId).orderBy('seq').execute();
  if (steps.some((step) => step.node === node)) return;
  const passed = [...new Set(steps.map((step) => step.node))].join(', ');
  throw refusal('flow_node_not_passed', `${runId} did not pass the node ${node}. It passed: ${passed}`);
}
