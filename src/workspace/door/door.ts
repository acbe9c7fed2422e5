import type { Kysely } from 'kysely';
import {
  type Caller,
  type CallOptions,
  type EventKind,
  type Input,
  isOperationName,
  limits,
  type Operation,
  type OperationName,
  type Output,
  operationOf,
  type ParsedInput,
  refusal,
  type StateOperation,
  traceOf,
} from '../../contract/index.ts';
import { canonicalJson, type FnError, lazy, sha256Hex } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { machineFailure } from '../database/index.ts';
import { type Handlers, handlers } from '../handlers/index.ts';
import { writeEvent } from '../journal/journal.ts';
import type { JournalEvent } from '../types.ts';
import { requireMatch } from './etag.ts';
import { keep, keptOf, requireKey, requireSameRequest, scopeOfKey, seal, unseal } from './idempotency.ts';
import { permit, permitApp } from './permission.ts';
import type { Announcement, Facts, Tx } from './tx.ts';

/** The parts that the door uses. */
export interface DoorParts {
  readonly writer: Kysely<Tables>;
  readonly reader: Kysely<Tables>;
  readonly file: string;
  readonly facts: Facts;
  readonly now: () => number;
  /** Called with events after their commit, in the order of the journal. */
  readonly published: (events: JournalEvent[]) => void;
}

/** Loads the input checks at the first call: the schema library takes longer than the rest of a start together. */
export const loadInput = lazy(() => import('./input.ts'));

/** Checks, permission, recording and events happen here and nowhere else. */
export class DoorOfState {
  readonly #parts: DoorParts;

  constructor(parts: DoorParts) {
    this.#parts = parts;
  }

  /** Checks scope and shape, for operations that a machine carries out. */
  async check<N extends OperationName>(name: N, given: unknown, caller: Caller): Promise<ParsedInput<N>> {
    // The name may come from a function's own code.
    if (!isOperationName(name)) throw refusal('operation_not_allowed', 'There is no such operation');
    permit(name, operationOf(name), caller);
    const { parseInput } = await loadInput();
    const parsed = parseInput(name, given);
    permitApp(name, parsed, caller);
    return parsed;
  }

  async call<N extends StateOperation>(
    name: N,
    given: Input<N>,
    caller: Caller,
    options: CallOptions = {},
  ): Promise<Output<N>> {
    const parsed = await this.check(name, given, caller);
    const handler: Handlers[N] | undefined = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) throw refusal('operation_not_allowed', `${name} is not carried out on the state`);
    return this.perform(name, parsed, caller, options, (tx) => handler(parsed, tx, caller));
  }

  /** Runs a handler in one transaction of the kind its operation needs. Also for rules outside the table of handlers. */
  async perform<T>(
    name: OperationName,
    parsed: object,
    caller: Caller,
    options: CallOptions,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const operation = operationOf(name);
    options.signal?.throwIfAborted();
    try {
      return operation.effect === 'read'
        ? await this.#read(caller, options, work)
        : await this.#write(name, operation, parsed, caller, options, work);
    } catch (error) {
      throw machineFailure(this.#parts.file, error) as FnError;
    }
  }

  #read<T>(caller: Caller, options: CallOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { reader, facts, now } = this.#parts;
    return reader.transaction().execute((db) =>
      work({
        db,
        now: now(),
        facts,
        caller,
        trace: traceOf(caller),
        announce: () => Promise.reject(new Error('a reading operation has nothing to announce')),
        afterCommit: () => {},
        requireVersion: (etag) => requireMatch(options.ifMatch, etag),
      }),
    );
  }

  async #write<T>(
    name: OperationName,
    operation: Operation,
    parsed: object,
    caller: Caller,
    options: CallOptions,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const key = options.idempotencyKey;
    if (key !== undefined) requireKey(key);
    return this.#change({ name, emits: operation.emits ?? [] }, caller, options, async (tx) => {
      const { db, now } = tx;
      const scope = scopeOfKey(caller);
      const fingerprint =
        key === undefined ? '' : sha256Hex(`${name} ${options.ifMatch ?? ''} ${canonicalJson(parsed)}`);
      const kept = key === undefined ? undefined : await keptOf(db, scope, key, now);
      // Also while the first request is still running: its answer would otherwise be returned for a different request.
      if (kept !== undefined) requireSameRequest(kept, fingerprint);
      if (key !== undefined && kept?.answer !== undefined && kept.answer !== null) {
        options.onReplay?.();
        return JSON.parse(operation.sealed ? unseal(kept.answer, key) : kept.answer) as T;
      }
      const output = await work(tx);
      if (key !== undefined) {
        const answer = JSON.stringify(output);
        await keep(db, scope, key, {
          fingerprint,
          answer: operation.sealed ? seal(answer, key) : answer,
          at: now,
        });
      }
      return output;
    });
  }

  /** Runs what the workspace does by itself, in one transaction: the end of a job with its effects. */
  async change<T>(origin: Origin, caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.#change(origin, caller, {}, work);
    } catch (error) {
      throw machineFailure(this.#parts.file, error) as FnError;
    }
  }

  async #change<T>(
    { name, emits }: Origin,
    caller: Caller,
    options: CallOptions,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const { writer, facts, published } = this.#parts;
    const trace = traceOf(caller);
    if (trace.depth > limits.trace.maxDepth) throw refusal('loop_detected');
    const events: JournalEvent[] = [];
    const after: (() => void)[] = [];
    const result = await writer.transaction().execute((db) => {
      const now = this.#parts.now();
      const tx: Tx = {
        db,
        now,
        facts,
        caller,
        trace,
        announce: async (announcement: Announcement) => {
          // What is synthetic did not happen: it may be of any kind.
          if (!announcement.synthetic && !emits.includes(announcement.type)) {
            throw new Error(`${name} announces ${announcement.type}, which its row does not name`);
          }
          const event = await writeEvent(tx, announcement, name);
          events.push(event);
          return event;
        },
        afterCommit: (task) => after.push(task),
        requireVersion: (etag) => requireMatch(options.ifMatch, etag),
      };
      return work(tx);
    });
    for (const task of new Set(after)) task();
    if (events.length > 0) published(events);
    return result;
  }
}

/** What a change is recorded as, and the kinds of events that it may announce. */
export interface Origin {
  readonly name: string;
  readonly emits: readonly EventKind[];
}
