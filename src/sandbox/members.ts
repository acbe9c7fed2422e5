import { Child } from './child-process.ts';
import { adoptEarly } from './early.ts';
import type { LayerCode } from './layer-code.ts';
import { anotherChildAfterMs, silentStartMs } from './limits.ts';
import type { Member } from './pool/lane.ts';
import { Patience } from './pool/patience.ts';
import type { FromChild } from './protocol.ts';

export interface MembersOptions {
  readonly inspect: boolean;
  readonly coverage: boolean;
  /** Node's, for each child. */
  readonly flags: readonly string[];
  readonly prelude: string;
  readonly layer: Promise<string | undefined>;
  /** The cache of V8's code for the web layer. */
  readonly code?: LayerCode | undefined;
  /** How long a child may take until it is ready, in milliseconds. Default: `silentStartMs`. */
  readonly startMs?: number | undefined;
  onProblem(code: string, message: string): void;
}

export interface MemberEvents {
  ready(member: Member): void;
  hear(member: Member, message: FromChild): void;
  /** It ended by itself. */
  exited(member: Member, how: string): void;
  /** It ended before it was ready; nothing has run in it. `again`: another one may do better. */
  notStarted(member: Member, again: boolean): void;
  /** No child can run anything on this machine, now or later. */
  unavailable(message: string): void;
}

/** Prefix of reasons that lie in the machine, not in the installation. */
export const ofTheProcess = 'the sandbox process';
const failedStartsInARow = 5;
/** One may have had bad luck. Each takes long, so fewer of them. */
const silentStartsInARow = 2;

/** The children there are, each from its start to its end; who runs what in them is the pool's. */
export class Members {
  /** The first child is ready. */
  readonly ready: Promise<void>;
  readonly #options: MembersOptions;
  readonly #events: MemberEvents;
  readonly #all = new Set<Member>();
  readonly #patience: Patience<Member>;
  #settleReady: { resolve(): void; reject(error: Error): void } | undefined;
  #everReady = false;
  #soon: NodeJS.Timeout | undefined;
  #failedStarts = 0;
  #silentStarts = 0;
  #withoutPermissions = false;
  #unavailable: string | undefined;

  constructor(options: MembersOptions, events: MemberEvents) {
    this.#options = options;
    this.#events = events;
    this.#patience = new Patience(options.startMs ?? silentStartMs, (member) => this.#silent(member));
    this.ready = new Promise((resolve, reject) => {
      this.#settleReady = { resolve, reject };
    });
  }

  get all(): ReadonlySet<Member> {
    return this.#all;
  }

  /** Why no child can run anything here; undefined as long as one may. */
  get unavailable(): string | undefined {
    return this.#unavailable;
  }

  /** The members that may run any program. */
  usual(): Member[] {
    return [...this.#all].filter(({ quarantineFor, leaving }) => quarantineFor === undefined && !leaving);
  }

  /** Somebody waits for the first child: until it answers, it keeps this process alive. */
  holdUntilReady(): void {
    for (const { ready, child } of this.#all) if (!ready) child.hold(true);
  }

  /** The one that `forkEarly` started, if there is one. */
  startFirst(): void {
    this.#add(adoptEarly());
  }

  /** @param quarantineFor the one program that it is for */
  start(quarantineFor?: string): Member {
    return this.#add(undefined, quarantineFor);
  }

  /**
   * One more for programs to come, unless there are enough: a start takes longer than most invocations, and should not meet the one that
   * waits now.
   * @param most of those that are for any program
   */
  startSoon(most: number): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      if (this.#unavailable === undefined && this.usual().length < most) this.start();
    }, anotherChildAfterMs).unref();
  }

  /** Instead of one that was never ready. */
  startAgain(): void {
    this.start().child.hold(!this.#everReady);
  }

  end(member: Member): void {
    this.#all.delete(member);
    this.#patience.forget(member);
    member.child.kill();
  }

  /** None is waited for any more. */
  close(): void {
    clearTimeout(this.#soon);
    this.#patience.end();
    this.#settleReady?.resolve();
  }

  #add(early?: Child, quarantineFor?: string): Member {
    const child = early ?? new Child(this.#options.flags, !this.#withoutPermissions);
    const member: Member = {
      child,
      workers: new Map(),
      quarantineFor,
      ready: false,
      described: 0,
      insteadOf: undefined,
      leaving: false,
      busiest: undefined,
    };
    this.#all.add(member);
    this.#patience.with(member);
    child.listen({ message: (message) => this.#hear(member, message), exit: (how) => this.#exited(member, how) });
    const { prelude, inspect, coverage, code } = this.#options;
    const bytes = code?.bytes;
    const wantsCode = code !== undefined && bytes === undefined;
    // Everything else that is said to it waits behind this.
    child.hello(
      this.#options.layer.then((layer) => ({ t: 'init', prelude, layer, inspect, coverage, bytes, wantsCode })),
      (made) => code?.keep(made),
    );
    return member;
  }

  #hear(member: Member, message: FromChild): void {
    if (message.t === 'ready') {
      member.ready = true;
      this.#everReady = true;
      this.#failedStarts = 0;
      this.#silentStarts = 0;
      this.#patience.forget(member);
      this.#settleReady?.resolve();
      this.#events.ready(member);
    } else if (message.t === 'unavailable') this.#giveUp(message.message);
    else this.#events.hear(member, message);
  }

  #exited(member: Member, how: string): void {
    if (member.ready || this.#unavailable !== undefined) this.#events.exited(member, how);
    else this.#neverReady(member, how);
  }

  /** Stopped, or held up by whatever watches programs on this machine. */
  #silent(member: Member): void {
    const seconds = Math.round((this.#options.startMs ?? silentStartMs) / 1_000);
    const message = `${member.child.pid} was not ready within ${seconds} seconds and is ended`;
    this.#silentStarts++;
    const last = this.#silentStarts >= silentStartsInARow;
    if (last && !this.#everReady) return this.#giveUp(`${ofTheProcess} ${message}, as was the one before it`);
    const further = last ? '' : '; another one is started';
    this.#options.onProblem('sandbox_child_not_started', `The sandbox process ${message}${further}`);
    this.#events.notStarted(member, !last);
  }

  /** Some machines refuse the permission model; it is the second line, so it is done without, once. */
  #neverReady(member: Member, how: string): void {
    const words = member.child.lastWords;
    this.#failedStarts++;
    if (!this.#everReady && !this.#withoutPermissions && member.child.started) {
      this.#withoutPermissions = true;
      this.#options.onProblem(
        'sandbox_permission_refused',
        `The sandbox process does not start under Node's permission model (${how}); it runs without`,
      );
    } else if (!this.#everReady && (this.#failedStarts >= failedStartsInARow || !member.child.started)) {
      this.#giveUp(`${ofTheProcess} does not start (${how})${words && `: ${words}`}`);
      return;
    }
    const again = this.#failedStarts < failedStartsInARow;
    if (!again) {
      const message = `Sandbox processes do not start any more (${how})${words && `: ${words}`}`;
      this.#options.onProblem('sandbox_child_not_started', message);
    }
    this.#events.notStarted(member, again);
  }

  #giveUp(message: string): void {
    this.#unavailable = message;
    this.#settleReady?.reject(new Error(message));
    this.#events.unavailable(message);
  }
}
