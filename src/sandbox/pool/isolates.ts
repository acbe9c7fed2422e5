import { describersAtOnce, roomForFirst, roomForNested, roomInChild } from '../limits.ts';
import type { Members } from '../members.ts';
import { inLane, isBusy, isShared, type Lane, type Member, newWorker, type Worker } from './lane.ts';
import { cores, isolatesFor } from './sizing.ts';
import { closedFor, fullness, isCrowded, takesPrograms } from './space.ts';
import type { Strikes } from './strikes.ts';

export interface IsolatesOptions {
  /** The largest number of children that any program may use. */
  readonly processes: number;
  readonly inspect: boolean;
  /** Ends a child in which nothing runs: another program needs its place. */
  end(member: Member): void;
}

/** Opens and closes the isolates of programs. Decides how many a program may have, in which child each lives, and which one makes room. */
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

  /** Whether a program never gets more than one isolate. */
  isAlone(lane: Lane): boolean {
    return this.#options.inspect || this.#strikes.isQuarantined(lane);
  }

  /** How many isolates a program may have now. */
  most(lane: Lane): number {
    if (this.isAlone(lane)) return 1;
    return isShared(lane) ? Math.min(cores, describersAtOnce) : isolatesFor(lane);
  }

  /**
   * @param depth of the invocation: a nested one gets room where others would have to wait
   * @returns undefined if no child has room
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
    // A program's isolates live in one child: if it brings the child down, fewer others go with it; and one child takes half
    // the memory of two at the same throughput.
    usual.sort(
      (a, b) =>
        inLane(b, lane) - inLane(a, lane) || Number(b.ready) - Number(a.ready) || a.workers.size - b.workers.size,
    );
    const mayFork = usual.length < this.#options.processes;
    if (!usual[0]) return this.#members.start();
    if (mayFork && (fullness(usual[0]) >= 1 / 2 || isCrowded(usual[0])))
      this.#members.startSoon(this.#options.processes);
    // Do not wait for a child to start while another may have room.
    const ready = usual.filter((member) => member.ready);
    const waits = depth === 0 && !isShared(lane);
    const able = (ready.length > 0 ? ready : [usual[0]]).filter((member) => !waits || takesPrograms(member));
    return (
      able.find((member) => closedFor(lane, member, roomInChild)?.length === 0) ??
      able.find((member) => this.#makeRoomIn(member, lane, roomInChild)) ??
      able.slice(0, 1).find((member) => this.#makeRoomIn(member, lane, mostFor(lane, depth)))
    );
  }

  /** Closes the least recently used isolates, if that makes enough room. */
  #makeRoomIn(member: Member, lane: Lane, most: typeof roomInChild): boolean {
    const closed = closedFor(lane, member, most);
    for (const worker of closed ?? []) this.close(worker);
    return closed !== undefined;
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

/** What a child may have when all of its isolates are busy. A program without an isolate does not wait for others to finish. */
function mostFor(lane: Lane, depth: number): typeof roomInChild {
  if (depth > 0) return roomForNested;
  return lane.workers.size === 0 ? roomForFirst : roomInChild;
}
