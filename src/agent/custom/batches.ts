import { isRecord, messageOf, shortened, verifySignature } from '../../std/index.ts';
import { RunFailure } from '../run-error.ts';
import { type BatchAnswer, type RunInput, runLimits, type TakeBatch } from '../types.ts';

interface OpenLeg {
  readonly number: number;
  expectedSeq: number;
  /** The `webhook-id` of each batch that was taken. */
  readonly seen: Set<string>;
  readonly batches: (readonly unknown[])[];
  arrived: PromiseWithResolvers<void>;
  bytes: number;
  isTooLarge: boolean;
}

interface Batch {
  readonly runId: string;
  readonly leg: number;
  readonly seq: number;
  readonly events: readonly unknown[];
}

/**
 * Events of a leg that its agent answered with 202 and tells later, in signed batches. Each is taken once and in its turn, whatever the
 * network does to it.
 */
export class Batches {
  readonly #input: RunInput;
  readonly #maxBytes: number;
  #leg: OpenLeg | undefined;
  #isCancelTold = false;

  constructor(input: RunInput) {
    this.#input = input;
    this.#maxBytes = { ...runLimits, ...input.limits }.replyBytes;
  }

  /** Batches of this leg are taken from now on: the first one may be here before the answer is. */
  open(number: number): void {
    this.#leg = {
      number,
      expectedSeq: 1,
      seen: new Set(),
      batches: [],
      arrived: Promise.withResolvers(),
      bytes: 0,
      isTooLarge: false,
    };
  }

  close(): void {
    this.#leg = undefined;
  }

  /** @returns what tells of a cancel that the server has not heard of; it does not hold the run. Nothing else is told after the end. */
  end(): TakeBatch | undefined {
    const { harness, signal } = this.#input;
    const { name, secrets = [] } = harness;
    return signal.aborted && !this.#isCancelTold ? tellCancel(name, secrets) : undefined;
  }

  take(message: Parameters<TakeBatch>[0]): BatchAnswer {
    const { harness, signal } = this.#input;
    const checked = verify(message, harness.name, harness.secrets);
    if ('status' in checked) return checked;
    if (signal.aborted) {
      if (this.#isCancelTold) return gone;
      this.#isCancelTold = true;
      return cancelled;
    }
    const { body } = message;
    const leg = this.#leg;
    if (leg === undefined) return gone;
    if (leg.seen.has(checked.id)) return taken;
    const batch = readBatch(body);
    if (typeof batch === 'string') return refuse(400, batch);
    if (!this.#isOf(batch, leg)) return gone;
    if (batch.seq < leg.expectedSeq) return taken;
    if (batch.seq > leg.expectedSeq) return { status: 409, body: { expectedSeq: leg.expectedSeq } };
    // Counted here: nobody reads the batches of a leg that was answered at once.
    if (leg.bytes + body.byteLength > this.#maxBytes) {
      leg.isTooLarge = true;
      leg.arrived.resolve();
      return refuse(413, this.#tooLarge);
    }
    leg.seen.add(checked.id);
    leg.expectedSeq++;
    leg.bytes += body.byteLength;
    leg.batches.push(batch.events);
    leg.arrived.resolve();
    return taken;
  }

  /**
   * The events of the leg, as they come; until the signal aborts.
   * @throws RunFailure `harness_reply_too_large`
   */
  async *read(signal: AbortSignal): AsyncGenerator<unknown, void> {
    const leg = this.#leg;
    if (leg === undefined) return;
    const stopped = Promise.withResolvers<void>();
    const stop = () => stopped.resolve();
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!signal.aborted) {
        if (leg.isTooLarge) throw new RunFailure('harness_reply_too_large', this.#tooLarge);
        for (const events of leg.batches.splice(0)) yield* events;
        await Promise.race([leg.arrived.promise, stopped.promise]);
        leg.arrived = Promise.withResolvers();
      }
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  get #tooLarge(): string {
    return `The agent’s batches are larger than ${this.#maxBytes / 1024 / 1024} MiB`;
  }

  /** Both ids of a run will do: its own, and the one that the agent sees. */
  #isOf({ runId, leg }: Batch, open: OpenLeg): boolean {
    const own = this.#input.runId;
    return leg === open.number && (runId === own || runId === `${own}-${leg}`);
  }
}

const taken: BatchAnswer = { status: 200, body: { cancelRequested: false } };
const cancelled: BatchAnswer = { status: 200, body: { cancelRequested: true } };
const gone: BatchAnswer = { status: 410, body: { error: 'This run takes no events any more' } };
const refuse = (status: 400 | 401 | 413, error: string): BatchAnswer => ({ status, body: { error } });

/** @returns what is wrong with it, if it is no batch */
/** @returns the id of a message that is signed rightly, or a refusal */
function verify(
  message: Parameters<TakeBatch>[0],
  harnessName: string,
  secrets: readonly string[] = [],
): { readonly id: string } | BatchAnswer {
  if (secrets.length === 0) return refuse(401, `The harness ${harnessName} has no signing secret`);
  const checked = verifySignature(message, { secrets });
  return checked.isValid ? checked : refuse(401, checked.message);
}

const tellCancel =
  (harnessName: string, secrets: readonly string[]): TakeBatch =>
  (message) => {
    const checked = verify(message, harnessName, secrets);
    return 'status' in checked ? checked : cancelled;
  };

function readBatch(body: Uint8Array): Batch | string {
  let batch: unknown;
  try {
    batch = JSON.parse(Buffer.from(body).toString('utf8'));
  } catch (error) {
    return `The batch is no JSON: ${shortened(messageOf(error), 200)}`;
  }
  if (!isRecord(batch)) return 'The batch is no object';
  const { runId, leg, seq, events } = batch;
  if (typeof runId !== 'string') return 'The batch has no runId';
  if (!Number.isSafeInteger(leg)) return 'The batch has no leg';
  if (!Number.isSafeInteger(seq) || Number(seq) < 1) return 'The batch has no seq, counted from 1';
  if (!Array.isArray(events)) return 'The batch has no list of events';
  return { runId, leg: Number(leg), seq: Number(seq), events };
}
