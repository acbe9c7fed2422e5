import { checkModelAccess } from '../builtin/check.ts';
import { checkHosted } from '../hosted/check-hosted.ts';
import { runHosted } from '../hosted/run-hosted.ts';
import type { OpenHosted } from '../hosted/service.ts';
import { RunFailure } from '../run-error.ts';
import { type HarnessAdapter, hostedLimits } from '../types.ts';
import { openClient } from './client.ts';
import { ManagedAgentsSessions } from './sessions.ts';

/**
 * Claude Managed Agents (beta), by the user's own copy of the package `@anthropic-ai/sdk`. The agent runs at the vendor, in an environment
 * without a network; its tools are ours. Tried with a stand-in of the endpoint, not with the live service.
 * @see https://platform.claude.com/docs/en/managed-agents/overview
 */
export const claudeManagedAgentsHarness: HarnessAdapter = {
  kind: 'claude-managed-agents',
  check: (config, signal) =>
    checkHosted(config, async () => {
      const client = openClient(config, hostedLimits);
      checkModelAccess(config, 'anthropic');
      for await (const _ of client.agents.list({ limit: 1 }, { signal })) break;
    }),
  run: (input, host) => runHosted(input, host, open),
};

const open: OpenHosted = async (input) => {
  const { harness, models, limits } = input;
  if (models.main.startsWith('script:')) {
    throw new RunFailure('model_bad_request', `The harness ${harness.name} has no model`, {
      hint: `Name one: fn harness update ${harness.name} --model claude-sonnet-5-5`,
    });
  }
  checkModelAccess(harness, 'anthropic');
  return new ManagedAgentsSessions(openClient(harness, { ...hostedLimits, ...limits }), input);
};
