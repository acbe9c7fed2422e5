import { monotonicMs } from '../../std/index.ts';
import { describedPerChild, renewPauseMs } from '../limits.ts';
import type { Members } from '../members.ts';
import { isBusy, type Member, type Worker } from './lane.ts';

export interface TurnoverActions {
  /** Gives back what waits behind what it runs. */
  recall(worker: Worker): void;
  close(worker: Worker): void;
  /** Nothing runs in it any more. */
  end(member: Member): void;
  /** The programs of these have lost them; those used last come first. */
  moved(workers: readonly Worker[]): void;
}

/**
 * Puts a new child in the place of one that keeps too much. The old one goes on with what runs in it, and nobody waits for the start
 * of the new one.
 */
export class Turnover {
  readonly #members: Members;
  readonly #actions: TurnoverActions;

  constructor(members: Members, actions: TurnoverActions) {
    this.#members = members;
    this.#actions = actions;
  }

  /** While functions are invoked in it again and again, somebody works on them, and would wait for those that go with it. */
  renewInPause(member: Member): void {
    if (!this.#members.all.has(member) || member.described < describedPerChild) return;
    const usedAt = Math.max(0, ...[...member.workers.values()].map((worker) => worker.usedAt));
    const pauseMs = isBusy(member) ? 0 : monotonicMs() - usedAt;
    if (pauseMs >= renewPauseMs) this.replace(member);
    else setTimeout(() => this.renewInPause(member), renewPauseMs - pauseMs).unref();
  }

  /** Another child is started, one at a time; when it is ready it takes what comes, and this one goes when nothing runs in it. */
  replace(member: Member): void {
    const underWay = [...this.#members.all].some(({ insteadOf, leaving }) => insteadOf || leaving);
    if (underWay || member.quarantineFor !== undefined || !this.#members.all.has(member)) return;
    member.described = 0;
    this.#members.start().insteadOf = member;
  }

  /** This child is ready: the one that it was started for leaves. */
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

  /** They end what they run; their lanes run what comes elsewhere. */
  letGo(workers: readonly Worker[]): void {
    for (const worker of workers) {
      worker.lane.workers.delete(worker);
      if (worker.job) this.#actions.recall(worker);
      else this.#actions.close(worker);
    }
  }

  /** It goes, as soon as nothing runs in it. */
  leave(member: Member): void {
    if (!isBusy(member)) this.#actions.end(member);
  }
}
