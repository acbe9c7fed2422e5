import type { Fact, RunSurroundings } from '../../agent/index.ts';
import { isRecord } from '../../std/index.ts';
import type { LoadedRun } from '../../workspace/index.ts';

/** What a model is told of customer and conversation: what the agent's file names, and nothing else. */
export function surroundingsOf(run: LoadedRun): { readonly about: RunSurroundings; readonly facts: readonly Fact[] } {
  const { conversation, customer, channel, spec, agent } = run;
  const shown = conversation && picked({ ...conversation, channel }, spec.context.conversation);
  const known = customer && picked(customer, spec.context.customer);
  const facts = [
    ...Object.entries(known ?? {}).map(([path, value]) => ({ description: `customer.${path}`, value: textOf(value) })),
    ...Object.entries(shown ?? {}).map(([path, value]) => ({
      description: `conversation.${path}`,
      value: textOf(value),
    })),
  ];
  return {
    about: {
      environment: 'local',
      ...(agent && { agent }),
      ...(conversation && { conversation: { ...shown, id: conversation.id, channel: channel ?? '' } }),
      ...(customer && { customer: { ...known, id: customer.id } }),
      context: facts,
    },
    facts,
  };
}

/** The values at these paths: `name`, `fields.tier`. */
function picked(from: object, paths: readonly string[]): Record<string, unknown> {
  const values = paths.map((path): [string, unknown] => [path, valueAt(from, path)]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
}

function valueAt(from: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, part) => (isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined), from);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
