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
/** The last answer for each time zone: formatting takes longer than a step that only decides. */
const latest = new Map<string, { readonly quarter: number; readonly now: FlowContext['now'] }>();
/** Within a quarter of an hour it is the same hour everywhere. */
const quarterMs = 15 * 60_000;

function momentIn(timeZone: string, nowMs: number): FlowContext['now'] {
  const quarter = Math.floor(nowMs / quarterMs);
  const known = latest.get(timeZone);
  if (known?.quarter === quarter) return known.now;
  const now = formatMoment(timeZone, nowMs);
  latest.set(timeZone, { quarter, now });
  return now;
}

function formatMoment(timeZone: string, nowMs: number): FlowContext['now'] {
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
