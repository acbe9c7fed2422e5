import type { Door } from '../contract/index.ts';
import type { CallToolRequest, Emulator, ToolAnswer, ToolCaller } from '../emulator/index.ts';
import { newId, UsageError } from '../std/index.ts';
import type { TestToolAnswer, TestToolCaller, TestWorkspace } from './types.ts';

interface Parts {
  readonly app: string;
  readonly tools: Emulator['tools'];
  readonly door: Door;
  readonly settled: () => Promise<unknown>;
}

/** Calls of tools as agents, nodes, MCP hosts, code and people make them, and the answers to their confirmations. */
export function toolMembers({
  app,
  tools,
  door,
  settled,
}: Parts): Pick<TestWorkspace, 'callTool' | 'answerConfirmation' | 'toolCalls'> {
  /** Calls of runs that wait, by confirmation: the run would make them again. */
  const waiting = new Map<string, CallToolRequest>();

  async function make(request: CallToolRequest): Promise<TestToolAnswer> {
    const answer = await tools.callTool(request);
    if (answer.status === 'awaitingConfirmation') waiting.set(answer.confirmationId ?? '', request);
    return shown(answer);
  }

  return {
    async callTool(name, input, { as = 'person', conversationId, run } = {}) {
      const caller = callerOf(app, as);
      const isOfRun = caller.kind === 'aiAgent' || caller.kind === 'aiNode' || caller.kind === 'harness';
      return make({
        name,
        arguments: input === undefined ? {} : JSON.parse(JSON.stringify(input)),
        caller,
        conversationId,
        toolCallId: newId('tlc'),
        ...(isOfRun && { runId: run ?? 'run_test' }),
      });
    },
    async answerConfirmation(id, answer, options = {}) {
      await door('confirmations.answer', {
        id,
        answer,
        ...(options.reason !== undefined && { reason: options.reason }),
        ...(options.arguments !== undefined && { arguments: options.arguments as never }),
      });
      const request = waiting.get(id);
      if (request) return make(request);
      await settled();
      const { callId, outcome } = await door('confirmations.show', { id });
      if (outcome === null) throw new UsageError('confirmation_unfinished', `The call of ${id} has not ended`);
      return { ...(outcome as Omit<TestToolAnswer, 'callId'>), callId };
    },
    async toolCalls() {
      const { items } = await door('tools.logs', { limit: 200 });
      return items.reverse();
    },
  };
}

function callerOf(app: string, as: TestToolCaller): ToolCaller {
  if (as === 'person') return { kind: 'person', agentId: null };
  if (as === 'mcp') return { kind: 'mcp' };
  if (as === 'code') return { kind: 'code', type: 'function', app, id: `${app}/test` };
  if ('aiAgent' in as) return { kind: 'aiAgent', ...withApp(app, as.aiAgent) };
  if ('harness' in as) return { kind: 'harness', name: as.harness };
  const [node = '', flow = '', of = app] = as.aiNode.split('/').reverse();
  return { kind: 'aiNode', app: of, flow, node };
}

function withApp(app: string, name: string): { app: string; name: string } {
  const [own = '', of = app] = name.split('/').reverse();
  return { app: of, name: own };
}

function shown({ content: _, ...answer }: ToolAnswer): TestToolAnswer {
  return answer;
}
