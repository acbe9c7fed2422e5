import type { HarnessKind } from '../contract/index.ts';
import { builtinHarness } from './builtin/builtin.ts';
import { claudeAgentHarness } from './claude-agent/claude-agent.ts';
import { claudeManagedAgentsHarness } from './claude-managed-agents/claude-managed-agents.ts';
import { customHarness } from './custom/custom.ts';
import { agentFrameworkHarness } from './frameworks/agent-framework.ts';
import { openaiAgentsHarness } from './openai-agents/openai-agents.ts';
import { openaiAgentsApiHarness } from './openai-agents-api/openai-agents-api.ts';
import type { HarnessAdapter } from './types.ts';

/** The adapter of each kind of harness. */
export const harnessAdapters: Readonly<Record<HarnessKind, HarnessAdapter>> = {
  builtin: builtinHarness,
  'claude-agent-sdk': claudeAgentHarness,
  'openai-agents-sdk': openaiAgentsHarness,
  'agent-framework': agentFrameworkHarness,
  'openai-agents-api': openaiAgentsApiHarness,
  'claude-managed-agents': claudeManagedAgentsHarness,
  custom: customHarness,
};
