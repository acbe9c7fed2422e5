import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { RunFailure } from '../run-error.ts';
import { sendRequest } from '../transport.ts';
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

function fetchWithin(limits: RunLimits): typeof globalThis.fetch {
  return async (target, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(target instanceof Request ? target.url : target);
    const sent = Object.fromEntries(new Headers(headers));
    const stop = signal ?? new AbortController().signal;
    const reply = await sendRequest({ url, method, headers: sent, body: String(body ?? '') }, limits, stop);
    const given = new Headers();
    for (const [name, value] of Object.entries(reply.headers)) if (value !== undefined) given.set(name, String(value));
    return new Response(ReadableStream.from(reply.body), { status: reply.status, headers: given });
  };
}
