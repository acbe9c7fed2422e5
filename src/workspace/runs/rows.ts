import type { Selectable } from 'kysely';
import { harnessNote, type Output, openRunStatuses, refusal } from '../../contract/index.ts';
import { isRecord, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import type { Json, RunEventRecord, RunInputMessage, RunSource, RunSpec, RunUsage } from '../types.ts';
import { eventsOf } from './events.ts';

export type RunRow = Selectable<Tables['run']>;
type Run = Output<'aiAgentRuns.show'>;
type RunInList = Output<'aiAgentRuns.list'>['items'][number];
type ModelCall = Run['modelCalls'][number];
type ToolCall = Run['toolCalls'][number];
type Event = RunEventRecord['event'];

export const isOpen = ({ status }: Pick<RunRow, 'status'>): boolean =>
  (openRunStatuses as readonly string[]).includes(status);

export const nothingUsed: RunUsage = {
  modelCalls: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  costUsd: 0,
  costBasis: 'priced',
  seconds: 0,
  byModel: [],
};

export const noResult: Run['result'] = { type: 'none', messageIds: [], teamId: null, reason: null, summary: null };

const noSource: RunSource = {
  type: 'api',
  app: null,
  function: null,
  flowId: null,
  flowVersion: null,
  nodeId: null,
  flowRunId: null,
};

/** @throws WorkspaceError run_not_found */
export async function requireRun({ db }: Tx, id: string): Promise<RunRow> {
  const row = await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('run_not_found', `There is no run ${id}, or it is no longer kept`);
  return row;
}

/** The limit that a budget's error names. */
const exceededBy: Readonly<Record<string, Run['budgetExceeded']>> = {
  budget_cost: 'cost',
  budget_tokens: 'tokens',
  budget_model_calls: 'modelCalls',
  budget_tool_calls: 'toolCalls',
  budget_time: 'time',
};

export function runInListOf(row: RunRow): RunInList {
  const { budget, models, metadata } = fromJson<RunSpec & { metadata: Record<string, Json> }>(row.spec);
  const error = row.error === null ? null : fromJson<NonNullable<Run['error']>>(row.error);
  const time = (ms: number | null) => (ms === null ? null : toTimestamp(ms));
  return {
    id: row.id,
    object: 'aiAgentRun',
    status: row.status as Run['status'],
    source: { ...noSource, ...fromJson<Partial<RunSource>>(row.source) },
    aiAgentId: row.agent_id,
    agent: row.agent,
    harness: harnessOf(row),
    conversationId: row.conversation_id,
    customerId: row.customer_id,
    models: { main: models.main, fallback: models.fallback ?? null, fast: models.fast ?? null },
    budget: { ...budget, maxCostUsd: budget.maxCostUsd ?? null },
    usage: fromJson<RunUsage>(row.usage),
    budgetExceeded: (error && exceededBy[error.code]) ?? null,
    text: row.text,
    result: fromJson<Run['result']>(row.result),
    error,
    waitingFor: fromJson<Run['waitingFor']>(row.waiting_for),
    metadata,
    rerunOf: row.rerun_of,
    traceId: row.trace_id,
    createdAt: toTimestamp(row.created_at),
    startedAt: time(row.started_at),
    endedAt: time(row.ended_at),
  };
}

/** The whole record, made of the run's row and its events. */
export async function runOf(tx: Tx, row: RunRow): Promise<Run> {
  const { input } = fromJson<RunSpec>(row.spec);
  const inList = runInListOf(row);
  return {
    ...inList,
    input: input.map(({ role, content }) => ({ role, content })),
    history: fromJson<Run['history']>(row.history),
    ...callsOf(await eventsOf(tx, row.id), row, inList.waitingFor),
    warnings: fromJson<Run['warnings']>(row.warnings),
    lateEvents: row.late_events,
  };
}

interface RequestedCall {
  readonly id: string;
  readonly modelCallId: string | null;
  readonly name: string;
  readonly arguments?: Json;
  readonly rawArguments?: string;
  readonly own?: boolean;
}

/** Model calls and tool calls by their events: one counter over both, so that the record reads as a timeline. */
function callsOf(
  events: readonly RunEventRecord[],
  row: RunRow,
  waitingFor: Run['waitingFor'],
): Pick<Run, 'modelCalls' | 'toolCalls'> {
  const modelCalls = new Map<string, ModelCall>();
  const toolCalls = new Map<string, ToolCall>();
  const sources = new Map<string, ToolCall['source']>();
  let seq = 0;
  for (const { at, event } of events) {
    switch (event.type) {
      case 'run.tools':
        for (const { name, source } of event['tools'] as { name: string; source: ToolCall['source'] }[]) {
          sources.set(name, source);
        }
        break;
      case 'modelCall.started': {
        const id = String(event['modelCallId']);
        modelCalls.set(id, startedCall(id, ++seq, at, event));
        break;
      }
      case 'modelCall.ended': {
        const call = modelCalls.get(String(event['modelCallId']));
        if (call) modelCalls.set(call.id, endedCall(call, at, event));
        break;
      }
      case 'toolCall.requested': {
        const call = event['call'] as RequestedCall;
        if (toolCalls.has(call.id)) break;
        const source = sources.get(call.name) ?? {
          type: call.own ? 'agent' : 'function',
          function: null,
          client: null,
        };
        const question = waitingFor.find(({ toolCallId }) => toolCallId === call.id);
        toolCalls.set(call.id, {
          id: call.id,
          seq: ++seq,
          modelCallId: call.modelCallId,
          name: call.name,
          source,
          arguments: call.arguments ?? call.rawArguments ?? null,
          status: question ? 'awaitingConfirmation' : isOpen(row) ? 'running' : 'cancelled',
          result: null,
          error: null,
          startedAt: toTimestamp(at),
          endedAt: null,
          confirmation: question?.id ?? null,
        });
        break;
      }
      case 'toolCall.ended': {
        const { id } = event['call'] as RequestedCall;
        const call = toolCalls.get(id);
        if (call) toolCalls.set(id, endedToolCall(call, at, event));
        break;
      }
    }
  }
  return { modelCalls: [...modelCalls.values()], toolCalls: [...toolCalls.values()] };
}

function startedCall(id: string, seq: number, at: number, event: Event): ModelCall {
  return {
    id,
    seq,
    role: event['role'] as ModelCall['role'],
    provider: String(event['provider']),
    model: String(event['model']),
    startedAt: toTimestamp(at),
    endedAt: null,
    finishReason: null,
    usage: null,
    costUsd: null,
    error: null,
  };
}

function endedCall(call: ModelCall, at: number, event: Event): ModelCall {
  return {
    ...call,
    model: String(event['model']),
    endedAt: toTimestamp(at),
    finishReason: event['finishReason'] as ModelCall['finishReason'],
    usage: event['usage'] as ModelCall['usage'],
    costUsd: event['costUsd'] as number | null,
    error: event['error'] as ModelCall['error'],
  };
}

function endedToolCall(call: ToolCall, at: number, event: Event): ToolCall {
  const result = event['result'] as {
    status: ToolCall['status'];
    content: string;
    result?: Json;
    error?: { code: string; message: string };
    confirmationId?: string;
  };
  return {
    ...call,
    status: result.status,
    result: result.status === 'ok' ? (result.result ?? result.content) : null,
    error: result.error === undefined ? null : { code: result.error.code, message: result.error.message },
    endedAt: toTimestamp(at),
    confirmation: result.confirmationId ?? call.confirmation,
  };
}

/** What a model was asked in one call, and what it answered. @throws WorkspaceError model_call_not_found */
export async function modelCallOf(
  tx: Tx,
  row: RunRow,
  modelCallId: string,
): Promise<Output<'aiAgentRuns.showModelCall'>> {
  const events = await eventsOf(tx, row.id);
  const { modelCalls } = callsOf(events, row, []);
  const call = modelCalls.find(({ id }) => id === modelCallId);
  if (call === undefined) throw refusal('model_call_not_found', `${row.id} has no model call ${modelCallId}`);
  const asked = askedOf(events, modelCallId);
  if (asked !== undefined) {
    const summary = events.find(({ event }) => event.type === 'history.summary')?.event;
    const answer = summary === undefined ? null : { role: 'assistant', content: noteOf(summary) };
    return { ...call, ...asked, tools: [], answer };
  }
  const { instructions, tools } = fromJson<RunSpec>(row.spec);
  const messages: Json[] = fromJson<RunInputMessage[]>(row.messages ?? '[]').map(({ role, content, author }) => ({
    role,
    content,
    author,
  }));
  let answer: Json = null;
  const offered = events.findLast(({ event }) => event.type === 'run.tools');
  for (const { event } of events) {
    if (event.type === 'modelCall.started' && event['modelCallId'] === modelCallId) break;
    if (event.type === 'history.summary') messages.unshift({ role: 'user', content: noteOf(event), author: 'system' });
    const added = messageOf(event);
    if (added !== undefined) messages.push(added);
  }
  for (const { event } of events) {
    if (event.type === 'modelCall.ended' && event['modelCallId'] === modelCallId) answer = messageOf(event) ?? null;
  }
  const names = (offered?.event['tools'] as { name: string }[] | undefined)?.map(({ name }) => name) ?? [...tools];
  return { ...call, instructions, messages, tools: names, answer };
}

/** What a call was asked that is no turn of the conversation: a summary of what the run does not see of it. */
function askedOf(
  events: readonly RunEventRecord[],
  modelCallId: string,
): { instructions: string; messages: Json[] } | undefined {
  const started = events.find(
    ({ event }) => event.type === 'modelCall.started' && event['modelCallId'] === modelCallId,
  )?.event;
  return started?.['asked'] as { instructions: string; messages: Json[] } | undefined;
}

const noteOf = (summary: Event) => String(summary['note']);

/** What an event adds to the messages of a model. */
function messageOf(event: Event): Json | undefined {
  if (event.type === 'modelCall.ended' && isRecord(event['answer'])) {
    const { content, toolCalls } = event['answer'] as { content: string; toolCalls?: RequestedCall[] };
    const calls = (toolCalls ?? []).map(({ id, name, rawArguments, ...rest }) => {
      return { id, name, arguments: rest.arguments ?? rawArguments ?? null };
    });
    return { role: 'assistant', content, ...(calls.length > 0 && { toolCalls: calls }) };
  }
  if (event.type === 'toolCall.ended') {
    const { call, result } = event as unknown as { call: RequestedCall; result: { content: string } };
    return { role: 'tool', toolCallId: call.id, name: call.name, content: result.content };
  }
  return undefined;
}

function harnessOf(row: Pick<RunRow, 'harness_id' | 'harness'>): RunInList['harness'] {
  const { kind, name } = fromJson<{ kind: string; name: string }>(row.harness);
  return { id: row.harness_id, kind, name, note: harnessNote(kind) };
}
