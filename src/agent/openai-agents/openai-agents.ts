import { lazy } from '../../std/index.ts';
import { checkModelAccess, checkModelHarness } from '../builtin/check.ts';
import type { OpenModel } from '../loop/askable-model.ts';
import { runModelLoop } from '../loop/model-loop.ts';
import { RunFailure } from '../run-error.ts';
import { type HarnessAdapter, type HarnessConfig, runLimits } from '../types.ts';
import { loadSdk } from './sdk.ts';

/**
 * The OpenAI Agents SDK, from the user's own app. Each model call is one turn of its runner: every tool waits for an approval that we
 * never give, so the turn ends with the calls, and they run through our gate.
 * @see https://openai.github.io/openai-agents-js/
 */
export const openaiAgentsHarness: HarnessAdapter = {
  kind: 'openai-agents-sdk',
  sumsUp: true,
  async check(config, signal) {
    try {
      loadSdk(config);
      return await checkModelHarness({ ...config, provider: providerOf(config) }, signal);
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      const { code, message, hint } = error.problem;
      return { ok: false, problems: [{ code, message, fix: hint }] };
    }
  },
  run: (input, host) => runModelLoop(input, host, open),
};

const loadTurns = lazy(() => import('./turn.ts'));

const open: OpenModel = async (model, input) => {
  const { harness, instructions, tools } = input;
  const provider = providerOf(harness);
  if (model.startsWith('script:')) {
    throw new RunFailure('model_bad_request', `The harness ${harness.name} has no model`, {
      hint: `Name one: fn harness update ${harness.name} --model gpt-5-mini`,
    });
  }
  checkModelAccess(harness, provider);
  const sdk = loadSdk(harness);
  const { runTurn, toItems } = await loadTurns();
  const limits = { ...runLimits, ...input.limits };
  return {
    provider,
    prepare(messages) {
      const items = toItems(messages);
      const characters = instructions.length + JSON.stringify(items).length + JSON.stringify(tools).length;
      const turn = { sdk, harness, provider, model, instructions, items, tools, limits };
      return { characters, call: (options) => runTurn({ ...turn, ...options }) };
    },
  };
};

/** `openai`: the Responses API; `openai-compatible`: Chat Completions. @throws RunFailure `model_bad_request` for another one */
function providerOf({ name, provider = 'openai' }: HarnessConfig): 'openai' | 'openai-compatible' {
  if (provider === 'openai' || provider === 'openai-compatible') return provider;
  throw new RunFailure('model_bad_request', `The harness ${name} cannot speak to models of the provider ${provider}`, {
    hint: 'Use the provider openai (Responses API) or openai-compatible (Chat Completions).',
  });
}
