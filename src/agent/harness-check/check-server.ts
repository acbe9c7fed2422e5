import { shortened } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';
import { TransportFailure } from '../transport.ts';
import { type HarnessConfig, type RunLimits, runLimits } from '../types.ts';
import { BrokenRule, type CheckedServer, NotApplicable, ServerGone, scenarios } from './scenarios.ts';

export interface ScenarioResult {
  readonly name: string;
  /** What a server must do. */
  readonly rule: string;
  readonly status: 'passed' | 'failed' | 'skipped';
  /** What it did, or why the scenario was left out. */
  readonly message: string | null;
  readonly ms: number;
}

/** Names and rules of all scenarios, in the order in which they are played. */
export const harnessScenarios: readonly { readonly name: string; readonly rule: string }[] = scenarios.map(
  ({ name, rule }) => ({ name, rule }),
);

export interface CheckServerOptions {
  /** Names of scenarios; default all. */
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limits?: Partial<RunLimits> | undefined;
  /** Serves the tools of a run to a server that calls them itself; without it, that is not checked. */
  readonly openDoor?: CheckedServer['openDoor'];
}

/**
 * Plays scenarios against a server for the custom kind, one after another, and tells each result as it comes. It asks the agent a few
 * times, which costs what its model costs. Never throws for what the server does.
 */
export async function* checkCustomServer(
  harness: HarnessConfig,
  options: CheckServerOptions = {},
): AsyncGenerator<ScenarioResult, void> {
  const limits = { ...runLimits, retryMs: [], ...options.limits };
  const signal = options.signal ?? new AbortController().signal;
  let goneSince: string | undefined;
  for (const scenario of scenarios) {
    const { name, rule } = scenario;
    if (options.only !== undefined && !options.only.includes(name)) continue;
    if (signal.aborted) return;
    if (goneSince !== undefined) {
      const message = `It answers nobody since "${goneSince}".`;
      yield { name, rule, status: 'skipped', message, ms: 0 };
      continue;
    }
    const started = performance.now();
    const result = await scenario.play({ harness, limits, signal, openDoor: options.openDoor }).then(
      () => ({ status: 'passed' as const, message: null }),
      (error: unknown) => {
        if (error instanceof ServerGone) goneSince = name;
        return readOutcome(error);
      },
    );
    yield { name, rule, ...result, ms: Math.round(performance.now() - started) };
  }
}

function readOutcome(error: unknown): Pick<ScenarioResult, 'status' | 'message'> {
  if (error instanceof NotApplicable) return { status: 'skipped', message: error.message };
  if (error instanceof BrokenRule) return { status: 'failed', message: error.message };
  if (error instanceof RunFailure || error instanceof TransportFailure) {
    return { status: 'failed', message: shortened(error.message, 500) };
  }
  throw error;
}
