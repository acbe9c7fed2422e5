import { describersAtOnce, firstIsolatesPerChild, isolatesPerChild, nestedIsolatesPerChild } from '../limits.ts';
import type { Members } from '../members.ts';
import { inLane, isBusy, isShared, type Lane, type Member, newWorker, restingIn, type Worker } from './lane.ts';
import { cores, isolatesFor } from './sizing.ts';
import type { Strikes } from './strikes.ts';

export interface IsolatesOptions {
  /** Children for any program, at most. */
  readonly processes: number;
  readonly inspect: boolean;
  /** Nothing runs in this child, and another program needs its place. */
  end(member: Member): void;
}

/** Opens and closes the isolates of programs: how many one may have, in which child each lives, and which one goes for it. */
export class Isolates {
  readonly #members: Members;
  readonly #strikes: Strikes;
  readonly #options: IsolatesOptions;
  #nextWorker = 1;

  constructor(members: Members, strikes: Strikes, options: IsolatesOptions) {
    this.#members = members;
    this.#strikes = strikes;
    this.#options = options;
  }

  /** Whether a program has one isolate only, whatever waits for it. */
  isAlone(lane: Lane): boolean {
    return this.#options.inspect || this.#strikes.isQuarantined(lane);
  }

  /** How many isolates a program may have now. */
  most(lane: Lane): number {
    if (this.isAlone(lane)) return 1;
    return isShared(lane) ? Math.min(cores, describersAtOnce) : isolatesFor(lane);
  }

  /**
   * @param depth of the invocation that it is for: a nested one is given room where others have to wait
   * @returns undefined where no child has room
   */
  open(lane: Lane, memoryMb: number, depth: number): Worker | undefined {
    const member = this.#memberFor(lane, depth);
    if (!member) return undefined;
    const worker = newWorker(this.#nextWorker++, lane, member);
    const known = inLane(member, lane) > 0;
    if (isShared(lane)) member.child.post({ t: 'open-describer', worker: worker.id });
    else {
      if (!known) member.child.post({ t: 'program', ...lane.program });
      member.child.post({ t: 'open', worker: worker.id, program: lane.program.id, memoryMb });
    }
    member.workers.set(worker.id, worker);
    lane.workers.add(worker);
    return worker;
  }

  close(worker: Worker): void {
    worker.lane.workers.delete(worker);
    worker.member.workers.delete(worker.id);
    worker.member.child.post({ t: 'close', worker: worker.id });
  }

  #memberFor(lane: Lane, depth: number): Member | undefined {
    if (this.#strikes.isQuarantined(lane)) return this.#quarantineFor(lane, depth);
    const usual = this.#members.usual();
    // A program's isolates live together: should it take its child along, fewer others are in it; and one child costs half
    // the memory of two, at the same throughput.
    usual.sort(
      (a, b) =>
        inLane(b, lane) - inLane(a, lane) || Number(b.ready) - Number(a.ready) || a.workers.size - b.workers.size,
    );
    const mayFork = usual.length < this.#options.processes;
    if (!usual[0]) return this.#members.start();
    if (mayFork && usual[0].workers.size >= isolatesPerChild / 2) this.#members.startSoon(this.#options.processes);
    // Do not wait for one to start while another may have room.
    const [best = usual[0], ...others] = usual.filter(({ ready }) => ready);
    const able = [best, ...others];
    return (
      able.find(({ workers }) => workers.size < isolatesPerChild) ??
      able.find((member) => this.#makeRoomIn(member, isolatesPerChild)) ??
      (this.#makeRoomIn(best, mostFor(lane, depth)) ? best : undefined)
    );
  }

  /** Gives up those isolates that were not used for longest, should that do. */
  #makeRoomIn(member: Member, most: number): boolean {
    const tooMany = Math.max(0, member.workers.size - most + 1);
    const resting = restingIn(member).sort((a, b) => a.usedAt - b.usedAt);
    if (resting.length < tooMany) return false;
    for (const worker of resting.slice(0, tooMany)) this.close(worker);
    return true;
  }

  #quarantineFor(lane: Lane, depth: number): Member | undefined {
    const { id } = lane.program;
    const others: Member[] = [];
    for (const member of this.#members.all) {
      if (member.quarantineFor === id) return member;
      if (member.quarantineFor !== undefined) others.push(member);
    }
    const idle = others.find((member) => !isBusy(member));
    if (idle) this.#options.end(idle);
    else if (others.length > 0 && depth === 0) return undefined;
    return this.#members.start(id);
  }
}

/** How many a child may have where all are busy. A program without any does not wait for what others run. */
function mostFor(lane: Lane, depth: number): number {
  if (depth > 0) return isolatesPerChild + nestedIsolatesPerChild;
  return isolatesPerChild + (lane.workers.size === 0 ? firstIsolatesPerChild : 0);
}
