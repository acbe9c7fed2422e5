import type { ParsedInput } from '../../contract/index.ts';
import type { Exchange } from './exchange.ts';
import { News } from './news.ts';
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
  const news = new News();
  // The journal is read, not the listener's events: what happens while a page is read or sent is in the next one.
  const unsubscribe = workspace.events.subscribe(() => news.come());
  const unfollow = live === undefined ? undefined : liveFrames.follow(live, (type, frame) => stream.send(type, frame));
  const stream = streams.open(exchange, () => {
    ended = true;
    unsubscribe();
    unfollow?.();
    news.come();
  });
  try {
    while (!ended) {
      news.begin();
      const page = await workspace.events.next(seq, filter);
      for (const { event, cursor: id } of page.events) {
        stream.send(event.type, event, id);
        await stream.room();
      }
      seq = page.seq;
      if (!page.more && !ended) await news.next();
    }
  } catch (error) {
    // The client reads on from its last cursor when it connects again.
    stream.drop();
    throw error;
  }
}
