import type { Output } from '../../contract/index.ts';
import { messageOf } from '../../std/index.ts';
import { schemaUrl, spansOfRun } from './run-spans.ts';

export interface RunExporterOptions {
  /** Base address of an OTLP/HTTP collector: `http://127.0.0.1:4318`. */
  readonly endpoint: string;
  readonly show: (runId: string) => Promise<Output<'aiAgentRuns.show'>>;
  /** Called when the collector takes nothing, once until it does again. */
  readonly onProblem: (message: string) => void;
}

/** How long one request may take, and how long the end of the workspace waits for what is under way. */
const maxRequestMs = 5_000;
const maxWaiting = 100;

/**
 * Sends the spans of runs that have ended to a collector, as OTLP/HTTP with JSON. The exporter of OpenTelemetry's own SDK brings some 20
 * packages and its own clock; this is one request.
 * @see https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export class RunExporter {
  readonly #options: RunExporterOptions;
  #sending: Promise<void> = Promise.resolve();
  #waiting = 0;
  #failed = false;

  constructor(options: RunExporterOptions) {
    this.#options = options;
  }

  /** A run that only waits for a person is sent when it has ended. */
  runStopped(runId: string): void {
    // A collector that is slow must not fill the memory.
    if (this.#waiting >= maxWaiting) return;
    this.#waiting++;
    this.#sending = this.#sending.then(() => this.#send(runId)).finally(() => this.#waiting--);
  }

  /** Resolves when everything was sent, or could not be. */
  async close(): Promise<void> {
    await this.#sending;
  }

  async #send(runId: string): Promise<void> {
    const { endpoint, show, onProblem } = this.#options;
    try {
      const run = await show(runId);
      if (run.endedAt === null) return;
      const scopeSpans = [{ scope: { name: 'convo-fn' }, schemaUrl, spans: spansOfRun(run) }];
      const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'fn-dev' } }] };
      const response = await fetch(`${endpoint}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        redirect: 'error',
        signal: AbortSignal.timeout(maxRequestMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`it answers ${response.status}`);
      this.#failed = false;
    } catch (error) {
      if (!this.#failed) onProblem(`The OTLP collector at ${endpoint} takes no spans: ${reasonOf(error)}`);
      this.#failed = true;
    }
  }
}

/** `fetch` says no more than that it failed; the reason is its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return messageOf(cause);
}
