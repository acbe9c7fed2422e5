import { Budget, createPrices, defaultBudget } from '../../agent/index.ts';
import { type Caller, type ParsedInput, refusal } from '../../contract/index.ts';
import type { LoadedHarness, NewRun, RunBudget, RunSpec, Workspace } from '../../workspace/index.ts';
import type { Agents, ReadyAgent } from './agents.ts';

type Given = ParsedInput<'aiAgentRuns.create'>;

const defaultHistory = 40;
const defaultReplies = 3;

/**
 * What a run is to do: what the caller says, over what the agent's file says, over what the harness says.
 * @throws WorkspaceError ai_agent_not_found, ai_agent_ambiguous, ai_agent_broken, harness_not_found, harness_needs_secret, budget_price_unknown
 */
export async function planRun(
  { agents, workspace }: { readonly agents: Agents; readonly workspace: Pick<Workspace, 'harnesses'> },
  given: Given,
  caller: Pick<Caller, 'app'>,
): Promise<NewRun> {
  const agent = given.agent === undefined ? undefined : await agents.require(given.agent, caller.app);
  const harness = await workspace.harnesses.load(given.harness ?? agent?.config.harness ?? 'builtin');
  if (harness.needsSecret) {
    throw refusal('harness_needs_secret', `The harness ${harness.name} has no key or secret`, {
      hint: wayToSecret(harness),
    });
  }
  const { allowUnknownPrice = false, ...limits } = { ...agent?.config.budget, ...stated(given.budget ?? {}) };
  const budget: RunBudget = { ...defaultBudget, ...stated(limits) };
  const spec: RunSpec = {
    app: agent?.app ?? caller.app ?? null,
    title: agent?.config.title ?? null,
    instructions: given.instructions ?? agent?.config.instructions ?? '',
    models: await modelsOf(given, agent, harness),
    input: inputOf(given.input),
    tools: given.tools ?? agent?.config.tools ?? [],
    mcp: given.mcp ?? agent?.config.mcp ?? [],
    budget,
    allowUnknownPrice,
    history: {
      maxMessages: agent?.config.history?.maxMessages ?? defaultHistory,
      maxTokens: agent?.config.history?.maxTokens,
      ...(agent?.config.history?.summary === 'fast' && { summary: 'fast' as const }),
    },
    maxReplies: agent?.config.reply?.maxMessages ?? defaultReplies,
    context: {
      customer: agent?.config.context?.customer ?? [],
      conversation: agent?.config.context?.conversation ?? [],
    },
    sends: given.conversationId !== undefined,
    metadata: (given.metadata ?? {}) as RunSpec['metadata'],
  };
  requirePrices(spec, harness);
  return {
    spec,
    ...(agent && {
      agent: { app: agent.app, name: agent.name, content: agent.file.content, caps: agent.config.caps },
    }),
    harness: harness.id,
    ...(given.conversationId !== undefined && { conversationId: given.conversationId }),
  };
}

/** @throws WorkspaceError budget_price_unknown */
/** What gives a harness the key or the signing secret that it lacks. */
export function wayToSecret({ kind, name }: Pick<LoadedHarness, 'kind' | 'name'>): string {
  const command = kind === 'custom' ? `rotate ${name}` : `update ${name} --secret-stdin`;
  return `Give it one: fn harness ${command}`;
}

/** Whether an agent chooses its models itself; what it reports of them is counted. */
const hasOwnModels = ({ kind }: LoadedHarness): boolean => kind === 'custom' || kind === 'agent-framework';

function requirePrices({ budget, allowUnknownPrice, models }: RunSpec, harness: LoadedHarness): void {
  if (hasOwnModels(harness)) return;
  const { main, fallback } = models;
  const names = fallback === undefined ? [main] : [main, fallback];
  const [unpriced] = new Budget(budget, { prices: createPrices(), allowUnknownPrice }).modelsWithoutPrice(names);
  if (unpriced === undefined) return;
  throw refusal('budget_price_unknown', `The price of ${unpriced} is unknown, and the budget limits money`, {
    hint: 'Allow an unknown price (--allow-unknown-price), or leave maxCostUsd out: tokens and calls stay limited.',
  });
}

/** An agent with a script of its own and no other model speaks by its script, so that a new one works with no key and no network. */
async function modelsOf(
  given: Given,
  agent: ReadyAgent | undefined,
  harness: LoadedHarness,
): Promise<RunSpec['models']> {
  const models = {
    ...stated(harness.models),
    ...stated(agent?.config.models ?? {}),
    ...stated(given.models ?? {}),
  };
  if (models.main !== undefined) return { ...models, main: models.main };
  if (hasOwnModels(harness)) return { ...models, main: harness.kind };
  const script = agent && (await agent.file.text(`agents/${agent.name}.model.json`));
  return { ...models, main: agent && script !== undefined ? `script:${agent.name}` : 'script:default' };
}

function inputOf(input: Given['input']): RunSpec['input'] {
  if (input === undefined) return [];
  return typeof input === 'string' ? [{ role: 'user', content: input }] : input;
}

/** Without fields that are undefined: they override nothing. */
function stated<T extends object>(given: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}
