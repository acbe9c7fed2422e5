import { type HarnessKind, harnessKinds } from '../contract/index.ts';
import { builtinHarness } from './builtin/builtin.ts';
import { claudeAgentHarness } from './claude-agent/claude-agent.ts';
import { claudeManagedAgentsHarness } from './claude-managed-agents/claude-managed-agents.ts';
import { customHarness } from './custom/custom.ts';
import { agentFrameworkHarness } from './frameworks/agent-framework.ts';
import { joinFacts } from './join-facts.ts';
import { openaiAgentsHarness } from './openai-agents/openai-agents.ts';
import { openaiAgentsApiHarness } from './openai-agents-api/openai-agents-api.ts';
import type { HarnessAdapter } from './types.ts';
import { guardAdapter } from './vendors/guard.ts';

const available: Readonly<Record<HarnessKind, HarnessAdapter>> = {
  builtin: builtinHarness,
  'claude-agent-sdk': claudeAgentHarness,
  'openai-agents-sdk': openaiAgentsHarness,
  'openai-agents-api': openaiAgentsApiHarness,
  'claude-managed-agents': claudeManagedAgentsHarness,
  'agent-framework': agentFrameworkHarness,
  custom: customHarness,
};

/** Other kinds run code of packages of an app. */
const own: readonly HarnessKind[] = ['builtin', 'custom'];

/** Kinds whose instructions are kept at a vendor, for all customers: facts about one are told with his conversation. */
const tellingFacts: readonly HarnessKind[] = ['claude-managed-agents'];

/** The adapter of each kind of harness. */
export const harnessAdapters: Readonly<Record<HarnessKind, HarnessAdapter>> = Object.fromEntries(
  harnessKinds.map((kind) => [kind, withGuard(withFacts(available[kind]))]),
) as Record<HarnessKind, HarnessAdapter>;

function withFacts(adapter: HarnessAdapter): HarnessAdapter {
  if (tellingFacts.includes(adapter.kind)) return adapter;
  return { ...adapter, run: (input, host) => adapter.run(joinFacts(input), host) };
}

function withGuard(adapter: HarnessAdapter): HarnessAdapter {
  return own.includes(adapter.kind) ? adapter : guardAdapter(adapter);
}
