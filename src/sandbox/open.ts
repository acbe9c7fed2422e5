import { MachineError, messageOf } from '../std/index.ts';
import { sourceCoverage } from './coverage.ts';
import { developmentLayer } from './entry.ts';
import { InspectServer } from './inspect.ts';
import { LayerCode } from './layer-code.ts';
import { didNotStop, usedTooMuch } from './limit-words.ts';
import { defaultLimits, restMs } from './limits.ts';
import { loadError } from './load-error.ts';
import { ofTheProcess } from './members.ts';
import { describing, type Job, type JobFailure, type LaneProgram, type Worker } from './pool/lane.ts';
import { Pool } from './pool/pool.ts';
import type { FromChildDone } from './protocol.ts';
import { Run } from './run.ts';
import { LastSetup } from './setup.ts';
import { Trace } from './trace.ts';
import type {
  Description,
  Failure,
  Host,
  InvocationRequest,
  Limits,
  LogLine,
  Outcome,
  Program,
  Sandbox,
  SandboxOptions,
  SandboxStats,
} from './types.ts';

const noHost: Host = {
  call: async () => ({
    error: { code: 'not_available', status: 400, message: 'Nothing can be called while the module loads' },
  }),
  fetch: () => Promise.reject(new TypeError('fetch() is not possible while the module loads')),
};

/** Opens the sandbox. Starts one child at once, or adopts the one of `forkEarly`. */
export function openSandbox(options: SandboxOptions): Sandbox {
  return new ChildSandbox(options);
}

/** State of a program in use. */
interface Known {
  /** The object that was passed last. */
  program: Program;
  readonly trace: Trace;
  readonly laneProgram: LaneProgram;
  readonly setup: LastSetup;
}

class ChildSandbox implements Sandbox {
  readonly #ready: Promise<void>;
  readonly #pool: Pool;
  readonly #inspect: InspectServer | undefined;
  readonly #traces = new Map<string, Known>();
  /** A caller may still hold a program object that has been replaced. If the same code is in use again, that is a new object. */
  readonly #retired = new WeakSet<Program>();
  readonly #onCoverage: SandboxOptions['onCoverage'];
  #nextInvocation = 1;

  constructor(options: SandboxOptions) {
    const { onProblem } = options;
    this.#onCoverage = options.onCoverage;
    const problem = (code: string, message: string) => onProblem?.({ code, message });
    this.#inspect = options.inspect && new InspectServer(options.inspect, problem);
    this.#pool = new Pool({
      processes: options.processes ?? 2,
      inspect: options.inspect !== undefined,
      coverage: options.onCoverage !== undefined,
      flags: options.childFlags ?? [],
      startMs: options.childStartMs,
      restMs: options.restMs ?? restMs,
      prelude: options.prelude,
      layer: options.layer === undefined ? developmentLayer() : Promise.resolve(options.layer),
      // Flags change the code cache, and so does coverage.
      code:
        options.layer === undefined && !options.childFlags?.length && !options.onCoverage
          ? LayerCode.usual(options.prelude)
          : undefined,
      onProblem: problem,
      onInspected: (worker, message) => this.#inspect?.say(worker, message),
    });
    this.#inspect?.serve(this.#pool);
    this.#ready = this.#pool.ready.catch((error: unknown) => {
      throw unavailable(messageOf(error));
    });
    // Callers that do not await this get the failure from `invoke`.
    this.#ready.catch(() => {});
  }

  get ready(): Promise<void> {
    this.#pool.holdUntilReady();
    // An unavailable port is reported by `onProblem`; functions still run.
    return this.#inspect
      ? Promise.all([this.#ready, this.#inspect.listening.catch(() => 0)]).then(() => {})
      : this.#ready;
  }

  invoke(program: Program, request: InvocationRequest, host: Host): Promise<Outcome> {
    const attended = this.#attended(program);
    return attended ? attended.then(() => this.#invoke(program, request, host)) : this.#invoke(program, request, host);
  }

  /** Waits for the program's debugger; undefined if it need not wait. */
  #attended(program: Program): Promise<void> | undefined {
    if (!this.#inspect?.isHeld(program)) return undefined;
    this.warm(program);
    return this.#inspect.untilAttended(program);
  }

  #invoke(program: Program, request: InvocationRequest, host: Host): Promise<Outcome> {
    const { trace, laneProgram, setup } = this.#known(program);
    this.#inspect?.offer(program);
    const invocation = this.#nextInvocation++;
    const { limits, signal, body, depth = 0 } = request;
    return new Promise((resolve, reject) => {
      let worker: Worker | undefined;
      const run = new Run(invocation, host, trace, {
        post: (message) => worker && this.#pool.tell(worker, message),
        drained: () => worker?.member.child.drained,
      });
      const refuse = (code: Failure['code'], message: string) =>
        finish(run.failed('refused', { code, name: 'Error', message }, nothingUsed));
      const cancel = () => {
        if (worker) this.#pool.tell(worker, { t: 'cancel', invocation });
        else if (this.#pool.withdraw(job)) refuse('function_cancelled', 'The invocation was cancelled before it began');
      };
      const finish = (outcome: Outcome) => {
        signal?.removeEventListener('abort', cancel);
        this.#retireLate(program);
        resolve(outcome);
      };
      const job: Job = {
        depth,
        memoryMb: limits.memoryMb,
        fresh: request.isolation === 'fresh',
        invocation,
        mayFollow: true,
        begin: (given) => {
          worker = given;
          this.#pool.tell(given, {
            t: 'invoke',
            worker: given.id,
            invocation,
            argument: JSON.stringify(request.argument) ?? 'null',
            bytes: body,
            warm: request.isolation === 'warm',
            setup: setup.text(request),
          });
        },
        again: () => {
          worker = undefined;
          if (signal?.aborted) refuse('function_cancelled', 'The invocation was cancelled before it began');
          else this.#pool.resubmit(laneProgram, job);
        },
        hear: (message) => {
          if (message.t === 'done') {
            if (message.coverage) this.#onCoverage?.(sourceCoverage(program, message.coverage));
            finish(run.outcome(message));
          } else if (message.t === 'ask') void run.ask(message);
          else if (message.t === 'unask') run.unask(message.id);
          else if (message.t === 'log') run.log(message.lines);
        },
        fail: (cause) => {
          if (cause.kind === 'unavailable') reject(unavailable(cause.message));
          else finish(failed(run, cause, limits));
        },
      };
      if (signal?.aborted) return refuse('function_cancelled', 'The invocation was cancelled before it began');
      if (body && body.byteLength > limits.bodyBytes)
        return refuse('body_too_large', `The body has ${body.byteLength} bytes, more than ${limits.bodyBytes}`);
      signal?.addEventListener('abort', cancel, { once: true });
      this.#pool.submit(laneProgram, job);
    });
  }

  async describe(program: Program, purpose: 'run' | 'list' = 'run'): Promise<Description> {
    this.#retired.delete(program);
    if (purpose === 'run') await this.#attended(program);
    const quick = purpose === 'list' && !this.#inspect ? await this.#describeTogether(program) : undefined;
    return quick ?? (await this.#describeAlone(program));
  }

  /** Describes the program in a shared isolate; undefined if that failed for any reason. */
  #describeTogether(program: Program): Promise<Description | undefined> {
    // Not kept: a list may have hundreds of programs, few of which are invoked.
    const { id, code } = program;
    const trace = this.#traces.get(id)?.trace ?? new Trace(program);
    const { url } = trace;
    const invocation = this.#nextInvocation++;
    return new Promise((resolve) => {
      const run = new Run(invocation, noHost, trace);
      const job: Job = {
        depth: 0,
        memoryMb: defaultLimits.memoryMb,
        fresh: false,
        invocation,
        mayFollow: false,
        begin: (worker) => this.#pool.tell(worker, { t: 'look', worker: worker.id, invocation, id, url, code }),
        hear: (message) => {
          if (message.t !== 'done') return;
          try {
            resolve(message.status === 'ok' ? described(program, message, run, trace) : undefined);
          } catch {
            resolve(undefined);
          }
        },
        again: () => this.#pool.resubmit(describing, job),
        fail: () => resolve(undefined),
      };
      this.#pool.submit(describing, job);
    });
  }

  /** @param attempts a child may die because of another program in it, so the description is tried again; loading has no side effects */
  #describeAlone(program: Program, attempts = 3): Promise<Description> {
    const { trace, laneProgram } = this.#known(program);
    this.#inspect?.offer(program);
    const invocation = this.#nextInvocation++;
    return new Promise((resolve, reject) => {
      const run = new Run(invocation, noHost, trace);
      const job: Job = {
        depth: 0,
        memoryMb: defaultLimits.memoryMb,
        fresh: true,
        invocation,
        mayFollow: false,
        begin: (worker) => this.#pool.tell(worker, { t: 'describe', worker: worker.id, invocation }),
        hear: (message) => {
          if (message.t !== 'done') return;
          if (message.coverage) this.#onCoverage?.(sourceCoverage(program, message.coverage));
          this.#retireLate(program);
          try {
            resolve(described(program, message, run, trace));
          } catch (error) {
            reject(error);
          }
        },
        fail: (cause) => {
          if (cause.kind === 'unavailable') return reject(unavailable(cause.message));
          if (cause.kind === 'crashed' && attempts > 1) return resolve(this.#describeAlone(program, attempts - 1));
          const outcome = failed(run, cause);
          if (outcome.status !== 'ok') reject(loadError(program, outcome.error, undefined));
        },
        again: () => this.#pool.resubmit(laneProgram, job),
      };
      this.#pool.submit(laneProgram, job);
    });
  }

  expectList(): void {
    if (!this.#inspect) this.#pool.expectDescriptions();
  }

  warm(program: Program): void {
    this.#retired.delete(program);
    this.#pool.warm(this.#known(program).laneProgram, defaultLimits.memoryMb);
  }

  retire(programId: string): void {
    const known = this.#traces.get(programId);
    if (known) this.#retired.add(known.program);
    this.#pool.retire(programId);
    this.#traces.delete(programId);
    this.#inspect?.withdraw(programId);
  }

  replace(before: Program, after: Program | undefined): void {
    if (before.id !== after?.id) this.retire(before.id);
    // A debugger attaches to it before it is called.
    if (after && this.#inspect) this.warm(after);
  }

  /** The program was replaced before this invocation began, so nothing else will retire it. */
  #retireLate(program: Program): void {
    if (this.#retired.has(program) && this.#traces.get(program.id)?.program === program) this.retire(program.id);
  }

  stats(): SandboxStats {
    const children = [...this.#pool.members].map(({ child, workers, quarantineFor }) => ({
      pid: child.pid,
      residentBytes: child.residentBytes(),
      isolates: workers.size,
      running: [...workers.values()].filter(({ job }) => job).length,
      quarantine: quarantineFor !== undefined,
    }));
    return {
      children,
      queued: this.#pool.queued,
      running: children.reduce((sum, { running }) => sum + running, 0),
      killed: this.#pool.killed,
      quarantined: this.#pool.quarantined,
      inspectors: this.#inspect?.list() ?? [],
    };
  }

  async close(): Promise<void> {
    this.#inspect?.close();
    this.#pool.close();
  }

  #known(program: Program): Known {
    let known = this.#traces.get(program.id);
    if (known && !this.#retired.has(program) && hasMoved(known.program, program)) {
      // A script keeps the source map that it was compiled with.
      if (this.#inspect) this.retire(program.id);
      this.#retired.add(known.program);
      known = undefined;
    }
    if (!known) {
      const trace = new Trace(program);
      known = {
        program,
        trace,
        setup: new LastSetup(),
        laneProgram: { id: program.id, url: trace.url, code: program.code, map: this.#inspect?.mapFor(program) },
      };
      this.#inspect?.offer(program);
      this.#traces.set(program.id, known);
    } else if (!this.#retired.has(program)) known.program = program;
    return known;
  }
}

/** Whether only lines changed that leave no trace in the code: comments, types, blank lines. */
function hasMoved(before: Program, now: Program): boolean {
  if (before === now || before.name !== now.name || before.app !== now.app) return false;
  return before.sourceMap !== now.sourceMap;
}

const nothingUsed = { cpuMs: 0, wallMs: 0, heapBytes: 0 };

/** @param limits of the invocation; undefined if only the module was loaded */
function failed(run: Run, cause: Exclude<JobFailure, { kind: 'unavailable' }>, limits?: Limits): Outcome {
  switch (cause.kind) {
    case 'busy':
      return run.failed(
        'refused',
        { code: 'function_busy', name: 'Error', message: 'Too many invocations are waiting for this function' },
        nothingUsed,
      );
    case 'depth':
      return run.failed(
        'refused',
        { code: 'function_depth', name: 'Error', message: 'Functions call each other more than 8 levels deep' },
        nothingUsed,
      );
    case 'killed':
      return cause.reason === 'memory'
        ? run.failed('memory', {
            code: 'function_memory',
            name: 'RangeError',
            message: usedTooMuch(limits),
          })
        : run.failed('timeout', {
            code: 'function_timeout',
            name: 'TimeoutError',
            message: didNotStop(limits),
          });
    case 'closed':
      return run.failed('crashed', { code: 'function_crashed', name: 'Error', message: 'The sandbox was closed' });
    case 'crashed':
      return run.failed('crashed', {
        code: 'function_crashed',
        name: 'Error',
        message: limits
          ? 'The process that ran the function ended; fn does not run it again by itself'
          : 'The process that loaded the module ended; another function in it may be the cause',
      });
  }
}

function unavailable(message: string): MachineError {
  // Yarn PnP keeps packages in archives, which only a process with its loader can read. A child has neither the loader nor permission to read them.
  if (process.versions['pnp'] !== undefined)
    return new MachineError(
      'sandbox_unavailable',
      'Functions cannot be run here: Yarn Plug’n’Play hides the packages of the sandbox',
      {
        hint: 'Put this line into .yarnrc.yml, then run "yarn install": nodeLinker: node-modules',
      },
    );
  // A child may read only its own packages. If one is missing, the search in other folders fails with a message about Node's flags.
  const reason = message.includes('--allow-fs-read')
    ? 'isolated-vm, or a package that it needs, is not installed'
    : // Where in our own files it was looked for says nothing to whoever installs it.
      message.replace(/ imported from .*/s, '');
  return new MachineError('sandbox_unavailable', `Functions cannot be run here: ${reason}`, {
    hint: message.startsWith(ofTheProcess)
      ? 'Run it again. If that does not help: does this machine allow another process and more open files (ulimit -u, ulimit -n), and does nothing stop or inspect new programs?'
      : 'The sandbox needs the package isolated-vm, which has binaries for Node 24 and 26 on Linux, macOS (arm64) and Windows (x64). Install again without --omit=optional, under Node 24.',
  });
}

function described(program: Program, done: FromChildDone, run: Run, trace: Trace): Description {
  const raw = done.error?.stack;
  const outcome = run.outcome(done);
  if (outcome.status !== 'ok') throw loadError(program, outcome.error, trace.location(raw));
  const { result } = outcome;
  const { hasConfig, config, hasDefault, exports } = Object(result);
  const logs: LogLine[] = (done.loadLogs ?? []).map(([level, text, atMs]) => ({ level, text: trace.text(text), atMs }));
  return {
    config: hasConfig === true ? config : undefined,
    hasDefault: hasDefault === true,
    exports: Array.isArray(exports) ? exports.map(String) : [],
    logs,
  };
}
