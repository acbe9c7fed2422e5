import type { JobKind, Trace } from '../../contract/index.ts';
import type { Json } from '../types.ts';

/** A job to enqueue. */
export interface JobSpec {
  readonly kind: JobKind;
  /** What may exist once: while a job with this key is waiting or running, and 24 h after, it answers for every repeat. */
  readonly key?: string;
  /** Jobs of one lane run one after another, in the order in which they were enqueued. */
  readonly lane?: string;
  /** Jobs of one group share a limit of how many run at once. */
  readonly group?: string;
  /** Milliseconds by the workspace clock; now if left out. */
  readonly due?: number;
  /** `due` is a moment that somebody named. Otherwise it is a delay, which stays as long when the clock is turned back. */
  readonly fixed?: boolean;
  /** At most 64 KiB as JSON. Larger data stays in a table of its own. */
  readonly payload: { readonly [name: string]: Json };
  /** What caused it; the cause of the transaction if left out. */
  readonly causeId?: string | null;
  /** The trace that it belongs to; that of the transaction if left out. */
  readonly trace?: Trace;
}

/** A job that this process works on until its lease ends. */
export interface Job {
  /** `job_…` */
  readonly id: string;
  readonly kind: JobKind;
  readonly key: string | null;
  readonly lane: string | null;
  readonly group: string | null;
  /** Milliseconds by the workspace clock. */
  readonly due: number;
  /** Tries that have ended; 0 at the first. */
  readonly attempt: number;
  /** Counts how often the job was claimed; writes of an earlier claim change nothing. */
  readonly epoch: number;
  readonly payload: { readonly [name: string]: Json };
  /** Its trace, with the job as the cause. */
  readonly trace: Trace;
  readonly causeId: string | null;
}

/** How a try ended. */
export type JobEnd =
  | {
      readonly state: 'done' | 'failed' | 'aborted';
      readonly outcome?: Json;
      /** Keep the row, for lists and for its key; otherwise it goes with its end. */
      readonly keep?: boolean;
    }
  | {
      /** Try again. */
      readonly state: 'waiting';
      readonly due: number;
      readonly outcome?: Json;
      /** Whether the try counts; default: yes. */
      readonly counts?: boolean;
      /** false: the next job of its lane may pass. */
      readonly holdsLane?: boolean;
      /** Replaces the payload. */
      readonly payload?: { readonly [name: string]: Json };
    };

/** How many more jobs of a kind may be claimed. */
export interface FreeWorkers {
  readonly kind: JobKind;
  readonly free: number;
  /** How many of each group are running, and how many may. */
  readonly groups?: { readonly most: number; readonly running: ReadonlyMap<string, number> };
}

/** A job that waits, as schedulers see it. */
export interface WaitingJob {
  readonly id: string;
  readonly key: string | null;
  readonly due: number;
  readonly payload: { readonly [name: string]: Json };
}

/** The workspace's jobs, for whoever works on them. */
export interface JobsDoor {
  /** Begins to work as a new node: leases of processes that have ended are free again. Idempotent. */
  open(): Promise<void>;
  enqueue(specs: readonly JobSpec[]): Promise<{ id: string; created: boolean }[]>;
  /** Claims due jobs, at most 32 at once. */
  claim(workers: readonly FreeWorkers[]): Promise<Job[]>;
  /**
   * Ends a try, and enqueues what it leads to, in one transaction.
   * @returns false if the job is no longer this process's: nothing was changed
   */
  finish(job: Job, end: JobEnd, next?: readonly JobSpec[]): Promise<boolean>;
  /** The earliest time at which one of these kinds is due; undefined if none waits. */
  nextDue(kinds: readonly JobKind[]): Promise<number | undefined>;
  waiting(kind: JobKind): Promise<WaitingJob[]>;
  /** Removes jobs that wait; a running one is left. */
  remove(ids: readonly string[]): Promise<void>;
  reschedule(id: string, due: number): Promise<void>;
  /** Moves the due times of delays, after the clock was turned back. */
  shift(byMs: number): Promise<void>;
  /** Calls the listener after a commit that enqueued, ended or changed jobs. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}
