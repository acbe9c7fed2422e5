import { describerRestMs, surplusRestMs } from '../limits.ts';
import { isShared, type Job, type Lane, type LaneProgram, type Member, newLane, type Worker } from './lane.ts';

import { surplusOf } from './sizing.ts';

const none: readonly Lane[] = [];

export interface LanesEvents {
  close(worker: Worker): void;
  /** The isolates that described programs in these children have been closed. */
  described(members: ReadonlySet<Member>): void;
}

/** The programs that have isolates or waiting jobs. Isolates that are no longer needed are closed. */
export class Lanes {
  readonly #events: LanesEvents;
  readonly #all = new Map<string, Lane>();
  readonly #starving = new Set<Lane>();

  constructor(events: LanesEvents) {
    this.#events = events;
  }

  /** Number of waiting jobs of all programs. */
  get queued(): number {
    let queued = 0;
    for (const lane of this.#all.values()) queued += lane.queue.length;
    return queued;
  }

  find(programId: string): Lane | undefined {
    return this.#all.get(programId);
  }

  /** The lane of a program; created if it has none. */
  of(program: LaneProgram): Lane {
    let lane = this.#all.get(program.id);
    if (!lane) {
      lane = newLane(program);
      this.#all.set(program.id, lane);
    }
    return lane;
  }

  /** Marks a lane as waiting for room in a child. */
  starve(lane: Lane): void {
    this.#starving.add(lane);
  }

  /** Returns the lanes that wait for room in a child, and clears the list. */
  feed(): readonly Lane[] {
    if (this.#starving.size === 0) return none;
    const fed = [...this.#starving];
    this.#starving.clear();
    return fed;
  }

  /** A job of the lane waits again: if the lane was dropped meanwhile, it becomes the program's lane again. */
  resume(lane: Lane): void {
    if (!this.#all.has(lane.program.id)) this.#all.set(lane.program.id, lane);
  }

  /** Takes a job out of its queue. */
  withdraw(job: Job): boolean {
    for (const lane of this.#all.values()) {
      if (!lane.queue.remove(job)) continue;
      this.tidy(lane);
      return true;
    }
    return false;
  }

  /** Removes and returns all waiting jobs. */
  empty(): Job[] {
    const waiting: Job[] = [];
    for (const lane of this.#all.values()) {
      clearTimeout(lane.growTimer);
      waiting.push(...lane.queue.empty());
    }
    return waiting;
  }

  /** Closes isolates that are no longer needed: those of a replaced program at once, those above the usual number after a while. */
  tidy(lane: Lane): void {
    if (lane.retired && lane.queue.length === 0) {
      for (const worker of [...lane.workers]) if (!worker.job) this.#events.close(worker);
    }
    if (isShared(lane)) this.#rest(lane);
    else if (surplusOf(lane).length > 0) this.#shrink(lane);
    if (lane.workers.size === 0 && lane.queue.length === 0) {
      this.#forget(lane);
      this.#starving.delete(lane);
    }
  }

  /** Jobs in a child that leaves may belong to a lane that has been replaced by another one. */
  #forget(lane: Lane): void {
    if (this.#all.get(lane.program.id) === lane) this.#all.delete(lane.program.id);
  }

  #shrink(lane: Lane): void {
    clearTimeout(lane.restTimer);
    lane.restTimer = setTimeout(() => {
      for (const worker of surplusOf(lane)) this.#events.close(worker);
    }, surplusRestMs).unref();
  }

  #rest(lane: Lane): void {
    clearTimeout(lane.restTimer);
    lane.restTimer = setTimeout(() => {
      if (lane.queue.length > 0 || [...lane.workers].some(({ job }) => job)) return;
      const members = new Set([...lane.workers].map(({ member }) => member));
      for (const worker of [...lane.workers]) this.#events.close(worker);
      this.#forget(lane);
      this.#events.described(members);
    }, describerRestMs).unref();
  }
}
