import type { Transaction } from 'kysely';
import type { Caller, EventKind } from '../contract/index.ts';
import type { Tables } from './database/index.ts';
import type { Tokens } from './tokens.ts';
import type { Json } from './types.ts';

/** What never changes while a workspace is open. */
export interface Facts {
  readonly slug: string;
  /** As given when opening; a seed may have named it otherwise since. */
  readonly name: string;
  /** Address of the API without a trailing slash, as it is now. */
  readonly baseUrl: () => string;
  /** Signs cursors and upload addresses. Never leaves the workspace. */
  readonly secret: string;
  readonly tokens: Tokens;
  /** How far the workspace clock is ahead of the machine's. */
  readonly clockOffsetMs: () => number;
}

/** An event as a handler announces it; it becomes true with the commit. */
export interface Announcement {
  readonly type: EventKind;
  readonly data: Record<string, unknown>;
  readonly conversationId?: string;
  readonly previous?: Record<string, unknown>;
}

/** The transaction a handler works in: the only way to the state. */
export interface Tx {
  readonly db: Transaction<Tables>;
  /** One moment for the whole transaction, by the workspace clock. */
  readonly now: number;
  readonly facts: Facts;
  readonly caller: Caller;
  /** Writes an event into the journal, in this transaction. */
  announce(announcement: Announcement): Promise<void>;
  /** Runs after the commit, and only then. */
  afterCommit(work: () => void): void;
  /** Refuses unless the version that the caller saw (`If-Match`) is still there; without one, passes. */
  requireVersion(etag: string): void;
}

/** Reads a JSON column, which only this room writes. */
export function fromJson<T extends Json | object>(text: string): T {
  return JSON.parse(text) as T;
}
