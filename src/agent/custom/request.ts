import { traceHeaders } from '../../std/index.ts';
import type { BudgetLimits } from '../budget/budget.ts';
import type {
  AssistantMessage,
  ContentPart,
  OpenDoor,
  RunDoor,
  RunInput,
  RunMessage,
  ToolMessage,
  UserMessage,
} from '../types.ts';

export interface LegRequest {
  /** The id of the run that the agent sees: `run_…-1`. */
  readonly runId: string;
  readonly threadId: string;
  /** `traceparent` and `tracestate`. */
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** How many of the oldest messages do not fit. */
  readonly dropped: number;
}

/** What one leg adds to the input of its run. */
export interface Leg {
  readonly number: number;
  readonly soFar: readonly RunMessage[];
  readonly state: unknown;
  readonly resume: RunInput['resume'];
  /** Where tools can be called inside the agent's loop. */
  readonly door?: (Pick<OpenDoor, 'mcp' | 'callback'> & Pick<RunDoor, 'expiresAt'>) | undefined;
}

/**
 * The body of one leg: `RunAgentInput` of AG-UI 1.0, with what its `forwardedProps` say by our profile. Of a conversation that is too
 * long the oldest messages are left out.
 * @see https://docs.ag-ui.com/sdk/js/core/types
 */
export function buildLegRequest(input: RunInput, leg: Leg, maxBytes: number): LegRequest {
  const runId = `${input.runId}-${leg.number}`;
  const threadId = input.about?.conversation?.id ?? input.runId;
  const { trace } = input;
  const passOn = Object.fromEntries(trace === undefined ? [] : traceHeaders(trace.traceId, input.runId, trace.depth));
  const all = toWireMessages([...input.messages, ...leg.soFar], leg.resume !== undefined);
  for (let dropped = 0; ; dropped++) {
    const kept = all.slice(dropped);
    // A result without its call cannot be read.
    if (dropped > 0 && kept[0]?.role === 'tool') continue;
    const body = JSON.stringify({
      threadId,
      runId,
      protocolVersion: '1.0',
      messages: [{ id: 'sys', role: 'system', content: input.instructions }, ...kept],
      tools: input.tools.map(({ name, description, input: parameters, source, readOnly, confirm }) => ({
        name,
        description,
        parameters,
        metadata: { source: source ?? 'function', readOnly: readOnly ?? false, confirm: confirm ?? 'never' },
      })),
      context: input.about?.context ?? [],
      state: leg.state ?? {},
      forwardedProps: toForwardedProps(input, leg),
      ...(leg.resume !== undefined && { resume: leg.resume }),
    });
    if (kept.length <= 1 || Buffer.byteLength(body) <= maxBytes)
      return { runId, threadId, traceHeaders: passOn, body, dropped };
  }
}

function toForwardedProps({ runId, models, budget, about }: RunInput, { number, door }: Leg): Record<string, unknown> {
  const limits: BudgetLimits = budget.limits;
  const { left } = budget;
  return {
    schema: 1,
    environment: about?.environment ?? 'local',
    run: { id: runId, leg: number },
    agent: { ...about?.agent, models },
    budget: { ...limits, left },
    ...(about?.conversation && { conversation: about.conversation }),
    ...(about?.customer && { customer: about.customer }),
    ...(door && { mcp: { ...door.mcp, expiresAt: door.expiresAt.toISOString() }, callback: door.callback }),
    deadline: new Date(Date.now() + left.seconds * 1_000).toISOString(),
  };
}

interface WireMessage {
  readonly id: string;
  readonly role: 'user' | 'assistant' | 'tool';
  readonly [field: string]: unknown;
}

/** @param resumes whether calls without a result are still open: they belong to what the agent waits for */
function toWireMessages(messages: readonly RunMessage[], resumes: boolean): WireMessage[] {
  const externalIds = new Map<string, string>();
  const answered = new Set(messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : [])));
  return messages.flatMap((message, i) => {
    const id = ('id' in message ? message.id : undefined) ?? `m${i}`;
    if (message.role === 'user') return [toUser(id, message)];
    if (message.role === 'tool') return [toTool(message, externalIds)];
    for (const call of message.toolCalls ?? []) externalIds.set(call.id, call.externalId);
    const open = resumes ? [] : (message.toolCalls ?? []).filter((call) => !answered.has(call.id));
    const notMade = open.map(
      (call): ToolMessage => ({
        role: 'tool',
        toolCallId: call.id,
        name: call.name,
        content: 'This call was not carried out.',
        errorCode: 'tool_cancelled',
      }),
    );
    return [toAssistant(id, message), ...notMade.map((result) => toTool(result, externalIds))];
  });
}

function toUser(id: string, { content, author = 'customer', sentAt }: UserMessage): WireMessage {
  const metadata = { author, ...(sentAt !== undefined && { sentAt }) };
  return { id, role: 'user', content: typeof content === 'string' ? content : content.map(toPart), metadata };
}

function toPart(part: ContentPart): Record<string, unknown> {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, data, name } = part;
  const kind = /^(image|audio|video)\//.exec(mediaType)?.[1] ?? 'document';
  const source = { type: 'data', value: data, mimeType: mediaType };
  return { type: kind, source, ...(name !== undefined && { metadata: { filename: name } }) };
}

function toAssistant(id: string, message: AssistantMessage): WireMessage {
  const { content, toolCalls = [], author = 'aiAgent', sentAt, externalId } = message;
  return {
    id: externalId ?? id,
    role: 'assistant',
    content,
    ...(toolCalls.length > 0 && {
      toolCalls: toolCalls.map((call) => ({
        id: call.externalId,
        type: 'function',
        function: { name: call.name, arguments: call.rawArguments ?? JSON.stringify(call.arguments ?? {}) },
      })),
    }),
    metadata: { author, ...(sentAt !== undefined && { sentAt }) },
  };
}

function toTool(
  { toolCallId, content, errorCode }: ToolMessage,
  externalIds: ReadonlyMap<string, string>,
): WireMessage {
  return {
    id: `result-${toolCallId}`,
    role: 'tool',
    toolCallId: externalIds.get(toolCallId) ?? toolCallId,
    content,
    ...(errorCode !== undefined && { error: errorCode }),
  };
}
