import { openRunStatuses, type ParsedInput } from '../../contract/index.ts';
import { systemCaller } from '../invoke/arguments.ts';
import type { Exchange } from './exchange.ts';
import { News } from './news.ts';
import type { HttpParts } from './parts.ts';

const pageSize = 200;
const open: readonly string[] = openRunStatuses;

/**
 * `GET /ai-agent-runs/:id` as an event stream: what happened in the run, then what happens; the id of each is its `seq`, from which a
 * reader goes on (`Last-Event-ID`). Pieces of text have no id: they are not kept. The last one is `done`, with the record.
 */
export async function followRun(
  { workspace, streams, runFeed }: HttpParts,
  exchange: Exchange,
  { id, after }: ParsedInput<'aiAgentRuns.show'>,
): Promise<void> {
  const show = () => workspace.call('aiAgentRuns.show', { id }, systemCaller);
  await show();
  const last = Number(exchange.request.headers['last-event-id'] ?? after ?? 0);
  let seq = Number.isSafeInteger(last) && last > 0 ? last : 0;
  let ended = false;
  const news = new News();
  const unfollow = runFeed.follow(id, (told) => {
    if (told.kept) news.come();
    else if (!ended) stream.send(told.event.type, told.event);
  });
  const stream = streams.open(exchange, () => {
    ended = true;
    unfollow();
    news.come();
  });
  try {
    while (!ended) {
      news.begin();
      const run = await show();
      const events = await workspace.runs.eventsAfter(id, seq, pageSize);
      for (const { seq: at, event } of events) {
        if (event.type !== 'run.tools') stream.send(event.type, event, String(at));
        seq = at;
        await stream.room();
      }
      if (events.length === pageSize) continue;
      if (!open.includes(run.status)) {
        stream.send('done', { type: 'done', status: run.status, run });
        stream.end();
        return;
      }
      if (!ended) await news.next();
    }
  } catch (error) {
    // The client reads on from its last event when it connects again.
    stream.drop();
    throw error;
  }
}
