import { describerRestMs, surplusRestMs } from '../limits.ts';
import { isShared, type Job, type Lane, type LaneProgram, type Member, newLane, type Worker } from './lane.ts';

import { surplusOf } from './sizing.ts';

const none: readonly Lane[] = [];

export interface LanesEvents {
  close(worker: Worker): void;
  /** The isolates that described programs in these children are closed. */
  described(members: ReadonlySet<Member>): void;
}

/** The programs that have isolates, or jobs that wait for one. What a program has no use for any more is closed. */
export class Lanes {
  readonly #events: LanesEvents;
  readonly #all = new Map<string, Lane>();
  readonly #starving = new Set<Lane>();

  constructor(events: LanesEvents) {
    this.#events = events;
  }

  /** Jobs that wait, over all programs. */
  get queued(): number {
    let queued = 0;
    for (const lane of this.#all.values()) queued += lane.queue.length;
    return queued;
  }

  find(programId: string): Lane | undefined {
    return this.#all.get(programId);
  }

  /** The lane of a program; a new one where it has none. */
  of(program: LaneProgram): Lane {
    let lane = this.#all.get(program.id);
    if (!lane) {
      lane = newLane(program);
      this.#all.set(program.id, lane);
    }
    return lane;
  }

  /** It waits for room in a child. */
  starve(lane: Lane): void {
    this.#starving.add(lane);
  }

  /** Takes all lanes that wait for room in a child. */
  feed(): readonly Lane[] {
    if (this.#starving.size === 0) return none;
    const fed = [...this.#starving];
    this.#starving.clear();
    return fed;
  }

  /** Something of it waits again: one that was given up meanwhile is the program's lane once more, replaced as it was. */
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

  /** Takes out all that wait. */
  empty(): Job[] {
    const waiting: Job[] = [];
    for (const lane of this.#all.values()) {
      clearTimeout(lane.growTimer);
      waiting.push(...lane.queue.empty());
    }
    return waiting;
  }

  /** Closes isolates that are not needed any more: of a replaced program, and in a while those above the usual number. */
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

  /** What still runs in a child that leaves has a lane that another one may have followed. */
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
