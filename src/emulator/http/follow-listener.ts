import type { ParsedInput } from '../../contract/index.ts';
import type { EventStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { News } from './news.ts';
import type { HttpParts } from './parts.ts';

/** The open stream of each listener: a new one takes over, so that nothing is forwarded twice. */
const open = new WeakMap<HttpParts['workspace'], Map<string, EventStream>>();

/**
 * `GET /listeners/:id/stream`: the listener's events behind its cursor, then each as it happens. Frames are named `event`, with the cursor as their
 * id, and hold `{event, depth}`; what is sent again is a frame named `resend` without an id, and holds `{event, depth, deliveryId}`. A frame `replaced` says that
 * another stream of this listener was opened, and is the last one.
 */
export async function followListener(
  { workspace, streams }: HttpParts,
  exchange: Exchange,
  { id }: ParsedInput<'listeners.stream'>,
): Promise<void> {
  let page = await workspace.webhooks.nextForListener(id, undefined);
  let ended = false;
  const news = new News();
  const unsubscribe = [workspace.events.subscribe(() => news.come()), workspace.webhooks.onResend(() => news.come())];
  // Something may have come between the first page and now.
  news.come();
  const ofWorkspace = open.get(workspace) ?? new Map<string, EventStream>();
  open.set(workspace, ofWorkspace);
  const before = ofWorkspace.get(id);
  if (before) {
    // Told, so that it does not connect again and take over in turn.
    before.send('replaced', {});
    before.end();
  }
  const stream = streams.open(exchange, () => {
    ended = true;
    for (const end of unsubscribe) end();
    if (ofWorkspace.get(id) === stream) ofWorkspace.delete(id);
    news.come();
  });
  if (!ended) ofWorkspace.set(id, stream);
  /** When each delivery was last sent again here. */
  const resent = new Map<string, number>();
  try {
    while (!ended) {
      for (const { event, cursor, depth } of page.events) {
        stream.send('event', { event, depth }, cursor);
        await stream.room();
      }
      for (const { deliveryId, event, depth, at } of page.resends) {
        if (resent.get(deliveryId) === at) continue;
        resent.set(deliveryId, at);
        stream.send('resend', { event, depth, deliveryId });
        await stream.room();
      }
      if (!page.more && !ended) await news.next();
      if (ended) return;
      news.begin();
      page = await workspace.webhooks.nextForListener(id, page.seq);
    }
  } catch (error) {
    // The listener goes on from its cursor when it connects again; one that was removed is told so then.
    stream.drop();
    throw error;
  }
}
