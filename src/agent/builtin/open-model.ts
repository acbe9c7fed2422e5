import type { LanguageModelV4 } from '@ai-sdk/provider';
import { RunFailure } from '../run-error.ts';
import { parseModelScript } from '../scripted/script.ts';
import { ScriptedModel } from '../scripted/scripted-model.ts';
import { type HarnessConfig, type ModelProvider, type RunHost, type RunInput, runLimits } from '../types.ts';
import { checkModelAccess } from './check.ts';
import { openModel } from './models.ts';

const scripted = 'script:';

/** Who answers for a model: its script, or the provider of the harness. */
export function providerOf(model: string, harness: HarnessConfig): ModelProvider {
  return model.startsWith(scripted) ? 'scripted' : (harness.provider ?? 'scripted');
}

/** @throws RunFailure `model_script_…`, `model_key_missing`, `harness_address_invalid` */
export async function openModelFor(model: string, input: RunInput, host: RunHost): Promise<LanguageModelV4> {
  const { harness } = input;
  const provider = providerOf(model, harness);
  if (provider !== 'scripted') {
    checkModelAccess(harness, provider);
    return openModel(provider, model, harness, { ...runLimits, ...input.limits });
  }
  if (!model.startsWith(scripted)) {
    throw new RunFailure('model_key_missing', `The harness ${harness.name} has no provider for the model ${model}`, {
      hint: 'Give the harness a provider and a key, or use a model script:NAME.',
    });
  }
  const name = model.slice(scripted.length);
  const script = await host.readScript?.(name);
  if (script !== undefined) return new ScriptedModel(model, parseModelScript(script, name));
  if (name === 'default') return new ScriptedModel(model, undefined);
  throw new RunFailure('model_script_missing', `There is no agents/${name}.model.json`);
}
