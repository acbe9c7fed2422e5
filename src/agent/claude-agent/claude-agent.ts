import { lazy } from '../../std/index.ts';
import { checkModelAccess, checkModelHarness } from '../builtin/check.ts';
import { runModelLoop } from '../loop/model-loop.ts';
import { RunFailure } from '../run-error.ts';
import type { HarnessAdapter, HarnessConfig, RunEvent, RunHost, RunInput } from '../types.ts';
import { addressOf } from './environment.ts';
import { loadSdk } from './sdk.ts';

/**
 * The Claude Agent SDK, from the user's own app. Its program makes the model calls and wants our tools from a server inside this
 * process. Their results wait until our loop has them from the gate, so each model call is a step of that loop.
 * @see https://docs.claude.com/en/api/agent-sdk/typescript
 */
export const claudeAgentHarness: HarnessAdapter = {
  kind: 'claude-agent-sdk',
  async check(config, signal) {
    try {
      loadSdk(config);
      const baseUrl = config.baseUrl === undefined ? undefined : `${addressOf(config.baseUrl)}/v1`;
      return await checkModelHarness({ ...config, provider: providerOf(config), baseUrl }, signal);
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      const { code, message, hint } = error.problem;
      return { ok: false, problems: [{ code, message, fix: hint }] };
    }
  },
  run,
};

const loadTurns = lazy(() => import('./turns.ts'));

async function* run(input: RunInput, host: RunHost): AsyncGenerator<RunEvent, void> {
  const { Turns } = await loadTurns();
  await using turns = new Turns(input);
  const open = async (model: string) => {
    const { harness } = input;
    if (model.startsWith('script:')) {
      throw new RunFailure('model_bad_request', `The harness ${harness.name} has no model`, {
        hint: `Name one: fn harness update ${harness.name} --model claude-haiku-4-5`,
      });
    }
    const provider = providerOf(harness);
    checkModelAccess(harness, provider);
    return turns.open(loadSdk(harness), model, provider);
  };
  for await (const event of runModelLoop(input, host, open)) {
    // Whoever hears that the run is over finds nothing running.
    if (event.type === 'done') await turns.close();
    yield event;
  }
}

/** @throws RunFailure `model_bad_request` */
function providerOf({ name, provider = 'anthropic' }: HarnessConfig): 'anthropic' {
  if (provider === 'anthropic') return provider;
  throw new RunFailure('model_bad_request', `The harness ${name} cannot speak to models of the provider ${provider}`, {
    hint: 'Leave the provider out, or use anthropic.',
  });
}
