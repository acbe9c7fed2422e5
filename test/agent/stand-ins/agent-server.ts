import { type Brain, brain as commonBrain, type Decision, tokens } from './brain.ts';
import { makeTrouble, openServer, type ServedRequest, type Server, sendForEver, type Trouble } from './server.ts';
import { isSignedWith, signWith } from './signature.ts';

/** `stream`: events one by one. `json`: all events in one reply. `short`: the short form. `chunks`: events of the `_CHUNK` kind. */
export type ReplyForm = 'stream' | 'json' | 'short' | 'chunks';

export type Event = Readonly<Record<string, unknown>>;

/** `later`: 202, and whoever asks for it sends the events. */
type Reply = readonly Event[] | { readonly json: unknown } | { readonly later: true };

export interface AgentServerOptions {
  readonly brain?: Brain;
  readonly trouble?: (number: number) => Trouble | undefined;
  readonly form?: ReplyForm;
  /** Checks requests with it, and signs JSON replies. */
  readonly secret?: string;
  /** Whether it tells of its model calls. */
  readonly tellsModelCalls?: boolean;
  /** Whether it sends the JSON reply's signature. */
  readonly signs?: boolean;
  /** Decides everything instead of the brain: the events of the reply, or a JSON reply. */
  readonly reply?: (request: ServedRequest, number: number) => Reply | Promise<Reply>;
  readonly changeSignature?: (headers: Record<string, string>) => Record<string, string>;
}

/** A stand-in for a custom agent's server. It speaks AG-UI by the book and keeps nothing between two legs. */
export async function openAgentServer(options: AgentServerOptions = {}): Promise<Server> {
  const { brain = commonBrain, trouble, form = 'stream', secret, signs = secret !== undefined, reply } = options;
  return await openServer(async (request, response, number) => {
    const wrong = trouble?.(number);
    if (makeTrouble(wrong, response)) return;
    if (request.headers['webhook-id'] === undefined && secret === undefined) {
      // A server that does not know about signatures.
    } else if (secret !== undefined && !isSignedWith(secret, request.headers, request.text)) {
      response.writeHead(401, { 'content-type': 'application/json' });
      return void response.end('{"error":"signature"}');
    }
    const made = await reply?.(request, number);
    if (made !== undefined && 'later' in made) {
      response.writeHead(202, { 'content-type': 'application/json' });
      return void response.end('{"status":"accepted"}');
    }
    const { runId, threadId } = request.body;
    const decision = brain(read(request.body));
    const json =
      made !== undefined && 'json' in made
        ? made.json
        : form === 'short' && made === undefined
          ? toShort(decision)
          : form === 'json'
            ? { events: made ?? toEvents(decision, runId, threadId, request, options) }
            : undefined;
    if (json !== undefined) {
      const body = JSON.stringify(json);
      const signature =
        signs && secret !== undefined ? signWith(secret, String(request.headers['webhook-id']), body) : {};
      const headers = { 'content-type': 'application/json', ...(options.changeSignature?.(signature) ?? signature) };
      response.writeHead(200, headers);
      return void response.end(body);
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    response.write(': hello\n\n');
    const events = (made as readonly Event[]) ?? toEvents(decision, runId, threadId, request, options);
    for (const [i, event] of events.entries()) {
      const isText = 'delta' in event && String(event['type']).startsWith('TEXT');
      response.write(`data: ${JSON.stringify(event)}\n\n`);
      if (!isText) continue;
      if (wrong === 'stall') return;
      if (wrong === 'cut') return void setImmediate(() => response.socket?.destroy());
      if (wrong === 'endless') return sendForEver(response, `data: ${JSON.stringify(events[i])}\n\n`);
    }
    response.end();
  });
}

function read({ messages }: ServedRequest['body']) {
  const at = messages.findLastIndex(({ role }: { role: string }) => role === 'user');
  return {
    lastUser: String(messages[at]?.content ?? ''),
    results: messages
      .slice(at + 1)
      .flatMap((message: { role: string; content: string }) => (message.role === 'tool' ? [message.content] : [])),
    instructions: String(messages[0]?.content ?? ''),
  };
}

let nextId = 1;

function toEvents(
  { text, calls = [] }: Decision,
  runId: string,
  threadId: string,
  { body, text: sent }: ServedRequest,
  { form, tellsModelCalls = true }: AgentServerOptions,
): Event[] {
  const model = body.forwardedProps.agent.models.main;
  const messageId = `m${nextId++}`;
  const pieces = text?.match(/[\s\S]{1,20000}?(?:\s|$)|[\s\S]{1,20000}/g) ?? [];
  const made = calls.map((call) => ({ ...call, toolCallId: `c${nextId++}` }));
  const usage = {
    provider: 'stand-in',
    model,
    inputTokens: tokens(sent),
    outputTokens: tokens((text ?? '') + JSON.stringify(calls)),
  };
  const said =
    form === 'chunks'
      ? pieces.map((delta, i) => ({
          type: 'TEXT_MESSAGE_CHUNK',
          delta,
          ...(i === 0 && { messageId, role: 'assistant' }),
        }))
      : pieces.length === 0
        ? []
        : [
            { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
            ...pieces.map((delta) => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
            { type: 'TEXT_MESSAGE_END', messageId },
          ];
  const asked = made.flatMap(({ toolCallId, tool, args = {}, raw }): Event[] => {
    const written = raw ?? JSON.stringify(args);
    const parentMessageId = messageId;
    if (form === 'chunks') {
      return [
        { type: 'TOOL_CALL_CHUNK', toolCallId, toolCallName: tool, parentMessageId, delta: written.slice(0, 5) },
        { type: 'TOOL_CALL_CHUNK', delta: written.slice(5) },
      ];
    }
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: tool, parentMessageId },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: written.slice(0, 5) },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: written.slice(5) },
      { type: 'TOOL_CALL_END', toolCallId },
    ];
  });
  const step = (type: string) => (tellsModelCalls ? [{ type, stepName: `model:${model}` }] : []);
  return [
    { type: 'RUN_STARTED', runId, threadId, protocolVersion: '1.0' },
    ...step('STEP_STARTED'),
    ...said,
    ...asked,
    ...step('STEP_FINISHED'),
    {
      type: 'RUN_FINISHED',
      runId,
      threadId,
      outcome: { type: 'success', pendingToolCallIds: made.map(({ toolCallId }) => toolCallId) },
      usage: [usage],
    },
  ];
}

function toShort({ text, calls }: Decision): object {
  return {
    ...(text !== undefined && { reply: text }),
    ...(calls && {
      toolCalls: calls.map(({ tool, args, raw }) => ({ id: `c${nextId++}`, name: tool, arguments: raw ?? args })),
    }),
  };
}
