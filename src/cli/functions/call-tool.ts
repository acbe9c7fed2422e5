import { type Door, type Output, toolCodes } from '../../contract/index.ts';
import { type ExitCode, WorkspaceError } from '../../std/index.ts';
import type { Context } from '../context.ts';

/** What every way to call a tool answers. */
type Answer = Output<'tools.call'>;

/**
 * Calls a tool and prints what came of it. If somebody has to confirm the call, asks on a terminal and makes it again.
 * @param textOf how a result reads
 * @returns the exit code, by the kind of failure
 */
export async function callTool(
  context: Context,
  door: Door,
  call: () => Promise<Answer>,
  textOf: (result: Answer['result']) => string,
): Promise<ExitCode> {
  const { io } = context;
  let answer = await call();
  if (answer.error?.code === 'tool_confirmation_required' && context.ask.possible) {
    if (await answerConfirmation(context, door, answer)) answer = await call();
  }
  const { error } = answer;
  io.result(answer, () => (error === undefined ? textOf(answer.result) : undefined));
  if (error === undefined) return 0;
  if (!io.json) {
    io.err(`${io.errStyle.red('error')} ${error.code}: ${error.message}`);
    const hint = hintOf(answer);
    if (hint !== undefined) io.err(`${io.errStyle.cyan('→')} ${hint}`);
  }
  return exitCodes[toolCodes[error.code].kind];
}

const exitCodes = { refused: 1, failed: 5, limit: 6, unknown: 8 } as const satisfies Record<
  (typeof toolCodes)[keyof typeof toolCodes]['kind'],
  ExitCode
>;

function hintOf({ error, confirmationId, callId }: Answer): string | undefined {
  if (confirmationId !== undefined) return `fn confirmation allow ${confirmationId}, then call it again`;
  if (error?.code === 'tool_unknown') return 'See what there is: fn tool list';
  return toolCodes[error?.code ?? 'tool_failed'].kind === 'failed' ? `fn tool logs --id ${callId}` : undefined;
}

/** Asks whether a call may be made. @returns whether the question is answered, here or by somebody else */
async function answerConfirmation(context: Context, door: Door, { confirmationId = '' }: Answer): Promise<boolean> {
  const confirmation = await door('confirmations.show', { id: confirmationId });
  if (confirmation.by === 'customer' || confirmation.state !== 'open') return false;
  context.io.err(`${confirmation.title ?? confirmation.tool}:`);
  if (confirmation.arguments !== null) context.io.err(JSON.stringify(confirmation.arguments, null, 2));
  const isAllowed = await context.ask.confirm({ message: 'Allow this call?', flag: '--data' });
  try {
    await door('confirmations.answer', { id: confirmationId, answer: isAllowed ? 'allow' : 'deny' });
  } catch (error) {
    // Somebody else was faster: what came of it is the answer of the call.
    if (!(error instanceof WorkspaceError) || error.status !== 409) throw error;
  }
  return true;
}
