import { limits } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import type { Events } from '../types.ts';
import { makeEventCursor, readEventCursor } from './cursor.ts';
import { envelopeOf } from './envelope.ts';
import { eventsAfter, latestSeq, placeAfter, requireKept, requireKinds, seqAt } from './read-events.ts';

/** Reads the journal for streams and listeners, from a place on. */
export function openFeed(read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>): Pick<Events, 'begin' | 'next'> {
  return {
    begin: ({ cursor, since, type }) =>
      read(async (tx) => {
        requireKinds(type);
        if (cursor !== undefined) {
          const seq = readEventCursor(cursor, tx.facts.secret);
          await requireKept(tx, seq);
          return seq;
        }
        return since === undefined ? latestSeq(tx.db) : seqAt(tx.db, Date.parse(since));
      }),
    next: (from, filter) =>
      read(async (tx) => {
        const { secret, slug } = tx.facts;
        const found = await eventsAfter(tx.db, from, limits.list.most, filter);
        const more = found.length === limits.list.most;
        const last = found.at(-1)?.seq ?? from;
        return {
          events: found.map((event) => ({
            event: envelopeOf(event, slug),
            cursor: makeEventCursor(event.seq, secret),
          })),
          seq: more ? last : await placeAfter(tx.db, from, found, filter),
          more,
        };
      }),
  };
}
