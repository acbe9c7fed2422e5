import { monotonicMs } from '../../std/index.ts';
import {
  childResidentBytes,
  crowdedResidentBytes,
  keptBytes,
  mostGuessedBytes,
  recycleResidentBytes,
  residentPollMs,
  silentChildCpuMs,
  silentChildMs,
  silentStarvedMs,
  totalResidentBytes,
} from '../limits.ts';
import { isBusy, type Member } from './lane.ts';
import { takenIn } from './space.ts';

export interface WatchActions {
  kill(member: Member, why: 'memory' | 'silent'): void;
  /** Replaces a child that keeps too much memory. */
  replace(member: Member): void;
  /** Ends an idle child that exists only for a quarantined program. */
  end(member: Member): void;
  /** Nothing has run for a long time. */
  rest(): void;
}

/**
 * Watches the children from outside, while anything runs and a little longer: isolated-vm's memory limit does not cover all
 * memory, and a child whose main thread is blocked cannot watch itself.
 */
export class Watch {
  readonly #members: ReadonlySet<Member>;
  readonly #actions: WatchActions;
  readonly #restMs: number;
  #resting: NodeJS.Timeout | undefined;
  #interval: NodeJS.Timeout | undefined;
  #lastTick = 0;
  readonly #silences = new WeakMap<Member, Silence>();
  #pingedAt = 0;
  #idleSince: number | undefined;

  /** @param restMs pause after which `rest` is called */
  constructor(members: ReadonlySet<Member>, actions: WatchActions, restMs: number) {
    this.#members = members;
    this.#actions = actions;
    this.#restMs = restMs;
  }

  start(): void {
    this.#idleSince = undefined;
    clearTimeout(this.#resting);
    if (this.#interval) return;
    this.#lastTick = monotonicMs();
    this.#interval = setInterval(() => this.#tick(), residentPollMs);
    this.#interval.unref();
  }

  stop(): void {
    clearTimeout(this.#resting);
    clearInterval(this.#interval);
    this.#interval = undefined;
  }

  #tick(): void {
    const now = monotonicMs();
    // A pause of this process (a suspended or busy machine) does not count as the child's silence.
    const passedMs = Math.min(now - this.#lastTick, 1.5 * residentPollMs);
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
      else if (bytes > crowdedResidentBytes) this.#actions.replace(member);
      if (isBusy(member)) {
        if (this.#isHung(member, passedMs)) this.#actions.kill(member, 'silent');
        else if (ping || bytes > childResidentBytes / 2) member.child.post({ t: 'ping' });
      } else this.#silences.delete(member);
    }
    if (ping) this.#pingedAt = now;
    if (total > totalResidentBytes && biggest) this.#actions.kill(biggest.member, 'memory');
    if (busy.length === 0) this.#idle(now);
    else this.#idleSince = undefined;
  }

  #isHung(member: Member, passedMs: number): boolean {
    const { child, ready } = member;
    const silence = this.#silences.get(member);
    if (child.heard || !ready || !silence) {
      child.heard = false;
      this.#silences.set(member, { ms: 0, cpuAtStart: child.mainThreadCpuMs() });
      return false;
    }
    silence.ms += passedMs;
    if (silence.ms < silentChildMs) return false;
    const cpu = child.mainThreadCpuMs();
    return isHung(silence.ms, cpu === undefined ? undefined : cpu - (silence.cpuAtStart ?? cpu));
  }

  #idle(now: number): void {
    this.#idleSince ??= now;
    if (now - this.#idleSince < 1_000) return;
    for (const member of [...this.#members]) {
      const allowed = recycleResidentBytes + Math.min(takenIn(member, mostGuessedBytes), keptBytes);
      if (member.quarantineFor !== undefined) this.#actions.end(member);
      else if (member.child.residentBytes() > allowed) this.#actions.replace(member);
    }
    this.stop();
    this.#resting = setTimeout(() => this.#actions.rest(), this.#restMs).unref();
  }
}

interface Silence {
  ms: number;
  cpuAtStart: number | undefined;
}

/**
 * A child hangs if it is silent while it uses the processor. Silent without CPU time, it probably got none, as on a busy machine; that counts
 * as hanging only after a long time.
 * @param cpuMs CPU time of its main thread meanwhile; undefined if the system does not report it
 */
export function isHung(silentMs: number, cpuMs: number | undefined): boolean {
  return silentMs >= silentStarvedMs || (silentMs >= silentChildMs && cpuMs !== undefined && cpuMs >= silentChildCpuMs);
}
