import type { Door, Output } from '../../contract/index.ts';
import { everyPage, wait } from '../../std/index.ts';
import type { Context, Target } from '../context.ts';

const firstPauseMs = 10;
const longestPauseMs = 200;

/** A door of the workspace in which somebody works on what runs later: of this process, if nobody else does. */
export async function workingDoor(target: Target): Promise<Door> {
  return target.client ?? (await target.working?.()) ?? target.door;
}

/** An agent that collects messages first is at work already; `collectMs` is this at most. */
export const longestCollectMs = 60_000;

/** Resolves when nothing is due any more of what has one first cause; what waits for a later time is left. Ctrl-C ends it, too. */
export async function waitForTrace(context: Context, target: Target, door: Door, traceId: string): Promise<void> {
  const { signal } = context;
  for (let pauseMs = firstPauseMs; !signal.aborted; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const open = await openJobs(door, traceId, signal);
    if (open.length === 0) return;
    const nowMs = Date.parse(target.kind === 'remote' ? new Date().toISOString() : (await door('clock.show', {})).now);
    const isLater = ({ kind, state, dueAt }: OpenJob) =>
      state === 'waiting' && Date.parse(dueAt) > nowMs + (kind === 'agent-run' ? longestCollectMs : 0);
    if (open.every(isLater)) return;
    await wait(pauseMs, signal);
  }
}

type OpenJob = Output<'jobs.list'>['items'][number];

/** All jobs of one first cause that have not ended, however many there are; one may be there twice. */
export async function openJobs(door: Door, traceId: string, signal: AbortSignal): Promise<OpenJob[]> {
  const jobs: OpenJob[] = [];
  // In the order in which a job passes through them, so that one that goes on meanwhile is seen.
  for (const state of ['blocked', 'waiting', 'running'] as const)
    jobs.push(...(await everyPage((page) => door('jobs.list', { ...page, state, traceId }, { signal }))));
  // What ended meanwhile has led to the newest ones.
  const newest = await door('jobs.list', { limit: 200, traceId }, { signal });
  return [...jobs, ...newest.items.filter(({ endedAt }) => endedAt === null)];
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
