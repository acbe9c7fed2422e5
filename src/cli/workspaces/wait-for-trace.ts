import type { Door } from '../../contract/index.ts';
import { wait } from '../../std/index.ts';
import type { Context, Target } from '../context.ts';

const firstPauseMs = 10;
const longestPauseMs = 200;

/** A door of the workspace in which somebody works on what runs later: of this process, if nobody else does. */
export async function workingDoor(target: Target): Promise<Door> {
  return target.client ?? (await target.working?.()) ?? target.door;
}

/** Resolves when nothing is due any more of what has one first cause; what waits for a later time is left. Ctrl-C ends it, too. */
export async function waitForTrace(context: Context, target: Target, door: Door, traceId: string): Promise<void> {
  const { signal } = context;
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const { items } = await door('jobs.list', { limit: 200 }, { signal });
    const open = items.filter((job) => job.traceId === traceId && job.endedAt === null);
    if (open.length === 0) return;
    const nowMs = Date.parse(target.kind === 'remote' ? new Date().toISOString() : (await door('clock.show', {})).now);
    if (open.every((job) => job.state === 'waiting' && Date.parse(job.dueAt) > nowMs)) return;
    await wait(pauseMs, signal);
  }
}

/** The trace of a message. */
export async function traceOfMessage(
  door: Door,
  message: { readonly id: string; readonly conversationId: string },
): Promise<string | undefined> {
  const { items } = await door('events.list', {
    conversationId: message.conversationId,
    type: 'message.received',
    order: 'desc',
    limit: 20,
  });
  const event = items.find(({ data }) => (data['message'] as { id?: string } | undefined)?.id === message.id);
  return event?.traceId ?? undefined;
}
