import { limits } from '../../contract/index.ts';
import { makeEventCursor, readEventCursor } from '../journal/cursor.ts';
import { envelopeOf } from '../journal/envelope.ts';
import { eventsAfter, eventsBefore, latestSeq, placeAfter, requireEvent, requireKept } from '../journal/read-events.ts';
import { syntheticEvent } from '../journal/synthetic-event.ts';
import type { HandlersOf } from './index.ts';

export const eventHandlers: HandlersOf<'events'> = {
  async 'events.list'({ cursor, limit = limits.list.default, order = 'asc', since, ...filter }, tx) {
    const { secret, slug } = tx.facts;
    const from = cursor === undefined ? undefined : readEventCursor(cursor, secret);
    const wanted = { ...filter, since: since === undefined ? undefined : Date.parse(since) };
    if (order === 'desc') {
      const found = await eventsBefore(tx.db, from, limit + 1, wanted);
      const shown = found.slice(0, limit);
      const last = shown.at(-1);
      return {
        items: shown.map((event) => envelopeOf(event, slug)),
        nextCursor: found.length > limit && last ? makeEventCursor(last.seq, secret) : null,
        resumeCursor: makeEventCursor(shown[0]?.seq ?? (await latestSeq(tx.db)), secret),
      };
    }
    if (from !== undefined) await requireKept(tx, from);
    const found = await eventsAfter(tx.db, from ?? 0, limit + 1, wanted);
    const shown = found.slice(0, limit);
    const last = shown.at(-1)?.seq;
    const isEnd = found.length <= limit;
    const resume = isEnd ? await placeAfter(tx.db, from ?? 0, shown, wanted) : (last ?? 0);
    return {
      items: shown.map((event) => envelopeOf(event, slug)),
      nextCursor: isEnd || last === undefined ? null : makeEventCursor(last, secret),
      resumeCursor: makeEventCursor(resume, secret),
    };
  },

  async 'events.show'({ id }, tx) {
    return envelopeOf(await requireEvent(tx, id), tx.facts.slug);
  },

  async 'events.trigger'({ type, data }, tx) {
    const event = await tx.announce(syntheticEvent(type, data ?? {}));
    if (event === undefined) throw new Error('a synthetic event was not announced');
    return envelopeOf(event, tx.facts.slug);
  },
};
