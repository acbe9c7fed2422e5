import type { Project } from '../../project/index.ts';
import type { InspectOptions } from '../../sandbox/index.ts';
import { MachineError, UsageError } from '../../std/index.ts';
import type { Context } from '../context.ts';

export type AwaitedDebugger = Required<Pick<InspectOptions, 'port' | 'waiting'>>;

export interface InspectFlags {
  readonly inspect?: number | true | undefined;
  readonly inspectBrk?: number | true | undefined;
  readonly remote: boolean;
}

const usualInspectPort = 9230;

/**
 * The debugger that an invocation waits for, if the flags request one.
 * @throws UsageError if debugging is not possible
 */
export function awaitedDebugger({ io, signal }: Context, flags: InspectFlags): AwaitedDebugger | undefined {
  const given = flags.inspectBrk ?? flags.inspect;
  if (given === undefined) return undefined;
  if (flags.remote) {
    throw new UsageError('flags_contradict', 'A function that runs in another workspace cannot be debugged from here', {
      hint: 'Omit --remote, or use --relay to run the code in this folder here, on that workspace’s data.',
    });
  }
  const port = given === true ? usualInspectPort : given;
  if (port > 65_535)
    throw new UsageError('port_invalid', `The debugger’s port cannot be ${port}`, {
      hint: 'Ports range from 1 to 65535; 0 picks a free one.',
    });
  return {
    port,
    waiting: {
      stops: flags.inspectBrk !== undefined,
      signal,
      onWaiting({ name, port, url }) {
        // The first line is the same as Node's, which editors recognise.
        const said = `Debugger listening on ${url}
${name} waits for it: open chrome://inspect (127.0.0.1:${port}), or attach from your editor`;
        io.urge({ type: 'waiting-for-debugger', function: name, port, url }, said);
      },
    },
  };
}

/** @throws MachineError `dev_running`: `fn dev` owns the app's workspace, and runs the functions in its own process */
export async function noRunningDev({ stateDir }: Project): Promise<void> {
  const { findRunningDev } = await import('../../emulator/sources/local/state-files.ts');
  const dev = await findRunningDev(stateDir);
  if (dev === undefined) return;
  throw new MachineError('dev_running', `"fn dev" of this app is running (process ${dev.pid}): functions run there`, {
    hint: 'Restart it as "fn dev --inspect" and attach to it, or stop it first.',
  });
}
