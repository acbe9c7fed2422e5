import type { CheckServerOptions, HarnessConfig, ScenarioResult } from '../../agent/index.ts';
import { harnessNote, type Output, refusal } from '../../contract/index.ts';
import type { Agents, FoundAgent } from '../runs/agents.ts';
import { pageByKey } from './page-by-key.ts';
import type { HandlersOf, MachineParts } from './parts.ts';

type AiAgent = Output<'aiAgents.list'>['items'][number];

/** AI agents, their harnesses and their runs. */
export function agentHandlers(parts: MachineParts): HandlersOf<'aiAgents' | 'aiAgentRuns' | 'harnesses'> {
  const { agents, workspace } = parts;
  return {
    async 'aiAgents.list'({ app, ...page }) {
      const { items, nextCursor } = pageByKey(await agents.list(app), ({ app: of, name }) => `${of}/${name}`, page);
      return { items: await shownOf(agents, items), nextCursor };
    },

    async 'aiAgents.show'({ id }) {
      const agent = id.startsWith('aia_') ? await byId(agents, id) : await agents.find(id);
      const [shown] = await shownOf(agents, [agent]);
      if (shown === undefined) throw new Error('an agent was found and not shown');
      const { config } = agent.file;
      return {
        ...shown,
        instructions: config?.instructions ?? '',
        budget: config?.budget ?? null,
        mcp: config?.mcp ?? [],
        history: config?.history ?? null,
        reply: config?.reply ?? null,
      };
    },

    async 'aiAgentRuns.create'(input, caller) {
      // Loaded at the first run.
      const { planRun } = await import('../runs/plan-run.ts');
      return workspace.runs.create(await planRun(parts, input, caller), caller);
    },

    async 'harnesses.check'({ id, scenario: wanted }, _caller, { signal }) {
      const { kind, models: _models, id: _id, needsSecret, ...rest } = await workspace.harnesses.load(id);
      const note = harnessNote(kind);
      if (needsSecret) {
        const { wayToSecret } = await import('../runs/plan-run.ts');
        const fix = wayToSecret({ kind, name: rest.name });
        return {
          ok: false,
          note,
          problems: [{ code: 'harness_needs_secret', message: 'It has no key or secret', fix }],
          scenario: null,
        };
      }
      if (wanted !== undefined) {
        const scenario = await playScenario({ kind, ...rest }, wanted, signal);
        return { ok: scenario.status !== 'failed', note, problems: [], scenario };
      }
      const { harnessAdapters } = await import('../../agent/index.ts');
      const { ok, problems } = await harnessAdapters[kind].check({ kind, ...rest, packages: parts.packages() });
      return { ok, note, problems: problems.map((problem) => ({ ...problem })), scenario: null };
    },
  };
}

/** @throws WorkspaceError input_invalid */
async function playScenario(harness: HarnessConfig, name: string, signal?: AbortSignal): Promise<ScenarioResult> {
  const { checkCustomServer, harnessScenarios } = await import('../../agent/index.ts');
  const names = harnessScenarios.map((one) => one.name);
  const wrong =
    harness.kind !== 'custom'
      ? `belongs to the kind custom; ${harness.name} is of the kind ${harness.kind}`
      : names.includes(name)
        ? undefined
        : `must be one of ${names.join(', ')}`;
  if (wrong !== undefined)
    throw refusal('input_invalid', `The scenario ${wrong}`, { errors: [{ path: 'scenario', message: wrong }] });
  const { serveRunDoors } = await import('../runs/serve-doors.ts');
  await using served = await serveRunDoors();
  const openDoor: CheckServerOptions['openDoor'] = (runId, door) => served.doors.open(runId, door);
  for await (const result of checkCustomServer(harness, { only: [name], openDoor, signal })) return result;
  throw new Error(`the scenario ${name} was not played`);
}

async function byId(agents: Agents, id: string): Promise<FoundAgent> {
  const all = await agents.list();
  const known = await agents.known(all);
  const found = all[known.findIndex((one) => one.id === id)];
  return found ?? agents.find(id);
}

async function shownOf(agents: Agents, found: readonly FoundAgent[]): Promise<AiAgent[]> {
  const known = await agents.known(found);
  return found.map(({ app, name, version, file: { config, problem } }, index) => ({
    id: known[index]?.id ?? '',
    app,
    name,
    title: config?.title ?? null,
    version: known[index]?.version ?? 1,
    deployment: version,
    harness: config?.harness ?? 'builtin',
    models: {
      main: config?.models?.main ?? null,
      fallback: config?.models?.fallback ?? null,
      fast: config?.models?.fast ?? null,
    },
    tools: config?.tools ?? [],
    problem: problem?.message ?? null,
  }));
}
