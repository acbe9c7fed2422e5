import { refusal } from '../../contract/index.ts';
import type { FlowCall, FlowEvent, JsonObject } from '../../flow/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import type { LoadedFlowRun } from '../../workspace/index.ts';
import type { MachineParts } from '../handlers/parts.ts';
import { flowNodeArgument, systemCaller } from '../invoke/arguments.ts';
import { resultValue } from '../invoke/method.ts';
import type { LoadedFunction } from '../sources/function-source.ts';
import { functionNamed } from './function-named.ts';

export type FunctionParts = Pick<MachineParts, 'apps' | 'invoker' | 'door'>;

/** Largest output that a run keeps of a function, as JSON. */
const maxOutputBytes = 64 * 1024;

/**
 * Runs a Custom Flow Node of a flow. Whatever goes wrong is an event of the run.
 * @param key of the step: a repeat after a kill writes nothing twice
 * @returns the event with the invocation; undefined if the workspace stops meanwhile
 */
export async function callFunction(
  { apps, invoker, door }: FunctionParts,
  run: LoadedFlowRun,
  call: Extract<FlowCall, { type: 'function' }>,
  key: string,
  signal: AbortSignal,
): Promise<{ event: FlowEvent; invocationId?: string } | undefined> {
  const caller = {
    ...systemCaller,
    type: 'flow',
    id: run.flowId,
    name: `${run.app}/${run.flow}`,
    trace: run.trace,
  } as const;
  try {
    const found = await functionNamed(apps, run.app, call.function);
    if (found === undefined) throw refusal('function_not_found', `There is no function ${call.function} in ${run.app}`);
    const loaded = within(found, call.timeoutMs);
    const conversationId = run.surroundings.conversation?.id;
    const more = { ...(conversationId !== undefined && { conversationId }), variables: call.variables as Variables };
    const made = await flowNodeArgument(loaded, call.input, more, door(caller));
    const invoked = await invoker.invoke(loaded, { trigger: 'flow', caller, signal, onceKey: key, ...made });
    const { invocationId } = invoked;
    if (!invoked.ok) {
      if (signal.aborted) return undefined;
      const { name, message } = invoked.reason;
      return { event: failed(invoked.code, `${call.function}: ${name}: ${message}`), invocationId };
    }
    const { outcome, output, variables } = resultValue(invoked.result) as unknown as NodeResult;
    if (output !== undefined && Buffer.byteLength(JSON.stringify(output)) > maxOutputBytes) {
      const message = `${call.function} answered more than ${maxOutputBytes / 1024} KiB of output`;
      return { event: failed('result_too_large', message), invocationId };
    }
    return { event: { type: 'answered', outcome, output, variables }, invocationId };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof WorkspaceError)) throw error;
    return { event: failed(error.code, error.message) };
  }
}

type Variables = Record<string, never>;

interface NodeResult {
  readonly outcome: string;
  readonly output?: JsonObject;
  readonly variables?: JsonObject;
}

const failed = (code: string, message: string): FlowEvent => ({ type: 'failed', error: { code, message } });

function within(loaded: LoadedFunction, timeoutMs: number | undefined): LoadedFunction {
  if (timeoutMs === undefined || timeoutMs >= loaded.limits.wallMs) return loaded;
  return { ...loaded, limits: { ...loaded.limits, wallMs: timeoutMs } };
}
