import { refusal } from '../../contract/index.ts';
import { fromJson } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import { answerRun } from '../runs/answer.ts';
import { withLimits } from '../runs/budget.ts';
import { cancelRun } from '../runs/cancel.ts';
import { startRun } from '../runs/create.ts';
import { eventsOf } from '../runs/events.ts';
import { modelCallOf, requireRun, runInListOf, runOf } from '../runs/rows.ts';
import type { NewRun, RunEventRecord, RunSpec } from '../types.ts';
import type { HandlersOf } from './index.ts';

export const runHandlers: HandlersOf<'aiAgentRuns'> = {
  async 'aiAgentRuns.list'(input, tx) {
    const { status, agent, conversationId } = input;
    const page = await pageBy(
      tx,
      'aiAgentRuns.list',
      input,
      tx.db
        .selectFrom('run')
        .selectAll()
        .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
        .$if(agent !== undefined, (query) =>
          query.where((eb) => eb.or([eb('agent', '=', agent ?? ''), eb('agent_id', '=', agent ?? '')])),
        )
        .$if(conversationId !== undefined, (query) => query.where('conversation_id', '=', conversationId ?? '')),
      { by: 'created_at', desc: true },
    );
    return { items: page.rows.map(runInListOf), nextCursor: page.nextCursor };
  },

  async 'aiAgentRuns.show'({ id }, tx) {
    return runOf(tx, await requireRun(tx, id));
  },

  async 'aiAgentRuns.showModelCall'({ id, modelCallId }, tx) {
    return modelCallOf(tx, await requireRun(tx, id), modelCallId);
  },

  async 'aiAgentRuns.cancel'({ id }, tx) {
    return runOf(tx, await cancelRun(tx, await requireRun(tx, id), 'somebody asked for it'));
  },

  async 'aiAgentRuns.answer'({ id, ...answer }, tx) {
    return runOf(tx, await answerRun(tx, await requireRun(tx, id), answer));
  },

  async 'aiAgentRuns.rerun'({ id, from, models, instructions, input, budget, send }, tx) {
    const row = await requireRun(tx, id);
    const { nodeBudget, ...before } = fromJson<RunSpec & object>(row.spec);
    if (input !== undefined && from !== undefined) {
      throw refusal('input_invalid', 'With `from` the input is that of the record', {
        errors: [{ path: 'input', message: 'cannot be given together with from' }],
      });
    }
    const { allowUnknownPrice, ...limits } = budget ?? {};
    const spec: RunSpec = {
      ...before,
      instructions: instructions ?? before.instructions,
      models: { ...before.models, ...models, main: models?.main ?? before.models.main },
      ...(input !== undefined && { input: [{ role: 'user', content: input }] }),
      budget: withLimits(nodeBudget ?? before.budget, limits),
      allowUnknownPrice: allowUnknownPrice ?? before.allowUnknownPrice,
      sends: before.sends && send === true,
    };
    const slash = row.agent?.indexOf('/') ?? -1;
    const known =
      row.agent_id === null
        ? undefined
        : await tx.db.selectFrom('ai_agent').select('content').where('id', '=', row.agent_id).executeTakeFirst();
    const agent: NewRun['agent'] =
      row.agent === null || known === undefined
        ? undefined
        : { app: row.agent.slice(0, slash), name: row.agent.slice(slash + 1), content: known.content };
    const made = await startRun(tx, {
      spec,
      agent,
      source: { type: 'rerun' },
      harness: row.harness_id,
      ...(row.conversation_id !== null && { conversationId: row.conversation_id }),
      rerunOf: row.id,
      ...(from !== undefined && { events: upTo(await eventsOf(tx, id), from, id) }),
    });
    // What it sees is what the first one saw, even if the conversation has gone on since.
    if (row.messages !== null && input === undefined) {
      await tx.db
        .updateTable('run')
        .set({ messages: row.messages, history: row.history })
        .where('id', '=', made.id)
        .execute();
    }
    return runOf(tx, await requireRun(tx, made.id));
  },
};

/** The events before a model call. @throws WorkspaceError model_call_not_found */
function upTo(events: readonly RunEventRecord[], from: string, runId: string): RunEventRecord[] {
  const at = events.findIndex(({ event }) => event.type === 'modelCall.started' && event['modelCallId'] === from);
  if (at === -1) throw refusal('model_call_not_found', `${runId} has no model call ${from}`);
  return events.slice(0, at);
}
