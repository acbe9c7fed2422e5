import { checkModelAccess } from '../builtin/check.ts';
import { checkHosted } from '../hosted/check-hosted.ts';
import { runHosted } from '../hosted/run-hosted.ts';
import type { OpenHosted } from '../hosted/service.ts';
import { RunFailure } from '../run-error.ts';
import { type HarnessAdapter, type HarnessConfig, hostedLimits } from '../types.ts';
import { openClient } from './client.ts';
import { AgentsApiSessions } from './sessions.ts';

/**
 * OpenAI's Agents API (beta), by the user's own copy of the package `openai`. The agent runs at the vendor, without a machine there; its
 * tools are ours. Tried with a stand-in of the endpoint, not with the live service.
 * @see https://developers.openai.com/api/docs/guides/agents-api
 */
export const openaiAgentsApiHarness: HarnessAdapter = {
  kind: 'openai-agents-api',
  check: (config, signal) =>
    checkHosted(config, async () => {
      const client = openClient(config, hostedLimits);
      requireAccess(config);
      await client.list({ limit: 1 }, { signal });
    }),
  run: (input, host) => runHosted(input, host, open),
};

const open: OpenHosted = async (input) => {
  const { harness, models, limits } = input;
  if (models.main.startsWith('script:')) {
    throw new RunFailure('model_bad_request', `The harness ${harness.name} has no model`, {
      hint: `Name one: fn harness update ${harness.name} --model gpt-5-mini`,
    });
  }
  requireAccess(harness);
  return new AgentsApiSessions(openClient(harness, { ...hostedLimits, ...limits }), input);
};

/** @throws RunFailure `model_key_missing`, `harness_address_invalid` */
function requireAccess(harness: HarnessConfig): void {
  checkModelAccess(harness, 'openai');
}
