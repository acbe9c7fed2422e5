import { monotonicMs } from '../../std/index.ts';
import { recallAfterMs } from '../limits.ts';
import { type Job, type Lane, leastAhead, type Worker } from './lane.ts';

/**
 * Jobs that wait in a child behind another one of their program, so that a quick program goes on without a way to here and back. Should
 * the one in front of them not be quick, they are given back.
 */
export class Ahead {
  /** Whose job an invocation's number names. */
  readonly #running: Map<number, Worker>;

  constructor(running: Map<number, Worker>) {
    this.#running = running;
  }

  /**
   * Gives jobs that wait to workers that still run others.
   * @returns whether any was given: then somebody has to look later whether it is to be recalled
   */
  hand(lane: Lane): boolean {
    for (let any = false; ; any = true) {
      const job = lane.queue.first;
      const worker = job?.mayFollow ? leastAhead(lane) : undefined;
      if (!job || !worker) return any;
      lane.queue.shift();
      worker.ahead.push(job);
      this.#running.set(job.invocation, worker);
      job.begin(worker);
    }
  }

  /** Keeps an invocation that takes longer than usual from delaying others. */
  recallLate(lane: Lane): void {
    const now = monotonicMs();
    for (const worker of lane.workers) {
      if (worker.ahead.length > 0 && now - worker.usedAt >= recallAfterMs) this.recall(worker);
    }
  }

  /** Asks the child to return an invocation that waits behind another one, if it has not begun. */
  recall({ id, ahead, member }: Worker): void {
    for (const { invocation } of ahead) member.child.post({ t: 'recall', worker: id, invocation });
  }

  /** @returns the job that was given back, to wait with the others again; undefined where it had begun */
  recalled(invocation: number): { lane: Lane; job: Job } | undefined {
    const worker = this.#running.get(invocation);
    const at = worker?.ahead.findIndex((job) => job.invocation === invocation) ?? -1;
    const [job] = worker?.ahead.splice(at, at < 0 ? 0 : 1) ?? [];
    if (!worker || !job) return undefined;
    this.#running.delete(invocation);
    return { lane: worker.lane, job };
  }
}
