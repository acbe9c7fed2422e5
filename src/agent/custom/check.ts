import { isLoopback } from '../../contract/index.ts';
import { decodeSigningSecret, messageOf } from '../../std/index.ts';
import { RunFailure, runErrorHints } from '../run-error.ts';
import { sendRequest, TransportFailure } from '../transport.ts';
import { type HarnessCheck, type HarnessConfig, type HarnessProblem, runLimits } from '../types.ts';

/** @throws RunFailure `harness_address_invalid` */
export function parseHarnessUrl({ name, baseUrl = '' }: HarnessConfig): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (url !== undefined && allowed) return url;
  throw new RunFailure(
    'harness_address_invalid',
    baseUrl === ''
      ? `The harness ${name} has no URL`
      : `The URL of the harness ${name} is neither https nor http on this machine`,
  );
}

/**
 * Whether URL and secrets can be used, and whether something answers there. The agent is not asked: that may cost money. The scenarios
 * of `checkCustomServer` do.
 */
export async function checkCustomHarness(config: HarnessConfig, signal?: AbortSignal): Promise<HarnessCheck> {
  const problems: HarnessProblem[] = [];
  for (const secret of config.secrets ?? []) {
    try {
      decodeSigningSecret(secret);
    } catch (error) {
      const message = `A secret of the harness ${config.name} cannot be used: ${messageOf(error)}`;
      problems.push({ code: 'harness_secret_invalid', message, fix: 'Make a new secret for the harness.' });
    }
  }
  try {
    const url = parseHarnessUrl(config);
    const request = { url, method: 'GET', headers: { accept: '*/*' }, body: '' };
    const { body } = await sendRequest(request, runLimits, signal ?? new AbortController().signal);
    for await (const _ of body) break;
  } catch (error) {
    problems.push(toProblem(error, config));
  }
  return { ok: problems.length === 0, problems };
}

function toProblem(error: unknown, { name }: HarnessConfig): HarnessProblem {
  if (error instanceof RunFailure)
    return { code: 'harness_address_invalid', message: error.message, fix: error.problem.hint };
  if (!(error instanceof TransportFailure)) throw error;
  const message = `The server of the harness ${name}: ${error.message}`;
  return { code: 'harness_unavailable', message, fix: runErrorHints.harness_unavailable };
}
