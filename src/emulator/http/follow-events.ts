import type { ParsedInput } from '../../contract/index.ts';
import type { Exchange } from './exchange.ts';
import type { HttpParts } from './parts.ts';

/**
 * `GET /events/stream`: the events behind a cursor (`cursor` or `Last-Event-ID`), then each as it happens; the id of each is its cursor.
 * With `live`, frames of what is going on besides, without an id: they are not kept, and lost on a cut.
 */
export async function followEvents(
  { workspace, streams, liveFrames }: HttpParts,
  exchange: Exchange,
  { cursor, since, live, ...filter }: ParsedInput<'events.stream'>,
): Promise<void> {
  const last = exchange.request.headers['last-event-id'];
  const from = typeof last === 'string' && last !== '' ? last : cursor;
  let seq = await workspace.events.begin({ cursor: from, since, type: filter.type });
  let ended = false;
  let wake = () => {};
  let woken = false;
  // The journal is read, not the listener's events: what happens while a page is read or sent is in the next one.
  const unsubscribe = workspace.events.subscribe(() => {
    woken = true;
    wake();
  });
  const stream = streams.open(exchange, () => {
    ended = true;
    unsubscribe();
    unfollow?.();
    wake();
  });
  const unfollow =
    live === undefined ? undefined : liveFrames.follow(live, (type, frame) => !ended && stream.send(type, frame));
  if (ended) unfollow?.();
  try {
    while (!ended) {
      woken = false;
      const page = await workspace.events.next(seq, filter);
      for (const { event, cursor: id } of page.events) {
        stream.send(event.type, event, id);
        await stream.room();
      }
      seq = page.seq;
      if (page.more || woken || ended) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (woken || ended) resolve();
      });
    }
  } catch (error) {
    // The client reads on from its last cursor when it connects again.
    stream.drop();
    throw error;
  }
}
