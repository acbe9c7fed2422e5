import type { Output } from '../../contract/index.ts';
import { pageBy } from '../lists/page.ts';
import { outcomeOf, requireCall, toolCallOf } from '../tools/calls.ts';
import { askedArguments, confirmationOf, requireConfirmation } from '../tools/confirmations.ts';
import type { HandlersOf } from './index.ts';

type Shown = Output<'confirmations.show'>;

export const toolHandlers: HandlersOf<'tools' | 'confirmations'> = {
  async 'tools.logs'(input, tx) {
    const [name = '', source] = (input.tool ?? '').split('/').reverse();
    const page = await pageBy(
      tx,
      'tools.logs',
      input,
      tx.db
        .selectFrom('tool_call')
        .selectAll()
        .$if(input.id !== undefined, (query) => query.where('id', '=', input.id ?? ''))
        .$if(input.tool !== undefined, (query) => query.where('tool', '=', name))
        .$if(source !== undefined, (query) => query.where('source', '=', source ?? ''))
        .$if(input.runId !== undefined, (query) => query.where('run_id', '=', input.runId ?? ''))
        .$if(input.conversationId !== undefined, (query) =>
          query.where('conversation_id', '=', input.conversationId ?? ''),
        )
        .$if(input.failed === true, (query) => query.where('status', 'in', ['error', 'denied', 'timeout', 'cancelled']))
        .$if(input.failed === false, (query) => query.where('status', '=', 'ok')),
      { by: 'seq', desc: true },
    );
    return { items: page.rows.map(toolCallOf), nextCursor: page.nextCursor };
  },

  async 'confirmations.list'(input, tx) {
    const page = await pageBy(
      tx,
      'confirmations.list',
      input,
      tx.db
        .selectFrom('confirmation')
        .selectAll()
        .$if(input.open === true, (query) => query.where('state', '=', 'open'))
        .$if(input.open === false, (query) => query.where('state', '!=', 'open'))
        .$if(input.runId !== undefined, (query) => query.where('run_id', '=', input.runId ?? ''))
        .$if(input.conversationId !== undefined, (query) =>
          query.where('conversation_id', '=', input.conversationId ?? ''),
        ),
      { by: 'seq', desc: true },
    );
    const items = [];
    for (const row of page.rows) items.push(confirmationOf(row, await requireCall(tx, row.call_id)));
    return { items, nextCursor: page.nextCursor };
  },

  async 'confirmations.show'({ id }, tx) {
    const row = await requireConfirmation(tx, id);
    const call = await requireCall(tx, row.call_id);
    const outcome = outcomeOf(tx, call);
    const asked = askedArguments(tx, row);
    return {
      ...confirmationOf(row, call),
      ...(asked !== undefined && { arguments: asked as Shown['arguments'] }),
      outcome:
        outcome === null
          ? null
          : {
              status: outcome.status,
              ...(outcome.result !== undefined && { result: outcome.result as Shown['arguments'] & {} }),
              ...(outcome.error && { error: outcome.error }),
            },
    };
  },
};
