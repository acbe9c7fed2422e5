import type { Framework, FrameworkAgent } from './framework-agent.ts';

interface Observable {
  subscribe(observer: { next(value: unknown): void; error(error: unknown): void; complete(): void }): {
    unsubscribe(): void;
  };
}

interface AguiAgent {
  run(input: unknown): Observable;
  /** Of agents that ask a server: taken when a run begins. */
  abortController?: unknown;
}

/**
 * An agent of AG-UI, an `AbstractAgent` of `@ag-ui/client`: what it is given and tells is what a custom server gets and sends.
 * @see https://docs.ag-ui.com/sdk/js/client/abstract-agent
 */
export const agui: Framework = {
  title: 'an AG-UI agent',
  recognises: ({ run, runAgent }) => typeof run === 'function' && typeof runAgent === 'function',
  adapt: (agent: AguiAgent): FrameworkAgent => ({
    answer: ({ body, signal }) => {
      // It has one for all of its runs, and once aborted none of them would begin.
      if (agent.abortController instanceof AbortController) {
        const controller = new AbortController();
        signal.addEventListener('abort', () => controller.abort(), { once: true });
        agent.abortController = controller;
      }
      return readObservable(agent.run(JSON.parse(body)), signal);
    },
  }),
};

/** What is left early is unsubscribed from. */
async function* readObservable(observable: Observable, signal: AbortSignal): AsyncGenerator<unknown, void> {
  const values: unknown[] = [];
  let end: { readonly error?: unknown } | undefined;
  let wake = Promise.withResolvers<void>();
  const subscription = observable.subscribe({
    next(value) {
      values.push(value);
      wake.resolve();
    },
    error(error) {
      end = { error };
      wake.resolve();
    },
    complete() {
      end = {};
      wake.resolve();
    },
  });
  // Whoever leaves waits for what this one waits for, so it must not wait.
  const leave = () => {
    end = {};
    wake.resolve();
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    for (;;) {
      yield* values.splice(0);
      if (values.length > 0) continue;
      if (end !== undefined) {
        if ('error' in end) throw end.error;
        return;
      }
      await wake.promise;
      wake = Promise.withResolvers();
    }
  } finally {
    signal.removeEventListener('abort', leave);
    subscription.unsubscribe();
  }
}
