import { fromJson, type Tx } from '../door/tx.ts';
import type { RunBudget, RunUsage } from '../types.ts';
import type { FlowRunRow } from './rows.ts';

/**
 * What is left of a node's budget: all its runs since the flow came to it share one, those that answer further messages of the customer and those
 * that were interrupted. A limit of which nothing is left is 0, and the next run ends by it.
 */
export async function budgetLeft(
  tx: Tx,
  { id, node, conversation_id }: FlowRunRow,
  budget: RunBudget,
): Promise<RunBudget> {
  if (conversation_id === null) return budget;
  const steps = await tx.db
    .selectFrom('flow_step')
    .select(['node', 'outcome', 'ref', 'at'])
    .where('run_id', '=', id)
    .orderBy('seq')
    .execute();
  const before = steps.slice(0, steps.findLastIndex((step) => step.node !== node || step.outcome !== 'answered') + 1);
  // A clock that stands still tells no two stays apart, the steps do.
  const ofBefore = new Set(before.map(({ ref }) => ref));
  const rows = await tx.db
    .selectFrom('run')
    .select(['id', 'source', 'usage'])
    .where('conversation_id', '=', conversation_id)
    .where('created_at', '>=', before.at(-1)?.at ?? 0)
    .execute();
  const isOfNode = ({ source }: { readonly source: string }) => {
    const { flowRunId, nodeId } = fromJson<{ flowRunId?: string; nodeId?: string }>(source);
    return flowRunId === id && nodeId === node;
  };
  return rows
    .filter((run) => !ofBefore.has(run.id) && isOfNode(run))
    .map(({ usage }) => fromJson<RunUsage>(usage))
    .reduce(without, budget);
}

function without(budget: RunBudget, used: RunUsage): RunBudget {
  const left = (max: number, of: number) => Math.max(0, max - of);
  return {
    maxTokens: left(budget.maxTokens, used.inputTokens + used.outputTokens),
    maxModelCalls: left(budget.maxModelCalls, used.modelCalls),
    maxToolCalls: left(budget.maxToolCalls, used.toolCalls),
    maxSeconds: left(budget.maxSeconds, used.seconds),
    ...(budget.maxCostUsd !== undefined && { maxCostUsd: left(budget.maxCostUsd, used.costUsd) }),
  };
}
