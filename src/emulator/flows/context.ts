import type { FlowContext, JsonObject } from '../../flow/index.ts';
import { triggerOf } from '../../flow/index.ts';
import type { FlowRunSurroundings, Json, LoadedFlowRun } from '../../workspace/index.ts';

interface Seen {
  readonly definition: LoadedFlowRun['definition'];
  readonly surroundings: FlowRunSurroundings;
  readonly input: Json;
  readonly vars: { readonly [name: string]: Json };
}

/** What the conditions and templates of a step see. @param nowMs of the workspace clock */
export function contextOf({ definition, surroundings, input, vars }: Seen, nowMs: number): FlowContext {
  const { conversation, customer, channel, workspace } = surroundings;
  return {
    conversation: conversation === null ? null : asJson({ ...conversation, channel }),
    customer: customer === null ? null : asJson(customer),
    workspace,
    input,
    vars,
    now: momentIn(triggerOf(definition).node.timezone ?? 'UTC', nowMs),
  };
}

/** Answers of operations are JSON, whatever their types say of it. */
export const asJson = (value: object) => value as JsonObject;

const formats = new Map<string, Intl.DateTimeFormat>();

function momentIn(timeZone: string, nowMs: number): FlowContext['now'] {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      weekday: 'long',
      hour: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(nowMs).map(({ type, value }) => [type, value]));
  const { year, month, day, weekday = '', hour } = parts;
  return { date: `${year}-${month}-${day}`, weekday: weekday.toLowerCase(), hour: Number(hour) };
}
