import type { EventKind } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { LeaseLost } from '../jobs/finish.ts';
import type { AppEndpoint, DeliveryOutcome, ListenerPage, LoadedDelivery, WebhooksDoor } from '../types.ts';
import { keepAppEndpoints } from './app-endpoints.ts';
import { nextForListener } from './listeners.ts';
import { expireEndpoint, recordOutcomes } from './record-attempts.ts';

/** Runs work in one transaction. */
export interface Transactions {
  write<T>(origin: { name: string; emits: readonly EventKind[] }, work: (tx: Tx) => Promise<T>): Promise<T>;
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

interface Waiting {
  readonly outcome: DeliveryOutcome;
  readonly done: PromiseWithResolvers<boolean>;
}

const maxBatch = 64;
const origin = { name: 'webhooks.deliver', emits: ['webhookEndpoint.disabled'] } as const;

/** What whoever delivers needs of the workspace. */
export class Webhooks implements Omit<WebhooksDoor, 'onResend'> {
  readonly #transactions: Transactions;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  load(deliveryId: string): Promise<LoadedDelivery | undefined> {
    return this.#transactions.read(async ({ db, now, facts }) => {
      const row = await db
        .selectFrom('delivery')
        .select(['event_id', 'receiver_id', 'body', 'trace_id', 'depth'])
        .where('id', '=', deliveryId)
        .where('state', '=', 'waiting')
        .executeTakeFirst();
      const endpoint = row && (await facts.subscriptions.endpoint(db, row.receiver_id));
      if (row === undefined || endpoint?.isEnabled !== true) return undefined;
      const { secret, oldSecret } = endpoint;
      return {
        eventId: row.event_id,
        kind: endpoint.kind,
        target: endpoint.target,
        body: row.body,
        trace: { traceId: row.trace_id, causeId: deliveryId, depth: row.depth },
        secrets: [
          ...(secret === undefined ? [] : [secret]),
          ...(oldSecret !== undefined && endpoint.oldSecretUntil > now ? [oldSecret] : []),
        ],
      };
    });
  }

  /** Outcomes that come while others are written are written together: a transaction for each would halve the deliveries per second. */
  record(outcome: DeliveryOutcome): Promise<boolean> {
    const done = Promise.withResolvers<boolean>();
    this.#waiting.push({ outcome, done });
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return done.promise;
  }

  async #writeAll(): Promise<void> {
    // What ends in the same turn is written together, too.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, maxBatch);
      try {
        const outcomes = batch.map(({ outcome }) => outcome);
        const recorded = await this.#transactions.write(origin, (tx) => recordOutcomes(tx, outcomes));
        for (const [i, { done }] of batch.entries()) done.resolve(recorded[i] ?? false);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
  }

  keepAppEndpoints(wanted: readonly AppEndpoint[], unknown: ReadonlySet<string>): Promise<void> {
    return this.#transactions.write(origin, (tx) => keepAppEndpoints(tx, wanted, unknown));
  }

  nextForListener(id: string, from: number | undefined): Promise<ListenerPage> {
    return this.#transactions.read((tx) => nextForListener(tx, id, from));
  }

  async expire(job: DeliveryOutcome['job'], endpointId: string): Promise<boolean> {
    try {
      await this.#transactions.write(origin, (tx) => expireEndpoint(tx, job, endpointId));
      return true;
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      throw error;
    }
  }
}
