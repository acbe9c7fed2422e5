import { queueWaitMs } from '../limits.ts';
import type { Job } from './lane.ts';

interface Waiting {
  readonly job: Job;
  readonly timer: NodeJS.Timeout;
}

/** Jobs that wait for an isolate, in order of arrival. A job that waits too long fails as busy. */
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

  /** Removes and returns the oldest job. */
  shift(): Job | undefined {
    return taken(this.#waiting.shift());
  }

  /** @returns whether it was in the queue */
  remove(job: Job): boolean {
    const at = this.#waiting.findIndex((waiting) => waiting.job === job);
    return at >= 0 && taken(...this.#waiting.splice(at, 1)) !== undefined;
  }

  /** Removes and returns all jobs. */
  empty(): Job[] {
    return this.#waiting.splice(0).flatMap((waiting) => taken(waiting) ?? []);
  }
}

function taken(waiting?: Waiting): Job | undefined {
  clearTimeout(waiting?.timer);
  return waiting?.job;
}
