import { readModelFailure } from '../loop/model-failure.ts';
import type { HarnessCheck, HarnessConfig } from '../types.ts';
import { toClientFailure } from '../vendors/client-failure.ts';

/** Whether the package is there, and whether the endpoint takes the key. @param ask asks the endpoint for something that costs nothing */
export async function checkHosted(config: HarnessConfig, ask: () => Promise<void>): Promise<HarnessCheck> {
  try {
    await ask();
    return { ok: true, problems: [] };
  } catch (error) {
    const { failure } = readModelFailure(toClientFailure(error), `The endpoint of the harness ${config.name}`, [
      config.apiKey,
    ]);
    const { code, message, hint } = failure.problem;
    return { ok: false, problems: [{ code, message, fix: hint }] };
  }
}
