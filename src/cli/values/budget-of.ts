import type { Input } from '../../contract/index.ts';
import { nearest, UsageError } from '../../std/index.ts';

type Budget = NonNullable<Input<'aiAgentRuns.create'>['budget']>;

const fields = {
  cost: 'maxCostUsd',
  tokens: 'maxTokens',
  modelCalls: 'maxModelCalls',
  toolCalls: 'maxToolCalls',
  seconds: 'maxSeconds',
} as const;

/** Reads `cost=0.5,tokens=50000`. @throws UsageError budget_invalid */
export function budgetOf(text: string | undefined): Budget {
  const budget: Budget = {};
  for (const part of (text ?? '').split(',').filter((one) => one.trim() !== '')) {
    const [name = '', value = '', ...rest] = part.split('=').map((one) => one.trim());
    const field = Object.hasOwn(fields, name) ? fields[name as keyof typeof fields] : undefined;
    if (field === undefined) {
      const meant = nearest(name, Object.keys(fields));
      throw new UsageError('budget_invalid', `A budget has no "${name}"`, {
        hint: meant ? `Did you mean "${meant}"?` : `It may limit ${Object.keys(fields).join(', ')}.`,
      });
    }
    if (rest.length > 0 || !/^\d+(\.\d+)?$/.test(value)) {
      throw new UsageError('budget_invalid', `${name} of the budget must be a number, as in ${name}=10`);
    }
    budget[field] = Number(value);
  }
  return budget;
}
