import { type OperationName, operationNames, operationOf } from '../../contract/index.ts';
import { InterruptedError } from '../../std/index.ts';
import type { Context } from '../context.ts';
import { type Named, shortName, workspaceKey } from './choose-workspace.ts';

/** Whether an operation sends a message to a customer. */
export const sendsToCustomers = (name: OperationName): boolean =>
  operationOf(name).emits?.includes('message.sent') ?? false;

/** Whether a raw request below `/api/<slug>` sends a message to a customer. */
export function requestSends(method: string, path: string): boolean {
  const [below = ''] = path.split(/[?#]/);
  return operationNames.some((name) => {
    const [verb, route = ''] = operationOf(name).route?.split(' ') ?? [];
    if (verb !== method || !sendsToCustomers(name)) return false;
    const parts = route.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
    return new RegExp(`^${parts.join('/')}/?$`).test(decoded(below));
  });
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Asks on a terminal before the first send to customers of a workspace; the answer is remembered. Where nobody can be asked, as in CI, the
 * send is taken as intended.
 * @throws InterruptedError send_declined
 */
export async function askBeforeSending(context: Context, workspace: Named): Promise<void> {
  if (!context.ask.possible) return;
  const { readPreferences } = await import('../../project/access.ts');
  if (readPreferences(context.env).sendsTo?.includes(workspaceKey(workspace))) return;
  const message = `Send to customers of ${shortName(workspace)}? You are asked once for this workspace.`;
  if (!(await context.ask.confirm({ message, flag: '--yes' }))) {
    throw new InterruptedError('send_declined', 'Stopped; nothing was sent');
  }
  await rememberSending(context, workspace);
}

/** The same where `--yes` answers the question. */
export async function agreeToSend(context: Context, workspace: Named, yes: boolean): Promise<void> {
  if (!yes) return await askBeforeSending(context, workspace);
  if (context.ask.possible) await rememberSending(context, workspace);
}

/** Remembers that the person has agreed to send to customers of a workspace. */
async function rememberSending({ env }: Context, workspace: Named): Promise<void> {
  const key = workspaceKey(workspace);
  const { changePreferences } = await import('../../project/access.ts');
  await changePreferences(
    (now) => ({ ...now, sendsTo: [...(now.sendsTo ?? []).filter((other) => other !== key), key] }),
    env,
  );
}
