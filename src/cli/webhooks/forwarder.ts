import type { Input, Output } from '../../contract/index.ts';
import { traceHeaders, wait } from '../../std/index.ts';
import { type Attempt, type Decision, decideDelivery, type WebhookSender } from '../../webhook/index.ts';
import { Acknowledger } from './acknowledger.ts';

/** An event of a listener's stream. */
export interface ListenedEvent {
  readonly event: Output<'events.show'>;
  /** How many deliveries have led to this one; a receiver that calls back passes it on. */
  readonly depth: number;
  /** For what is sent again. */
  readonly deliveryId?: string;
}
type Ack = Pick<Input<'listeners.ack'>, 'cursor' | 'attempts'>;

/** One attempt at one target, and what follows. */
export interface Forwarded {
  readonly listened: ListenedEvent;
  readonly url: string;
  readonly attempt: Attempt;
  /** Counted from 1. */
  readonly number: number;
  readonly decision: Decision;
}

export interface ForwarderOptions {
  /** The addresses that get an event. */
  readonly targetsOf: (kind: string) => readonly string[];
  readonly secret: string;
  /** Sent along; their values are not told to the workspace. */
  readonly headers: Readonly<Record<string, string>>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly acknowledge: (ack: Ack, signal: AbortSignal) => Promise<unknown>;
  readonly tell: (forwarded: Forwarded) => void;
  readonly onProblem: (error: unknown) => void;
}

/** The first steps of the schedule: at once, after 5 s, 5 min, 30 min. */
const maxAttempts = 4;
/** From this failure of an event on, the next of its conversation may pass. */
const passedAfter = 3;
const maxAtOnce = 4;
/** Events taken and not done. More are not read until some are done. */
const maxTaken = 500;

/** Ids that are remembered, for a stream that begins again may show what was done meanwhile. */
const maxRemembered = 5_000;
const closeMs = 2_000;

interface Taken {
  readonly cursor: string;
  isDone: boolean;
}

/**
 * Forwards a listener's events: those of a conversation one after another, up to four at once. The workspace hears of each attempt; its cursor moves
 * on to the first event that is not done, so what is under way at a kill is forwarded again.
 */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #acknowledger: Acknowledger;
  /** Cuts what is under way. */
  readonly #stop = new AbortController();
  /** Ends the waits for the next attempts. */
  #wake = new AbortController();
  #isClosing = false;
  /** In the order of the journal, from the first one on whose end the workspace does not know. */
  #taken: Taken[] = [];
  readonly #seen = new Set<string>();
  /** For each conversation, what its next event waits for. */
  readonly #lanes = new Map<string, Promise<void>>();
  readonly #working = new Set<Promise<void>>();
  #waiting = 0;
  #posting = 0;
  #waitingToPost: (() => void)[] = [];
  #waitingForRoom: (() => void)[] = [];

  constructor(options: ForwarderOptions) {
    this.#options = options;
    this.#acknowledger = new Acknowledger(options.acknowledge, options.onProblem);
  }

  /**
   * Takes the next event of the stream; one that it has taken before, because the stream has begun again, is passed over.
   * @returns when there is room for another one
   */
  async take(listened: ListenedEvent, cursor: string): Promise<void> {
    if (this.#isNew(listened.event.id)) {
      const taken: Taken = { cursor, isDone: false };
      this.#taken.push(taken);
      this.#work(
        this.#inLane(listened.event.conversationId, (release) =>
          this.#forward(listened, release, () => {
            taken.isDone = true;
          }),
        ),
      );
    }
    while (this.#taken.length >= maxTaken && !this.#isClosing)
      await new Promise<void>((resolve) => this.#waitingForRoom.push(resolve));
  }

  /** Forwards an event again at once: somebody has asked for that. */
  again(listened: ListenedEvent): void {
    this.#work(
      this.#forward(
        listened,
        () => {},
        () => {},
      ),
    );
  }

  /** Makes the next attempts now. @returns how many events waited */
  retryNow(): number {
    const waiting = this.#waiting;
    this.#wake.abort();
    this.#wake = new AbortController();
    return waiting;
  }

  /** Ends in bounded time: what is under way has two seconds, and telling the workspace as much. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), closeMs);
    this.#isClosing = true;
    this.#wake.abort();
    for (const go of this.#waitingForRoom.splice(0)) go();
    await Promise.all(this.#working);
    clearTimeout(timer);
    this.#stop.abort();
    await this.#acknowledger.close(closeMs);
  }

  #isNew(id: string): boolean {
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    const [oldest] = this.#seen;
    if (this.#seen.size > maxRemembered && oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }

  #work(work: Promise<unknown>): void {
    const done: Promise<void> = work.then(() => {}, this.#options.onProblem).finally(() => this.#working.delete(done));
    this.#working.add(done);
  }

  /** Events of one conversation one after another, until one has failed for the third time. */
  async #inLane(conversationId: string | null, forward: (release: () => void) => Promise<void>): Promise<void> {
    if (conversationId === null) return forward(() => {});
    const before = this.#lanes.get(conversationId);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#lanes.set(conversationId, promise);
    try {
      await before;
      await forward(resolve);
    } finally {
      resolve();
      if (this.#lanes.get(conversationId) === promise) this.#lanes.delete(conversationId);
    }
  }

  /**
   * Makes the attempts of an event.
   * @param release the next event of its conversation may pass
   * @param done not called if it was stopped: the next start of the listener begins with it
   */
  async #forward(listened: ListenedEvent, release: () => void, done: () => void): Promise<void> {
    let urls = this.#options.targetsOf(listened.event.type);
    if (urls.length === 0) {
      done();
      this.#moveOn([]);
    }
    for (let number = 1; urls.length > 0; number++) {
      if (this.#isClosing) return;
      const made = await Promise.all(urls.map((url) => this.#post(listened, url, number)));
      const known = made.filter((one) => one !== undefined);
      // What has failed comes last, for the last one decides the state of the delivery.
      known.sort((a, b) => Number(a.decision.state !== 'delivered') - Number(b.decision.state !== 'delivered'));
      const waiting = known.filter(({ decision }) => decision.state === 'waiting');
      urls = waiting.map(({ url }) => url);
      const isStopped = known.length < made.length;
      if (urls.length === 0 && !isStopped) done();
      this.#moveOn(known.map((one) => attemptOf(one, this.#options.headers)));
      if (urls.length === 0 || isStopped) return;
      if (number >= passedAfter) release();
      this.#waiting++;
      const delays = waiting.map(({ decision }) => (decision.state === 'waiting' ? decision.delayMs : 0));
      await wait(Math.max(...delays), this.#wake.signal);
      this.#waiting--;
    }
  }

  /** @returns undefined if it was stopped: whether the target has got it is unknown */
  async #post(listened: ListenedEvent, url: string, number: number): Promise<Forwarded | undefined> {
    const { sender, secret, headers, tell } = this.#options;
    const { event } = listened;
    while (this.#posting >= maxAtOnce) await new Promise<void>((resolve) => this.#waitingToPost.push(resolve));
    this.#posting++;
    try {
      const request = {
        ...{ url, id: event.id, body: JSON.stringify(event), secrets: [secret] },
        headers: { ...Object.fromEntries(traceOf(listened)), ...headers },
      };
      const attempt = await sender.send(request, this.#stop.signal);
      if (attempt.error?.code === 'stopped') return undefined;
      const decision = decideDelivery(attempt, {
        attemptNumber: number,
        random: Math.random(),
        nowMs: Date.now(),
        maxAttempts,
      });
      const forwarded: Forwarded = { listened, url, attempt, number, decision };
      tell(forwarded);
      return forwarded;
    } finally {
      this.#posting--;
      this.#waitingToPost.shift()?.();
    }
  }

  /** Tells the workspace of attempts, and of the events from the first on that are done. */
  #moveOn(attempts: NonNullable<Ack['attempts']>): void {
    const open = this.#taken.findIndex(({ isDone }) => !isDone);
    const done = this.#taken.splice(0, open === -1 ? this.#taken.length : open);
    if (attempts.length > 0 || done.length > 0) this.#acknowledger.add(attempts, done.at(-1)?.cursor);
    if (this.#taken.length < maxTaken) for (const go of this.#waitingForRoom.splice(0)) go();
  }
}

const maxTextLength = 1_000;

function traceOf({ event, depth, deliveryId = event.id }: ListenedEvent): [string, string][] {
  return event.traceId === null ? [] : traceHeaders(event.traceId, deliveryId, depth);
}

/** An attempt as the workspace keeps it. */
function attemptOf(
  { listened: { event, deliveryId }, url, attempt, decision }: Forwarded,
  extraHeaders: Readonly<Record<string, string>>,
): NonNullable<Ack['attempts']>[number] {
  const { status, ms, error, answer, requestHeaders } = attempt;
  return {
    eventId: event.id,
    ...(deliveryId !== undefined && { deliveryId }),
    target: url,
    ms,
    ...(status !== undefined && { status }),
    ...(error && { error: error.message.slice(0, maxTextLength) }),
    // The developer's own headers may hold a secret.
    requestHeaders: Object.fromEntries(
      Object.entries(requestHeaders).map(([name, value]) => [name, name in extraHeaders ? '(not shown)' : value]),
    ),
    ...(answer && { answer: { ...answer, body: answer.body.slice(0, 4_096) } }),
    nextAttemptInMs: decision.state === 'waiting' ? decision.delayMs : null,
    reason: decision.reason.slice(0, maxTextLength),
  };
}
