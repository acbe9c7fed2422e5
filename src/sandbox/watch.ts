import {
  childResidentBytes,
  isolatesPerChild,
  recycleResidentBytes,
  residentPollMs,
  silentChildMs,
  totalResidentBytes,
} from './limits.ts';
import { isBusy, type Member } from './pool.ts';

const mb = 1024 * 1024;

export interface WatchActions {
  kill(member: Member, why: 'memory' | 'silent'): void;
  /** It is idle, and too big or only there for a program that once had to be killed. */
  recycle(member: Member): void;
}

/**
 * Looks at the children from outside, while anything runs and a moment longer: a memory limit of isolated-vm does not
 * cover all memory, and a child whose own thread is held cannot watch itself.
 */
export class Watch {
  readonly #members: ReadonlySet<Member>;
  readonly #actions: WatchActions;
  #interval: NodeJS.Timeout | undefined;
  #lastTick = 0;
  #pingedAt = 0;
  #idleSince: number | undefined;

  constructor(members: ReadonlySet<Member>, actions: WatchActions) {
    this.#members = members;
    this.#actions = actions;
  }

  start(): void {
    this.#idleSince = undefined;
    if (this.#interval) return;
    this.#lastTick = performance.now();
    this.#interval = setInterval(() => this.#tick(), residentPollMs);
    this.#interval.unref();
  }

  stop(): void {
    clearInterval(this.#interval);
    this.#interval = undefined;
  }

  #tick(): void {
    const now = performance.now();
    // After a pause of this process itself (a suspended machine) nobody else is to blame for silence.
    const awake = now - this.#lastTick < 1_000;
    this.#lastTick = now;
    const ping = now - this.#pingedAt >= 500;
    const busy = [...this.#members].filter(isBusy);
    let total = 0;
    let biggest: { member: Member; bytes: number } | undefined;
    for (const member of this.#members) {
      const bytes = member.child.residentBytes();
      total += bytes;
      if (!biggest || bytes > biggest.bytes) biggest = { member, bytes };
      if (bytes > childResidentBytes) this.#actions.kill(member, 'memory');
      else if (isBusy(member) && (ping || bytes > childResidentBytes / 2)) this.#ping(member, awake, now);
    }
    if (ping) this.#pingedAt = now;
    if (total > totalResidentBytes && biggest) this.#actions.kill(biggest.member, 'memory');
    if (busy.length === 0) this.#idle(now);
    else this.#idleSince = undefined;
  }

  #ping(member: Member, awake: boolean, now: number): void {
    if (member.ready && awake && now - member.child.heardAt > silentChildMs) this.#actions.kill(member, 'silent');
    else member.child.post({ t: 'ping' });
  }

  #idle(now: number): void {
    this.#idleSince ??= now;
    if (now - this.#idleSince < 1_000) return;
    for (const member of [...this.#members]) {
      const allowed = recycleResidentBytes + Math.min(member.workers.size, isolatesPerChild) * 8 * mb;
      if (member.quarantineFor !== undefined || member.child.residentBytes() > allowed) this.#actions.recycle(member);
    }
    this.stop();
  }
}
