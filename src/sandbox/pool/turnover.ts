import { monotonicMs } from '../../std/index.ts';
import { describedPerChild, recycleResidentBytes, renewPauseMs } from '../limits.ts';
import type { Members } from '../members.ts';
import { isBusy, type Member, type Worker } from './lane.ts';

export interface TurnoverActions {
  /** Takes back the jobs that wait behind its running one. */
  recall(worker: Worker): void;
  close(worker: Worker): void;
  /** Ends a child in which nothing runs. */
  end(member: Member): void;
  /** These workers were taken from their programs, most recently used first. */
  moved(workers: readonly Worker[]): void;
}

/**
 * Replaces a child that keeps too much memory. The old one finishes what runs in it, and nothing waits for the start of the new
 * one.
 */
export class Turnover {
  readonly #members: Members;
  readonly #actions: TurnoverActions;

  constructor(members: Members, actions: TurnoverActions) {
    this.#members = members;
    this.#actions = actions;
  }

  /** Replaces a child in a pause of its invocations: while somebody works on functions, losing their isolates would make them wait. */
  renewInPause(member: Member): void {
    if (!this.#members.all.has(member) || member.described < describedPerChild) return;
    const pauseMs = isBusy(member) ? 0 : monotonicMs() - usedAt(member);
    if (pauseMs >= renewPauseMs) this.replace(member);
    else setTimeout(() => this.renewInPause(member), renewPauseMs - pauseMs).unref();
  }

  /** Starts another child, one at a time. Once that is ready it takes all new jobs, and this one ends when nothing runs in it. */
  replace(member: Member): void {
    const underWay = [...this.#members.all].some(({ insteadOf, leaving }) => insteadOf || leaving);
    if (underWay || member.quarantineFor !== undefined || !this.#members.all.has(member)) return;
    member.described = 0;
    this.#members.start().insteadOf = member;
  }

  /** After a long pause, one child is enough, and a small one: only the end of a process returns the memory of isolates that were closed. */
  rest(): void {
    const usual = this.#members.usual().filter((member) => !isBusy(member));
    const [kept, ...others] = usual.sort((a, b) => usedAt(b) - usedAt(a));
    for (const other of others) this.#actions.end(other);
    if (kept && kept.child.residentBytes() > recycleResidentBytes) this.replace(kept);
  }

  /** This child is ready: the one that it replaces leaves. */
  takeOver(member: Member): void {
    const { insteadOf } = member;
    member.insteadOf = undefined;
    if (!insteadOf || !this.#members.all.has(insteadOf)) return;
    insteadOf.leaving = true;
    const workers = [...insteadOf.workers.values()].sort((a, b) => b.usedAt - a.usedAt);
    this.letGo(workers);
    this.leave(insteadOf);
    this.#actions.moved(workers);
  }

  /** Lets workers finish what they run; their lanes run new jobs elsewhere. */
  letGo(workers: readonly Worker[]): void {
    for (const worker of workers) {
      worker.lane.workers.delete(worker);
      if (worker.job) this.#actions.recall(worker);
      else this.#actions.close(worker);
    }
  }

  /** Ends a child as soon as nothing runs in it. */
  leave(member: Member): void {
    if (!isBusy(member)) this.#actions.end(member);
  }
}

/** When any of its workers was last used. */
function usedAt({ workers }: Member): number {
  return Math.max(0, ...[...workers.values()].map((worker) => worker.usedAt));
}
