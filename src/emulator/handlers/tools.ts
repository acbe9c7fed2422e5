import { type Caller, type CallOptions, type Output, refusal } from '../../contract/index.ts';
import { toolCallerOf } from '../tools/callers.ts';
import type { CallToolRequest, GateTool, ToolAnswer } from '../tools/types.ts';
import { pageByKey } from './page-by-key.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

export function toolHandlers({
  tools,
  workspace,
  door,
}: Pick<MachineParts, 'tools' | 'workspace' | 'door'>): HandlersOf<'tools' | 'confirmations'> {
  return {
    async 'tools.list'({ source, ...page }) {
      const all = (await tools.listTools()).filter((tool) => source === undefined || tool.source.name === source);
      const { items, nextCursor } = pageByKey(all, (tool) => `${tool.source.name}/${tool.name}`, page);
      return { items: items.map(shown), nextCursor };
    },
    async 'tools.show'({ name }) {
      return shown(await tools.requireTool(name));
    },
    async 'tools.call'({ name, arguments: given, conversationId }, caller, options) {
      if (conversationId !== undefined) await door(caller)('conversations.get', { id: conversationId });
      const call = callOf(workspace, caller, options);
      const answer = await tools.callTool({ ...call, name, arguments: given, conversationId });
      return callAnswer(answer);
    },
    async 'confirmations.answer'({ id, answer, reason, arguments: given }, caller) {
      if (given !== undefined && answer === 'deny') {
        throw refusal('input_invalid', 'Arguments are changed by allowing the call', {
          errors: [{ path: 'arguments', message: 'belongs to the answer "allow"' }],
        });
      }
      const request = given === undefined ? undefined : await tools.editedRequest(id, given);
      return workspace.tools.answer({ id, answer, reason }, caller, request);
    },
  };
}

/** Who calls a tool, and how; a repeat with its idempotency key is the same call, also after this process was killed. */
export function callOf(
  workspace: Pick<MachineParts['workspace'], 'tools'>,
  caller: Caller,
  { signal, idempotencyKey }: CallOptions,
): Omit<CallToolRequest, 'name' | 'arguments'> {
  return {
    caller: toolCallerOf(caller),
    signal,
    trace: caller.trace ?? undefined,
    depth: caller.depth ?? 0,
    ...(idempotencyKey !== undefined && {
      toolCallId: `tlc_${workspace.tools.digest(`${caller.type} ${caller.id} ${idempotencyKey}`)}`,
    }),
  };
}

/** What REST, CLI and sdk are told: the code says what kind of error it is. */
export function callAnswer({ status, callId, result, error, confirmationId }: ToolAnswer): Output<'tools.call'> {
  return {
    status: status === 'ok' ? 'ok' : 'error',
    callId,
    ...(result !== undefined && { result: result as Output<'tools.call'>['result'] & {} }),
    ...(error && { error }),
    ...(confirmationId !== undefined && { confirmationId }),
  };
}

function shown(tool: GateTool): Output<'tools.show'> {
  const { name, source, title, description, annotations, callers, conversation, limits: own, version, problem } = tool;
  const { by, expiresAfterMs, onExpire, when } = tool.confirm;
  return {
    name,
    source,
    title,
    description,
    input: tool.input as Output<'tools.show'>['input'],
    output: (tool.output ?? null) as Output<'tools.show'>['output'],
    annotations,
    callers,
    conversation,
    confirm: { by, expiresAfterMs, onExpire: onExpire ?? null, conditional: when !== undefined },
    limits: own,
    function: tool.function,
    version,
    problem,
  };
}
