import type { Flow } from '../../contract/shapes/index.ts';
import type { FlowCall } from '../../flow/index.ts';
import type { LoadedFlowRun, NewRun, Workspace } from '../../workspace/index.ts';
import type { MachineParts } from '../handlers/parts.ts';
import { planRun } from '../runs/plan-run.ts';

type Node<T extends string> = Extract<Flow['nodes'][string], { type: T }>;
type Call<T extends string> = Extract<FlowCall, { type: T }>;

export interface PlanParts extends Pick<MachineParts, 'agents'> {
  readonly workspace: Pick<Workspace, 'harnesses'>;
}

const defaultCollectMs = 1_500;

/**
 * The run of an AI agent node: it answers in the conversation, with what was written there before.
 * @throws WorkspaceError what planRun throws
 */
export async function planAgentRun(
  parts: PlanParts,
  run: LoadedFlowRun,
  node: Node<'ai-agent'>,
  call: Call<'ai-agent'>,
  nowMs: number,
): Promise<Omit<NewRun, 'source' | 'next'>> {
  const conversationId = run.surroundings.conversation?.id;
  const plan = await planRun(
    parts,
    {
      agent: node.agent,
      harness: node.harness ?? (node.agent === undefined ? 'builtin' : undefined),
      instructions: call.instructions,
      models: node.models,
      tools: node.tools,
      mcp: node.mcp,
      budget: node.budget,
      conversationId,
      // Without a conversation there is nothing that precedes it.
      input: conversationId === undefined ? JSON.stringify(run.input) : undefined,
    },
    { app: run.app },
  );
  const own = node.agent === undefined ? undefined : (await parts.agents.require(node.agent, run.app)).config;
  const onNewMessage = node.onNewMessage ?? own?.onNewMessage ?? 'collect';
  if (conversationId === undefined || onNewMessage === 'queue') return plan;
  if (onNewMessage !== 'collect') return { ...plan, spec: { ...plan.spec, onNewMessage } };
  // Messages that come at once are answered together.
  return { ...plan, due: nowMs + (node.collectMs ?? own?.collectMs ?? defaultCollectMs) };
}

/**
 * The run of an AI node: it is asked once, outside the conversation.
 * @param name of the node: tools permit it as `flow/node`
 * @throws WorkspaceError what planRun throws
 */
export async function planAiRun(
  parts: PlanParts,
  run: LoadedFlowRun,
  { name, node }: { readonly name: string; readonly node: Node<'ai'> },
  call: Call<'ai'>,
): Promise<Omit<NewRun, 'source' | 'next'>> {
  const harness = node.harness ?? 'builtin';
  const { models } = await parts.workspace.harnesses.load(harness);
  const main = node.model ?? models.fast ?? models.main;
  const plan = await planRun(
    parts,
    {
      harness,
      instructions: instructionsFor(node),
      models: main === undefined ? undefined : { main },
      tools: node.tools,
      mcp: node.mcp,
      budget: node.budget,
      input: call.prompt,
    },
    { app: run.app },
  );
  return { ...plan, spec: { ...plan.spec, node: { app: run.app, flow: run.flow, node: name } } };
}

function instructionsFor({ output }: Node<'ai'>): string {
  if (output === undefined) return 'Answer what you are asked, and say nothing else.';
  return `Answer with one JSON value and nothing else. It matches this JSON Schema: ${JSON.stringify(output)}`;
}
