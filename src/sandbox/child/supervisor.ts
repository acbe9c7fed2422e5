import type { FromChild, FromChildDone, ToChild, ToChildInit, ToChildInvoke } from '../protocol.ts';
import { Base } from './base.ts';
import { Debugger } from './debugger.ts';
import { Describer } from './describer.ts';
import { layerBeside } from './layer.ts';
import { Nursery } from './nursery.ts';
import { Outbox } from './outbox.ts';
import type { Outside, Session } from './session.ts';
import { holdClocks } from './watchdog.ts';
import { type ChildProgram, Worker } from './worker.ts';

/** Carries out the parent's messages. */
export class Supervisor {
  readonly #outbox: Outbox;
  readonly #programs = new Map<string, ChildProgram>();
  readonly #workers = new Map<number, Worker>();
  readonly #describers = new Map<number, Describer>();
  readonly #sessions = new Map<number, Session>();
  readonly #debuggers = new Map<number, Debugger>();
  #nursery: Nursery | undefined;
  #inspect = false;

  constructor(post: (message: FromChild) => void) {
    this.#outbox = new Outbox(post);
    if (process.platform !== 'linux') {
      setInterval(() => this.#outbox.say({ t: 'resident', bytes: process.memoryUsage.rss() }), 100).unref();
    }
  }

  receive(message: ToChild): void {
    switch (message.t) {
      case 'init':
        this.#init(message);
        return;
      case 'program':
        this.#program(message);
        return;
      case 'open':
        this.#open(message.worker, message.program, message.memoryMb);
        return;
      case 'open-describer':
        this.#openDescriber(message.worker);
        return;
      case 'close':
        this.#close(message.worker);
        return;
      case 'invoke':
        return void this.#invoke(message);
      case 'describe':
        return void this.#describe(message.worker, message.invocation);
      case 'look':
        return void this.#look(message);
      case 'answer':
        this.#sessions.get(message.invocation)?.answer(message.id, message.error, message.json, message.bytes);
        return;
      case 'cancel':
        this.#cancel(message.invocation);
        return;
      case 'recall':
        this.#recall(this.#workers.get(message.worker), message.invocation);
        return;
      case 'inspect':
        this.#debuggers.get(message.worker)?.receive(message.message);
        return;
      case 'hold':
        holdClocks(message.held);
        return;
      case 'ping':
        this.#outbox.say({ t: 'pong', busiest: this.#busiest() });
        return;
      default:
        message satisfies never;
    }
  }

  #init({ layer, prelude, inspect, coverage, bytes, wantsCode }: ToChildInit): void {
    this.#inspect = inspect;
    const base = new Base(layer ?? layerBeside(), prelude, bytes);
    this.#nursery = new Nursery(base, { inspect, coverage }, (reason) =>
      this.#outbox.say({ t: 'stuck', worker: 0, program: '', reason }),
    );
    const prepared = this.#nursery.prepare();
    if (wantsCode) void prepared.finally(() => this.#outbox.say({ t: 'code', bytes: base.code }));
  }

  #program(message: Extract<ToChild, { t: 'program' }>): void {
    this.#programs.set(message.id, childProgram(message));
  }

  #open(id: number, programId: string, memoryMb: number): void {
    const program = this.#programs.get(programId);
    if (!program || !this.#nursery) throw new Error('a worker before its program');
    const inspector = this.#inspect
      ? new Debugger((message) => this.#outbox.say({ t: 'inspected', worker: id, message }))
      : undefined;
    if (inspector) this.#debuggers.set(id, inspector);
    const worker = new Worker(program, memoryMb, this.#nursery, this.#inspect, {
      outside: (invocation) => this.#outside(invocation),
      opened: () => this.#outbox.say({ t: 'opened', worker: id }),
      stuck: (reason, session) =>
        this.#outbox.say({
          t: 'stuck',
          worker: session ? id : 0,
          program: program.id,
          reason,
        }),
      cell: (cell) => inspector?.attach(cell),
      session: (session) => inspector?.watch(session),
    });
    this.#workers.set(id, worker);
    worker.prepare();
  }

  #openDescriber(id: number): void {
    if (!this.#nursery) throw new Error('a describer before its layer');
    this.#describers.set(
      id,
      new Describer(this.#nursery, {
        opened: () => this.#outbox.say({ t: 'opened', worker: id }),
        stuck: (reason) => this.#outbox.say({ t: 'stuck', worker: id, program: '', reason }),
      }),
    );
  }

  #close(id: number): void {
    this.#describers.get(id)?.close();
    if (this.#describers.delete(id)) return;
    this.#workers.get(id)?.close();
    this.#workers.delete(id);
    this.#debuggers.get(id)?.attach(undefined);
    this.#debuggers.delete(id);
    const used = new Set([...this.#workers.values()].map(({ program }) => program.id));
    for (const programId of this.#programs.keys()) if (!used.has(programId)) this.#programs.delete(programId);
  }

  async #invoke(message: ToChildInvoke): Promise<void> {
    const { invocation } = message;
    const worker = this.#workers.get(message.worker);
    if (!worker) throw new Error('an invocation without its worker');
    const done = await worker
      .invoke(message, message.bytes, (session) => this.#sessions.set(invocation, session))
      .catch(ownFault(invocation));
    if (done && !message.warm && worker.hasLine) this.#outbox.hold(done);
    else if (done) this.#outbox.say(done);
    this.#sessions.delete(invocation);
  }

  #cancel(invocation: number): void {
    const session = this.#sessions.get(invocation);
    if (session) session.stop('retired');
    else
      for (const worker of this.#workers.values())
        if (worker.cancel(invocation) || this.#recall(worker, invocation)) return;
  }

  /** Replies at once: after the end of the invocation in front of it, the parent would take this one for the running one. */
  #recall(worker: Worker | undefined, invocation: number): boolean {
    const recalled = worker?.recall(invocation) ?? false;
    if (recalled) this.#outbox.say({ t: 'recalled', invocation });
    return recalled;
  }

  async #describe(id: number, invocation: number): Promise<void> {
    const worker = this.#workers.get(id);
    if (worker) this.#outbox.say(await worker.describe(invocation).catch(ownFault(invocation)));
  }

  async #look(message: Extract<ToChild, { t: 'look' }>): Promise<void> {
    const { worker, invocation } = message;
    const describer = this.#describers.get(worker);
    if (!describer) throw new Error('a look without its describer');
    this.#outbox.say(await describer.describe(invocation, childProgram(message)).catch(ownFault(invocation)));
  }

  #outside(invocation: number): Outside {
    return {
      ask: (id, name, json, bytes, atMs) =>
        this.#outbox.say({
          t: 'ask',
          invocation,
          id,
          name,
          json,
          bytes,
          atMs,
        }),
      unask: (id) => this.#outbox.say({ t: 'unask', invocation, id }),
      log: (line) => this.#outbox.say({ t: 'log', invocation, lines: [line] }),
    };
  }

  /** The running worker that uses the most CPU: the likeliest cause if the whole process is too big. */
  #busiest(): number | undefined {
    let most = 0;
    let found: number | undefined;
    for (const [id, worker] of [...this.#workers, ...this.#describers]) {
      const cpuMs = worker.session?.guard.cpuMs ?? -1;
      if (cpuMs >= most) {
        most = cpuMs;
        found = id;
      }
    }
    return found;
  }
}

function childProgram({
  id,
  url,
  code,
  map,
}: {
  id: string;
  url: string;
  code: string;
  map?: string | undefined;
}): ChildProgram {
  const comment =
    map === undefined
      ? ''
      : `\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}`;
  return { id, url, script: `__begin(\n${withoutEnd(code)}\n);0${comment}` };
}

/** Removes the trailing semicolon, which an expression may not have. A regular expression would backtrack at each run of spaces. */
function withoutEnd(code: string): string {
  let end = code.length;
  while (end > 0 && /[;\s]/.test(code.charAt(end - 1))) end--;
  return code.slice(0, end);
}

/** A bug in our code fails one invocation, not the whole child. */
function ownFault(invocation: number): (error: unknown) => FromChildDone {
  return (error) => {
    const message = `The sandbox failed: ${error instanceof Error ? error.message : error}`;
    return {
      t: 'done',
      invocation,
      status: 'error',
      error: { code: 'function_crashed', name: 'Error', message },
      cpuMs: 0,
      wallMs: 0,
      heapBytes: 0,
    };
  };
}
