import { type Caller, isOperationName, type Output, operationOf, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { LoadedFunction } from '../sources/function-source.ts';
import { type SetupPhase, setupArgument, systemCaller } from './arguments.ts';
import type { Invoked, Invoker } from './invoker.ts';

type SetupResult = NonNullable<Output<'apps.install'>['setup']>;

/**
 * Runs an app's Custom App Setup for one phase.
 * @throws WorkspaceError settings_invalid; setup_failed with what the phase had changed by then
 */
export async function runSetup(
  invoker: Invoker,
  loaded: LoadedFunction,
  phase: SetupPhase,
  caller: Caller,
): Promise<SetupResult> {
  const made = await setupArgument(loaded, phase);
  const invoked = await invoker.invoke(loaded, {
    trigger: 'setup',
    caller: caller.type === 'function' ? systemCaller : caller,
    ...made,
  });
  const { invocationId, outcome } = invoked;
  if (!invoked.ok) throw failed(loaded, phase, invoked);
  const result = invoked.result.kind === 'json' ? JSON.parse(invoked.result.json) : null;
  const logs = outcome.logs.map(({ atMs, level, text }) => ({ at: toTimestamp(atMs), level, text }));
  return { invocationId, result, logs, wallMs: outcome.wallMs, cpuMs: outcome.cpuMs };
}

function failed(loaded: LoadedFunction, { phase }: SetupPhase, invoked: Invoked & { ok: false }) {
  const { name, message, stack } = invoked.reason;
  const changed = changesOf(invoked);
  const after = changed.length === 0 ? 'it had changed nothing' : `by then it had done ${changed.join(', ')}`;
  const said = message.replace(/\.$/, '');
  return refusal('setup_failed', `The setup of ${loaded.app} failed at ${phase}: ${said}; ${after}`, {
    hint: 'The previous version and settings stay in force.',
    details: {
      invocationId: invoked.invocationId,
      phase,
      changed,
      error: { code: invoked.code, name, message, ...(stack !== undefined && { stack }) },
    },
  });
}

/** The completed writes, in order. */
function changesOf({ outcome }: Invoked): string[] {
  return outcome.calls
    .filter((call) => call.errorCode === undefined && call.ms !== undefined)
    .filter((call) =>
      call.kind === 'call'
        ? isOperationName(call.name) && operationOf(call.name).effect === 'write'
        : !/^(GET|HEAD) /.test(call.name),
    )
    .map((call) => call.name);
}
