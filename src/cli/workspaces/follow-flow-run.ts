import type { Output } from '../../contract/index.ts';
import { type ExitCode, shortened, WorkspaceError } from '../../std/index.ts';
import type { Context, Target } from '../context.ts';
import type { Io } from '../io.ts';
import { inLine } from '../terminal/sanitise.ts';
import { table } from '../terminal/table.ts';
import { traceOfMessage, waitForTrace, workingDoor } from './wait-for-trace.ts';

type FlowRun = Output<'flowRuns.show'>;

/** Waits until a run ends, or waits itself. @param of its id, or the message that it is to begin or go on with */
export async function followFlowRun(
  context: Context,
  target: Target,
  of: string | { readonly flow: string; readonly message: { readonly id: string; readonly conversationId: string } },
): Promise<FlowRun> {
  const door = await workingDoor(target);
  if (typeof of === 'string') {
    const { traceId } = await door('flowRuns.show', { id: of });
    await waitForTrace(context, target, door, traceId);
    return door('flowRuns.show', { id: of });
  }
  const { flow, message } = of;
  const traceId = await traceOfMessage(door, message);
  if (traceId !== undefined) await waitForTrace(context, target, door, traceId);
  const { items } = await door('flowRuns.list', { flow, conversationId: message.conversationId, limit: 1 });
  const [run] = items;
  if (run !== undefined) {
    // One that was under way goes on in the trace in which it began.
    if (run.traceId !== traceId && run.endedAt === null) await waitForTrace(context, target, door, run.traceId);
    return door('flowRuns.show', { id: run.id });
  }
  throw new WorkspaceError('flow_not_started', 409, `The message did not start ${flow}`, {
    hint: 'Its filter does not hold, its trigger is another one, or another flow took the message: see fn flow list.',
  });
}

/** The way of a run, a line for each step, and how it stands. */
export function flowRunText(io: Io, run: FlowRun): string {
  const { dim } = io.style;
  const rows = run.steps.map((step) => {
    const answer = step.error?.message ?? (step.output === null ? '' : JSON.stringify(step.output));
    return [step.node, step.type, step.outcome, `${step.ms} ms`, shortened(inLine(answer), 100)];
  });
  const steps = rows.length === 0 ? [] : [table(rows)];
  return [...steps, dim(closingText(run))].join('\n');
}

function closingText(run: FlowRun): string {
  const { status, waitingFor, error, reason } = run;
  const until = waitingFor?.until == null ? '' : ` until ${waitingFor.until}`;
  const why = error
    ? `: ${error.code} – ${error.message}`
    : reason !== null
      ? `: ${reason}`
      : waitingFor
        ? ` at ${run.node} for ${waitingFor.type === 'time' ? 'its time' : `a ${waitingFor.type}`}${until}`
        : '';
  const missed = run.missedMessages === 0 ? '' : `, ${run.missedMessages} messages missed`;
  return inLine(`${run.id} ${run.flow} version ${run.version}, ${status}${why}${missed}`);
}

export function exitCodeOfFlowRun({ status }: FlowRun): ExitCode {
  if (status === 'failed') return 5;
  return status === 'cancelled' ? 130 : 0;
}
