import type { Transaction } from 'kysely';
import type { ActorType, Caller, EventKind, Trace } from '../../contract/index.ts';
import type { CommittedCopy } from '../database/committed-copy.ts';
import type { Tables } from '../database/index.ts';
import type { LiveFlow } from '../flows/live-flows.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { JournalEvent, Json } from '../types.ts';
import type { Subscriptions } from '../webhooks/subscriptions.ts';

/** Facts that never change while a workspace is open. */
export interface Facts {
  readonly slug: string;
  /** The name given when opening; a seed may have changed it since. */
  readonly name: string;
  /** The current address of the API without a trailing slash. */
  readonly baseUrl: () => string;
  /** Signs cursors and upload addresses. Never leaves the workspace. */
  readonly secret: string;
  readonly tokens: Tokens;
  /** Who wants events. */
  readonly subscriptions: Subscriptions;
  /** The flows that can start. */
  readonly flows: CommittedCopy<readonly LiveFlow[]>;
  /** Tells whoever writes records of a new secret of an endpoint, say, of which they are redacted; called after the commit. */
  readonly secretKept: (value: string) => void;
  /** How far the workspace clock is ahead of the machine's, in milliseconds. */
  readonly clockOffsetMs: () => number;
  /** Tells whoever works on jobs that one was enqueued or ended; called after the commit. */
  readonly jobsChanged: () => void;
  /** Tells listeners' streams that something is sent to one of them again; called after the commit. */
  readonly listenersChanged: () => void;
  /** Tells whoever works on a run that it was cancelled; called after the commit. */
  readonly runCancelled: (runId: string) => void;
}

/** An event that a handler announces; it takes effect with the commit. */
export interface Announcement {
  readonly type: EventKind;
  readonly data: Record<string, unknown>;
  readonly conversationId?: string;
  readonly previous?: Record<string, unknown>;
  /** Only this webhook endpoint gets it: it is in no list and no stream. */
  readonly deliverTo?: string;
  /** Who caused it, if it is not the caller of the transaction. */
  readonly by?: { readonly caller: Caller; readonly trace: Trace };
  /** Who is named as the actor, if it is none of the callers that a transaction may have: an AI agent, the customer. */
  readonly actor?: { readonly type: ActorType; readonly id: string | null };
  /** Nothing happened in the workspace: somebody tries out what receives it. */
  readonly synthetic?: boolean;
  /** What happened is meant for something else than flows: it starts none, and none that is under way takes it. */
  readonly skipsFlows?: boolean;
}

/** The transaction of a handler: its only access to the state. */
export interface Tx {
  readonly db: Transaction<Tables>;
  /** The time of the whole transaction, by the workspace clock. */
  readonly now: number;
  readonly facts: Facts;
  readonly caller: Caller;
  /** The trace of the call. */
  readonly trace: Trace;
  /** Writes an event into the journal, in this transaction. @returns undefined where events are not written: a seed describes a state */
  announce(announcement: Announcement): Promise<JournalEvent | undefined>;
  /** Runs after the commit, and only then. */
  afterCommit(work: () => void): void;
  /** Refuses unless the version that the caller saw (`If-Match`) is still current; passes without one. */
  requireVersion(etag: string): void;
}

/** Reads a JSON column, which only this room writes. */
export function fromJson<T extends Json | object>(text: string): T {
  return JSON.parse(text) as T;
}
