import type { Output, ParsedInput } from '../../contract/index.ts';
import type { EventStream } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import { News } from './news.ts';
import type { HttpParts } from './parts.ts';

/**
 * `GET /events/stream`: the events behind a cursor (`cursor` or `Last-Event-ID`), then each as it happens; the id of each is its cursor.
 * With `live`, frames of what is going on besides, without an id: they are not kept, and lost on a cut.
 */
export async function followEvents(
  parts: HttpParts,
  exchange: Exchange,
  { cursor, ...input }: ParsedInput<'events.stream'>,
): Promise<void> {
  const last = exchange.request.headers['last-event-id'];
  const from = typeof last === 'string' && last !== '' ? last : cursor;
  await follow(parts, exchange, { ...input, cursor: from }, (stream) => ({
    event: async (event, id) => {
      stream.send(event.type, event, id);
      await stream.room();
    },
    frame: (type, frame) => stream.send(type, frame),
  }));
}

/** Where what is followed goes. */
interface Sink {
  event(event: Output<'events.show'>, cursor: string): Promise<void> | void;
  frame(type: string, frame: object): void;
  /** The stream has ended. */
  end?(): void;
}

/** Follows the journal from a place on, and live frames. */
export async function follow(
  { workspace, streams, liveFrames }: HttpParts,
  exchange: Exchange,
  { cursor, since, live, ...filter }: ParsedInput<'events.stream'>,
  sinkOf: (stream: EventStream) => Sink,
): Promise<void> {
  let seq = await workspace.events.begin({ cursor, since, type: filter.type });
  let ended = false;
  const news = new News();
  // The journal is read, not the listener's events: what happens while a page is read or sent is in the next one.
  const unsubscribe = workspace.events.subscribe(() => news.come());
  let sink: Sink | undefined;
  const stream = streams.open(exchange, () => {
    ended = true;
    unsubscribe();
    unfollow?.();
    sink?.end?.();
    news.come();
  });
  const into = sinkOf(stream);
  sink = into;
  const unfollow =
    live === undefined ? undefined : liveFrames.follow(live, (type, frame) => !ended && into.frame(type, frame));
  if (ended) unfollow?.();
  try {
    while (!ended) {
      news.begin();
      const page = await workspace.events.next(seq, filter);
      for (const { event, cursor: id } of page.events) await into.event(event, id);
      seq = page.seq;
      if (page.more || ended) continue;
      await news.next();
    }
  } catch (error) {
    // The client reads on from its last cursor when it connects again.
    stream.drop();
    throw error;
  }
}
