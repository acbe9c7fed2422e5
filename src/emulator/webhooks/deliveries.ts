import { limits } from '../../contract/index.ts';
import { messageOf, traceHeaders, wait } from '../../std/index.ts';
import { type Attempt, type Decision, decideDelivery, WebhookSender } from '../../webhook/index.ts';
import type { DeliveryAttempt, DeliveryOutcome, Job, LoadedDelivery, Workspace } from '../../workspace/index.ts';
import type { EmulatorEvent } from '../events.ts';
import type { JobWorker } from '../jobs/runner.ts';

/** How long to wait for room on a disk. */
const recordAgainMs = 2_000;

/** An attempt, whoever received it. */
export type MadeAttempt = Pick<Attempt, 'startedAtMs' | 'ms' | 'requestHeaders' | 'status' | 'answer' | 'error'> & {
  readonly invocationId?: string | undefined;
};

export interface DeliveriesOptions {
  readonly workspace: Pick<Workspace, 'webhooks'>;
  /** Delivers to a function instead of an address. */
  readonly deliverToFunction: (delivery: FunctionDelivery, signal: AbortSignal) => Promise<MadeAttempt>;
  readonly emit: (event: EmulatorEvent) => void;
}

export interface FunctionDelivery extends LoadedDelivery {
  readonly id: string;
  /** Counted from 1. */
  readonly attemptNumber: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Delivers events to endpoints: one attempt is one try of a job. */
export class Deliveries implements JobWorker {
  readonly maxAtOnce = limits.webhooks.atOnce;
  readonly maxPerGroup = limits.webhooks.perEndpoint;
  readonly #options: DeliveriesOptions;
  /** A local workspace is on its developer's machine, so it reaches that machine as well. */
  readonly #sender = new WebhookSender({ reach: 'loopback' });

  constructor(options: DeliveriesOptions) {
    this.#options = options;
  }

  async run(job: Job, signal: AbortSignal): Promise<Awaited<ReturnType<JobWorker['run']>>> {
    const { workspace, emit } = this.#options;
    const deliveryId = String(job.payload['deliveryId']);
    const delivery = await workspace.webhooks.load(deliveryId);
    if (delivery === undefined) return { end: { state: 'aborted' } };
    const made = await this.#deliver(deliveryId, delivery, job, signal);
    if (signal.aborted && made.error?.code === 'stopped') return 'left';
    const decision = decideDelivery(made, {
      attemptNumber: job.attempt + 1,
      random: Math.random(),
      nowMs: Date.now(),
    });
    const attempt: DeliveryAttempt = { ...made, target: delivery.target };
    if (!(await this.#record({ job, deliveryId, attempt, decision }, signal))) return 'left';
    if (decision.state === 'failed' || decision.disables) emit(problemOf(deliveryId, delivery, decision));
    return 'ended';
  }

  /**
   * Records an outcome, as soon as there is room for it: what was delivered must not be delivered again because a disk is full.
   * @returns false if the workspace stops first
   */
  async #record(outcome: DeliveryOutcome, signal: AbortSignal): Promise<boolean> {
    for (let told = false; !signal.aborted; told = true) {
      try {
        await this.#options.workspace.webhooks.record(outcome);
        return true;
      } catch (error) {
        const message = `What became of ${outcome.deliveryId} cannot be written yet: ${messageOf(error)}`;
        if (!told) this.#options.emit({ type: 'problem', code: 'delivery_not_recorded', message });
        await wait(recordAgainMs, signal);
      }
    }
    return false;
  }

  /** Cuts what is under way. */
  close(): Promise<void> {
    return this.#sender.close();
  }

  #deliver(id: string, delivery: LoadedDelivery, job: Job, signal: AbortSignal): Promise<MadeAttempt> {
    const { traceId, depth } = delivery.trace;
    const headers = Object.fromEntries(traceHeaders(traceId, id, depth));
    if (delivery.kind === 'function') {
      const attemptNumber = job.attempt + 1;
      return this.#options.deliverToFunction({ ...delivery, id, attemptNumber, headers }, signal);
    }
    const { target: url, eventId, body, secrets } = delivery;
    return this.#sender.send({ url, id: eventId, body, secrets, headers }, signal);
  }
}

function problemOf(id: string, { target }: LoadedDelivery, { reason, disables }: Decision): EmulatorEvent {
  return {
    type: 'problem',
    code: disables ? 'webhook_disabled' : 'delivery_failed',
    message: disables
      ? `The webhook endpoint ${target} is disabled: ${reason}`
      : `Delivery ${id} to ${target} failed: ${reason}`,
  };
}
