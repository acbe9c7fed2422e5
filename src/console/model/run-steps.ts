import type { Output } from '../../contract/index.ts';
import { isRecord } from './problem.ts';

export type Run = Output<'aiAgentRuns.show'>;
export type ModelCall = Run['modelCalls'][number];
export type ToolCall = Run['toolCalls'][number];

/** What happened in a run, in the order of its counter. */
export type RunStep =
  | { readonly kind: 'model'; readonly id: string; readonly seq: number; readonly at: string; readonly call: ModelCall }
  | { readonly kind: 'tool'; readonly id: string; readonly seq: number; readonly at: string; readonly call: ToolCall };

/** The calls of a run by `seq`. */
export function stepsOf({ modelCalls, toolCalls }: Pick<Run, 'modelCalls' | 'toolCalls'>): RunStep[] {
  const models = modelCalls.map((call) => ({
    kind: 'model' as const,
    id: call.id,
    seq: call.seq,
    at: call.startedAt,
    call,
  }));
  const tools = toolCalls.map((call) => ({
    kind: 'tool' as const,
    id: call.id,
    seq: call.seq,
    at: call.startedAt,
    call,
  }));
  return [...models, ...tools].sort((a, b) => a.seq - b.seq);
}

/** What a model call was for, or what came of it, in words. */
export function wordsOfCall(call: ModelCall, run: Run): string {
  if (call.error) return `${call.error.code}: ${call.error.message}`;
  const wanted = run.toolCalls.filter(({ modelCallId }) => modelCallId === call.id).map(({ name }) => name);
  if (wanted.length > 0) return `Wants ${wanted.join(', ')}`;
  if (call.finishReason === null) return 'under way';
  return call.finishReason === 'stop' ? 'Answers' : `Ended by: ${call.finishReason}`;
}

/** Of a fallback, the call before that failed: why the other model was asked. */
export function reasonOfFallback(call: ModelCall, { modelCalls }: Run): ModelCall | undefined {
  if (call.role !== 'fallback') return undefined;
  return modelCalls.findLast(({ seq, error }) => seq < call.seq && error !== null);
}

/** A share of a limit of the budget. */
export interface Share {
  readonly title: string;
  readonly used: string;
  readonly limit: string | undefined;
  /** 0 to 1; undefined without a limit. */
  readonly share: number | undefined;
  /** It ended the run. */
  readonly isOver: boolean;
}

/** What was used of the budget. @param words how amounts are written */
export function sharesOf(
  { usage, budget, budgetExceeded }: Pick<Run, 'usage' | 'budget' | 'budgetExceeded'>,
  words: {
    readonly usd: (usd: number) => string;
    readonly count: (n: number) => string;
    readonly ms: (ms: number) => string;
  },
): Share[] {
  const of = (
    title: string,
    used: number,
    limit: number | null,
    write: (n: number) => string,
    name: Run['budgetExceeded'],
  ): Share => ({
    title,
    used: write(used),
    limit: limit === null ? undefined : write(limit),
    share: limit === null || limit === 0 ? undefined : Math.min(1, used / limit),
    isOver: budgetExceeded === name,
  });
  const seconds = (value: number) => words.ms(value * 1_000);
  return [
    of('Cost', usage.costUsd, budget.maxCostUsd, words.usd, 'cost'),
    of('Tokens', usage.inputTokens + usage.outputTokens, budget.maxTokens, words.count, 'tokens'),
    of('Model calls', usage.modelCalls, budget.maxModelCalls, words.count, 'modelCalls'),
    of('Tool calls', usage.toolCalls, budget.maxToolCalls, words.count, 'toolCalls'),
    of('Working time', usage.seconds, budget.maxSeconds, seconds, 'time'),
  ];
}

/** A message that a model was sent, as one reads it. */
export interface Sent {
  readonly role: string;
  /** Besides the role: the name of a tool, or of an author. */
  readonly by: string;
  readonly text: string;
}

/** One message of `aiAgentRuns.showModelCall`, whatever the harness has put into it. */
export function sentOf(message: unknown): Sent {
  if (!isRecord(message)) return { role: 'message', by: '', text: JSON.stringify(message) };
  const { role, name, tool, author, content, text, toolCalls, ...rest } = message;
  const said = textOf(content ?? text);
  const calls = Array.isArray(toolCalls)
    ? toolCalls.map((call) =>
        isRecord(call)
          ? `calls ${String(call['name'])} ${JSON.stringify(call['arguments'] ?? {})}`
          : JSON.stringify(call),
      )
    : [];
  const shown = [said, ...calls].filter((part) => part !== '');
  const by = [name, tool, author].find((one): one is string => typeof one === 'string') ?? '';
  return { role: String(role ?? 'message'), by, text: shown.length > 0 ? shown.join('\n') : JSON.stringify(rest) };
}

function textOf(content: unknown): string {
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

/** A message as it is beside those of another call. */
export interface SentChange extends Sent {
  readonly state: 'same' | 'added' | 'removed';
}

/** The messages of a call beside those of the call before: what both begin with is the same, the rest was added or is gone. */
export function changesOf(messages: readonly Sent[], before: readonly Sent[]): SentChange[] {
  let same = 0;
  while (same < messages.length && same < before.length && isAlike(messages[same], before[same])) same++;
  let last = 0;
  while (
    last < messages.length - same &&
    last < before.length - same &&
    isAlike(messages[messages.length - 1 - last], before[before.length - 1 - last])
  )
    last++;
  const marked = (list: readonly Sent[], state: SentChange['state']) => list.map((one) => ({ ...one, state }));
  return [
    ...marked(messages.slice(0, same), 'same'),
    ...marked(before.slice(same, before.length - last), 'removed'),
    ...marked(messages.slice(same, messages.length - last), 'added'),
    ...marked(messages.slice(messages.length - last), 'same'),
  ];
}

const isAlike = (a: Sent | undefined, b: Sent | undefined): boolean =>
  a?.role === b?.role && a?.by === b?.by && a?.text === b?.text;
