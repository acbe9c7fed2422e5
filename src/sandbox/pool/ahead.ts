import { monotonicMs } from '../../std/index.ts';
import { recallAfterMs } from '../limits.ts';
import { type Job, type Lane, leastAhead, type Worker } from './lane.ts';

/**
 * Queues jobs in a child behind another job of their program, so that a quick program continues without a round trip to this process. If
 * the job in front turns out to be slow, they are taken back.
 */
export class Ahead {
  /** Workers by the invocation number of their job. */
  readonly #running: Map<number, Worker>;

  constructor(running: Map<number, Worker>) {
    this.#running = running;
  }

  /**
   * Hands waiting jobs to workers that are still running others.
   * @returns whether any was handed over: then the caller has to check later whether to recall it
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

  /** Recalls the jobs behind one that takes longer than usual. */
  recallLate(lane: Lane): void {
    const now = monotonicMs();
    for (const worker of lane.workers) {
      if (worker.ahead.length > 0 && now - worker.usedAt >= recallAfterMs) this.recall(worker);
    }
  }

  /** Asks for the jobs that wait behind another invocation, unless they have begun. */
  recall({ id, ahead, member }: Worker): void {
    for (const { invocation } of ahead) member.child.post({ t: 'recall', worker: id, invocation });
  }

  /** @returns the job that was given back, to be queued again; undefined if it had begun */
  recalled(invocation: number): { lane: Lane; job: Job } | undefined {
    const worker = this.#running.get(invocation);
    const at = worker?.ahead.findIndex((job) => job.invocation === invocation) ?? -1;
    const [job] = worker?.ahead.splice(at, at < 0 ? 0 : 1) ?? [];
    if (!worker || !job) return undefined;
    this.#running.delete(invocation);
    return { lane: worker.lane, job };
  }
}
