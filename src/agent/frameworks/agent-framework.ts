import { isRecord } from '../../std/index.ts';
import { tellOfDropped } from '../custom/custom.ts';
import { type BeginLeg, type LegReply, runInLegs } from '../custom/legs.ts';
import { buildLegRequest } from '../custom/request.ts';
import { RunFailure } from '../run-error.ts';
import type { HarnessAdapter, HarnessConfig, RunEvent } from '../types.ts';
import { agui } from './ag-ui.ts';
import { toAgentFailure } from './agent-failure.ts';
import { aiSdk } from './ai-sdk.ts';
import type { Framework, FrameworkAgent } from './framework-agent.ts';
import { harnessAgent } from './harness-agent.ts';
import { langchain } from './langchain.ts';
import { loadModule } from './load-module.ts';
import { type MakeAgent, madeAgent } from './made-agent.ts';
import { mastra } from './mastra.ts';

/** In the order in which they are tried: some look like others. */
const frameworks: readonly Framework[] = [harnessAgent, aiSdk, mastra, langchain, agui];

/**
 * An agent that a module of the app exports, made with a framework that is recognised by the shape of the agent. It has its own models and
 * its own loop, and runs in legs, as a custom agent does: calls of our tools end a leg, and are made by us.
 * @see docs/guide/harnesses.md
 */
export const agentFrameworkHarness: HarnessAdapter = {
  kind: 'agent-framework',
  async check(config) {
    try {
      const agent = await loadAgent(config);
      await agent.check?.();
      const { withoutTools } = agent;
      if (withoutTools === undefined) return { ok: true, problems: [] };
      const fix = 'Its AI agents work without tools, and cannot hand over.';
      return { ok: true, problems: [{ code: 'harness_agent_without_tools', message: withoutTools, fix }] };
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      const { code, message, hint } = error.problem;
      return { ok: false, problems: [{ code, message, fix: hint }] };
    }
  },
  run: (input, host) => runInLegs(input, host, beginLeg),
};

/** @throws RunFailure `harness_module_…`, `harness_agent_unsupported`, `harness_package_missing`, `folder_not_trusted` */
async function loadAgent(config: HarnessConfig): Promise<FrameworkAgent> {
  const { file, agent } = await loadModule(config);
  if (typeof agent !== 'function') return adaptAgent(agent, file);
  return madeAgent(agent as MakeAgent, (made) => adaptAgent(made, file), file);
}

function adaptAgent(agent: unknown, file: string): FrameworkAgent {
  const framework = isRecord(agent) ? frameworks.find((one) => one.recognises(agent)) : undefined;
  if (framework !== undefined) return framework.adapt(agent as never);
  const known = frameworks.map(({ title }) => title).join(', ');
  throw new RunFailure('harness_agent_unsupported', `What ${file} exports is none of these: ${known}`);
}

async function* beginLeg(
  ...[leg, { input, limits, signal }]: Parameters<BeginLeg>
): AsyncGenerator<RunEvent, LegReply | 'stopped'> {
  const agent = await Promise.race([loadAgent(input.harness), aborted(signal)]);
  if (agent === 'stopped') return agent;
  if (agent.withoutTools !== undefined && leg.number === 1) {
    yield { type: 'warning', code: 'harness_agent_without_tools', message: agent.withoutTools };
  }
  const request = buildLegRequest(input, leg, limits.requestBytes);
  yield* tellOfDropped(request, limits.requestBytes);
  const { runId, threadId, body } = request;
  const messages = [...input.messages, ...leg.soFar];
  return { runId, threadId, events: readAnswer(agent, { runId, threadId, body, input, messages, signal }) };
}

/** The agent's events, for as long as they are wanted: what an agent does after a cancel is nobody's concern. */
async function* readAnswer(
  agent: FrameworkAgent,
  leg: Parameters<FrameworkAgent['answer']>[0],
): AsyncGenerator<unknown, void> {
  const stopped = aborted(leg.signal);
  let events: AsyncIterator<unknown> | undefined;
  try {
    events = agent.answer(leg)[Symbol.asyncIterator]();
    for (;;) {
      const step = await Promise.race([events.next(), stopped]);
      if (step === 'stopped' || step.done) return;
      yield step.value;
    }
  } catch (error) {
    // What was said before stays, and an open model call has an end.
    const failure = toAgentFailure(error, leg.input.harness);
    yield { type: 'RUN_ERROR', message: failure.message, failure };
  } finally {
    void Promise.resolve(events?.return?.()).catch(() => {});
  }
}

async function aborted(signal: AbortSignal): Promise<'stopped'> {
  const { promise, resolve } = Promise.withResolvers<'stopped'>();
  if (signal.aborted) resolve('stopped');
  else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  return await promise;
}
