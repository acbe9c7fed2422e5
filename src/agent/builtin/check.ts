import { isLoopback } from '../../contract/index.ts';
import { RunFailure, runErrorHints } from '../run-error.ts';
import { sendRequest, TransportFailure } from '../transport.ts';
import { type HarnessCheck, type HarnessConfig, type HarnessProblem, type ModelProvider, runLimits } from '../types.ts';

type HttpProvider = Exclude<ModelProvider, 'scripted'>;

const defaultBaseUrls: Readonly<Partial<Record<HttpProvider, string>>> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

/** Whether key and address are there, and whether something answers at the address that takes the key. */
export async function checkModelHarness(config: HarnessConfig, signal?: AbortSignal): Promise<HarnessCheck> {
  const provider = config.provider ?? 'scripted';
  if (provider === 'scripted') return { ok: true, problems: [] };
  try {
    checkModelAccess(config, provider);
    await askForModels(config, provider, signal ?? new AbortController().signal);
    return { ok: true, problems: [] };
  } catch (error) {
    const problem = toHarnessProblem(error, config.name);
    return { ok: false, problems: [problem] };
  }
}

/** @throws RunFailure `model_key_missing`, `harness_address_invalid` */
export function checkModelAccess({ name, apiKey, baseUrl }: HarnessConfig, provider: HttpProvider): void {
  const address = baseUrl ?? defaultBaseUrls[provider];
  if (address === undefined) {
    throw new RunFailure('harness_address_invalid', `The harness ${name} needs a base URL`);
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new RunFailure('harness_address_invalid', `The base URL of the harness ${name} is no http or https URL`);
  }
  if (apiKey !== undefined && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new RunFailure('harness_address_invalid', `The key of the harness ${name} would go over plain http`, {
      hint: 'Use https, an address on this machine, or no key.',
    });
  }
  if (apiKey === undefined && baseUrl === undefined) {
    throw new RunFailure('model_key_missing', `The harness ${name} has no key`);
  }
}

async function askForModels({ name, apiKey, baseUrl }: HarnessConfig, provider: HttpProvider, signal: AbortSignal) {
  const address = `${(baseUrl ?? defaultBaseUrls[provider] ?? '').replace(/\/+$/, '')}/models`;
  const key: Record<string, string> =
    apiKey === undefined
      ? {}
      : provider === 'anthropic'
        ? { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
        : { authorization: `Bearer ${apiKey}` };
  const request = { url: new URL(address), method: 'GET', headers: { accept: 'application/json', ...key }, body: '' };
  const { status, body } = await sendRequest(request, runLimits, signal);
  for await (const _ of body) break;
  if (status === 401 || status === 403) {
    throw new RunFailure('model_auth', `The endpoint of the harness ${name} answers ${status} to its key`);
  }
  // Servers without a list of models answer 404: they are there.
  if (status >= 500) throw new RunFailure('model_unavailable', `The endpoint of the harness ${name} answers ${status}`);
}

function toHarnessProblem(error: unknown, name: string): HarnessProblem {
  if (error instanceof RunFailure) {
    const { code, message, hint } = error.problem;
    return { code, message, fix: hint };
  }
  if (!(error instanceof TransportFailure)) throw error;
  const message = `The endpoint of the harness ${name}: ${error.message}`;
  return { code: 'model_unavailable', message, fix: runErrorHints.model_unavailable };
}
