import { messageOf, runForeign, runOwn } from '../../std/index.ts';
import { quoteForeign, RunFailure } from '../run-error.ts';
import type { HarnessAdapter, HarnessConfig, RunEvent, RunHost, RunInput } from '../types.ts';

/** How long an adapter may take to close what is open, after its package has thrown. */
const closeMs = 3_000;

/**
 * Ends the run or the check of a harness when a package of the app throws outside of any call, as `harness_package_broken`: without this it
 * would end the process. A process of its own would guard against more, and cost its start at every run, and a way for tools and events.
 */
export function guardAdapter(adapter: HarnessAdapter): HarnessAdapter {
  return {
    ...adapter,
    async check(config, signal) {
      const thrown = new Thrown(config);
      const checked = thrown.run(() => adapter.check(config, signal));
      const first = await Promise.race([checked, thrown.failure]);
      if (!(first instanceof RunFailure)) return first;
      const { code, message, hint } = first.problem;
      return { ok: false, problems: [{ code, message, fix: hint }] };
    },
    run: (input, host) => runGuarded(adapter, input, host),
  };
}

async function* runGuarded(adapter: HarnessAdapter, input: RunInput, host: RunHost): AsyncGenerator<RunEvent, void> {
  const thrown = new Thrown(input.harness);
  const stop = new AbortController();
  const signal = AbortSignal.any([input.signal, stop.signal]);
  const events = thrown.run(() => adapter.run({ ...input, signal }, ownHost(host)));
  try {
    for (;;) {
      const step = await Promise.race([thrown.run(() => events.next()), thrown.failure]);
      if (step instanceof RunFailure) {
        yield { type: 'error', ...step.problem };
        return yield { type: 'done', status: input.signal.aborted ? 'cancelled' : 'failed' };
      }
      if (step.done) return;
      yield step.value;
    }
  } finally {
    stop.abort();
    const closed = thrown.run(() => events.return(undefined)).catch(() => {});
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, closeMs);
    await Promise.race([closed, late]);
    clearTimeout(timer);
  }
}

/** What the package of a harness throws outside of any call. */
class Thrown {
  /** Of the first error. */
  readonly failure: Promise<RunFailure>;
  readonly run: <T>(code: () => T) => T;

  constructor({ name, apiKey }: HarnessConfig) {
    const { promise, resolve } = Promise.withResolvers<RunFailure>();
    this.failure = promise;
    const onThrown = (error: unknown) => {
      const text = quoteForeign(messageOf(error), 300, [apiKey]);
      resolve(
        new RunFailure(
          'harness_package_broken',
          `A package of the harness ${name} threw outside of any call: ${text}`,
          {
            hint: 'Report it to the package, or install another version of it.',
            cause: error,
          },
        ),
      );
    };
    this.run = (code) => runForeign(onThrown, code);
  }
}

/** What is ours is not the package's to answer for. */
function ownHost(host: RunHost): RunHost {
  return {
    callTool: (...call) => runOwn(() => host.callTool(...call)),
    ...(host.readScript && { readScript: async (name) => runOwn(() => host.readScript?.(name)) }),
    ...(host.wait && { wait: async (...given) => runOwn(() => host.wait?.(...given)) }),
  };
}
