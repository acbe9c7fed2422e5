import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { Project } from '../project/index.ts';
import { FnError, InterruptedError, LimitError, lazy, MachineError, UsageError } from '../std/index.ts';
import type { CommonFlags, Context, Target } from './context.ts';
import type { Host } from './host.ts';
import { type Notices, openIo } from './io.ts';
import { openAsk } from './terminal/ask.ts';
import { collected, mostGivenBytes } from './values/read-given.ts';

export interface OpenContext {
  readonly context: Context;
  readonly notices: Notices;
  /** Returns the error, or for an unexpected one the underlying reason, if a registered function knows it. Never throws. */
  explained(error: unknown): Promise<unknown>;
  /** Closes the workspace and runs what `onEnd` registered. Never throws. */
  end(): Promise<void>;
}

/** Time limit of one clean-up after Ctrl-C. */
const cleanUpMs = 5_000;

/** The context of one command in one process. */
export function openContext(host: Host, flags: CommonFlags, folder: string | undefined): OpenContext {
  const cwd = folder === undefined ? host.cwd : folderNamed(folder, host);
  const cleanUps: (() => Promise<void> | void)[] = [];
  const explanations: (() => Promise<FnError | undefined>)[] = [];
  const setAside = async ({ stateDir }: Project) => {
    const { setAsideForeignState, setAsideWords } = await import('../project/index.ts');
    const name = setAsideForeignState(stateDir, host.env);
    if (name !== undefined) io.err(`${io.errStyle.yellow('!')} ${setAsideWords(stateDir, name)}`);
  };
  const project = lazy(async () => (await import('../project/index.ts')).findProject(cwd));
  let target: Promise<Target> | undefined;
  let targetWhere: 'any' | 'remote' | 'local' | undefined;

  const io = openIo(host, flags.json);
  const context: Context = {
    io,
    ask: openAsk(host, flags),
    clock: host.clock,
    env: host.env,
    cwd,
    startedIn: host.cwd,
    version: host.version,
    signal: host.signal,
    flags,
    ifCutOff: (state) => host.ifCutOff(state),
    stdin: (mostBytes = mostGivenBytes) => readStdin(host, mostBytes),
    project,
    async requireProject() {
      const { requireProject } = await import('../project/index.ts');
      const found = (await context.project()) ?? (await requireProject(cwd, host.cwd));
      await setAside(found);
      return found;
    },
    door: async () => (await context.target()).door,
    target(where = 'any') {
      if (target !== undefined && where === targetWhere) return target;
      targetWhere = where;
      target = import('./workspaces/target.ts').then(async ({ openTarget }) => {
        const opened = await openTarget(context, where);
        cleanUps.push(() => opened.close());
        return opened;
      });
      return target;
    },
    onFailure(explain) {
      explanations.push(explain);
    },
    onEnd(cleanUp) {
      cleanUps.push(cleanUp);
    },
  };
  return {
    context,
    notices: io.notices,
    async explained(error) {
      if (error instanceof FnError) return error;
      for (const explain of explanations) {
        const reason = await explain().catch(() => undefined);
        if (reason !== undefined) return reason;
      }
      return error;
    },
    async end() {
      for (const cleanUp of cleanUps.reverse()) {
        try {
          await bounded(cleanUp, host.signal);
        } catch (error) {
          if (flags.debug) context.io.err(String(error));
        }
      }
      context.io.progress('');
    },
  };
}

/** The folder of `-C`. @throws UsageError `folder_missing` */
function folderNamed(folder: string, host: Host): string {
  const path = isAbsolute(folder) ? folder : resolve(host.cwd, folder);
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  } catch {
    // A name that is too long, or circular links: not a folder either.
  }
  throw new UsageError('folder_missing', `There is no folder ${folder}`, { hint: '-C must name the app folder.' });
}

/** Waits for a clean-up; after an interruption for at most `cleanUpMs`. */
async function bounded(cleanUp: () => Promise<void> | void, signal: AbortSignal): Promise<void> {
  const done = Promise.resolve(cleanUp());
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    const start = () => {
      timer = setTimeout(resolve, cleanUpMs);
    };
    if (signal.aborted) start();
    else signal.addEventListener('abort', start, { once: true });
  });
  try {
    await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function readStdin(host: Host, mostBytes: number): Promise<string> {
  if (host.in.isTerminal && host.err.isTerminal) host.err.write('Reading standard input; end it with Ctrl-D.\n');
  let bytes: Buffer;
  const input = host.in.open();
  const stop = () => input.destroy(new InterruptedError('interrupted', 'Stopped'));
  host.signal.addEventListener('abort', stop, { once: true });
  try {
    bytes = await collected(input, 'Standard input', mostBytes);
  } catch (error) {
    if (error instanceof InterruptedError || error instanceof LimitError) throw error;
    throw new MachineError('stdin_unreadable', 'Standard input cannot be read', { cause: error });
  } finally {
    host.signal.removeEventListener('abort', stop);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError('input_not_utf8', 'Standard input is not UTF-8 text', { cause: error });
  }
}
