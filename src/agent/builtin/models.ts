import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { fetchWithin } from '../fetch-within.ts';
import { RunFailure } from '../run-error.ts';
import type { HarnessConfig, ModelProvider, RunLimits } from '../types.ts';

/** Opens a model of a provider that is reached by HTTP. Whatever the libraries send goes through our transport and its limits. */
export function openModel(
  provider: Exclude<ModelProvider, 'scripted'>,
  model: string,
  { apiKey, baseUrl: baseURL }: HarnessConfig,
  limits: RunLimits,
): LanguageModelV4 {
  const fetch = fetchWithin(limits);
  // Without a key the libraries would look for one in the environment, which belongs to somebody else.
  const keyed = { apiKey: apiKey ?? '', fetch, ...(baseURL !== undefined && { baseURL }) };
  switch (provider) {
    case 'openai':
      return createOpenAI(keyed).responses(model);
    case 'anthropic':
      return createAnthropic(keyed)(model);
    case 'openai-compatible': {
      if (baseURL === undefined) {
        throw new RunFailure(
          'harness_address_invalid',
          'A harness with the provider openai-compatible needs a base URL',
        );
      }
      const settings = { name: 'openai-compatible', baseURL, fetch, includeUsage: true };
      return createOpenAICompatible(apiKey === undefined ? settings : { ...settings, apiKey })(model);
    }
  }
}
