import { queueWaitMs } from '../limits.ts';
import type { Job } from './lane.ts';

interface Waiting {
  readonly job: Job;
  readonly timer: NodeJS.Timeout;
}

/** Jobs that wait for an isolate, in the order in which they came. Who waits too long is told that it is busy. */
export class Queue {
  readonly #waiting: Waiting[] = [];

  get length(): number {
    return this.#waiting.length;
  }

  get first(): Job | undefined {
    return this.#waiting[0]?.job;
  }

  push(job: Job): void {
    const late = () => {
      if (this.remove(job)) job.fail({ kind: 'busy' });
    };
    this.#waiting.push({ job, timer: setTimeout(late, queueWaitMs) });
  }

  /** Takes out the one that came first. */
  shift(): Job | undefined {
    return taken(this.#waiting.shift());
  }

  /** @returns whether it was there */
  remove(job: Job): boolean {
    const at = this.#waiting.findIndex((waiting) => waiting.job === job);
    return at >= 0 && taken(...this.#waiting.splice(at, 1)) !== undefined;
  }

  /** Takes out all of them. */
  empty(): Job[] {
    return this.#waiting.splice(0).flatMap((waiting) => taken(waiting) ?? []);
  }
}

function taken(waiting?: Waiting): Job | undefined {
  clearTimeout(waiting?.timer);
  return waiting?.job;
}
