import type { Output } from '../../contract/index.ts';
import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { listing } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';
import { sinceOf } from '../values/since.ts';
import { followStream } from '../workspaces/follow-stream.ts';

type Event = Output<'events.show'>;

const see = ['events'] as const;
const maxShown = 200;
const filters = {
  type: {
    flag: '-t, --type <kinds>',
    summary: 'Only these kinds, separated by commas: message.received, message.*; default: all',
  },
  conversation: { flag: '--conversation <id>', summary: 'Only events of this conversation' },
  since: { flag: '--since <time>', summary: 'Events since this time: RFC 3339, or how long ago, such as 10m or 2h' },
} as const;

interface Filters {
  readonly type: string | undefined;
  readonly conversation: string | undefined;
  readonly since: string | undefined;
}

function queryOf(context: Context, { type, conversation, since }: Filters) {
  return {
    ...(type !== undefined && { type }),
    ...(conversation !== undefined && { conversationId: conversation }),
    ...(since !== undefined && { since: sinceOf(context, since) }),
  };
}

const list = defineCommand({
  description: `Lists what happened in the workspace: the newest events, oldest of them first. With --cursor, what came after an earlier list: pass its resumeCursor.`,
  options: {
    ...filters,
    limit: { flag: '-l, --limit <count>', summary: `How many; default 50, at most ${maxShown}`, type: 'count' },
    cursor: {
      flag: '--cursor <cursor>',
      summary: 'What came after this: nextCursor or resumeCursor of an earlier list',
    },
  },
  examples: [
    { line: 'fn event list', does: 'lists the newest 50 events', runs: true },
    { line: "fn event list --type 'message.*' --since 1h --json", does: 'prints them as JSON, for scripts' },
  ],
  json: '{items: [event], nextCursor, resumeCursor}',
  see,
  async run(context, { limit = 50, cursor, ...given }) {
    const { io, signal } = context;
    countWithin('--limit', limit, maxShown);
    const door = await context.door();
    const order = cursor === undefined ? ('desc' as const) : ('asc' as const);
    const page = await door(
      'events.list',
      { ...queryOf(context, given), limit, order, ...(cursor !== undefined && { cursor }) },
      { signal },
    );
    const items = order === 'desc' ? page.items.toReversed() : page.items;
    // The cursor of a list that is newest first leads to older events, which this list does not show.
    const nextCursor = order === 'desc' ? null : page.nextCursor;
    io.results({ items, nextCursor, resumeCursor: page.resumeCursor }, 'Nothing has happened yet', () =>
      listing(io, [['TIME', 'EVENT', 'BY', 'WHAT', 'ID'], ...items.map(rowOf)], [3]),
    );
  },
});

const show = defineCommand({
  description: 'Shows an event with what it carries.',
  arguments: { id: { summary: 'Id of the event, evt_…' } },
  examples: [{ line: 'fn event show evt_01JD…', does: 'shows it as JSON' }],
  json: 'The event',
  see,
  async run(context, { id }) {
    const event = await (await context.door())('events.show', { id }, { signal: context.signal });
    context.io.result(event, () => JSON.stringify(event, null, 2));
  },
});

const tail = defineCommand({
  description: `Shows events as they happen, until Ctrl-C. If the connection breaks, it reconnects and goes on after the last event shown, so that none is missed.`,
  options: filters,
  examples: [
    { line: 'fn event tail', does: 'shows what happens from now on' },
    { line: "fn event tail --type 'message.*' --json", does: 'prints one JSON object per line' },
  ],
  json: 'One event per line',
  see,
  async run(context, given) {
    const { io } = context;
    const query = queryOf(context, given);
    const target = await context.target();
    if (target.client === undefined) {
      throw new UsageError('follow_needs_server', 'There is nothing to follow: "fn dev" is not running here', {
        hint: 'Start "fn dev", or name a workspace that runs elsewhere with --profile.',
      });
    }
    await followStream(context, target.client, {
      operation: 'events.stream',
      input: query,
      show: ({ data }) => {
        const event = JSON.parse(data) as Event;
        io.item(event, () => {
          const [time = '', type = '', by = '', what = '', id = ''] = rowOf(event);
          return [io.style.dim(time), type, by, what, io.style.dim(id)].filter((part) => part !== '').join('  ');
        });
      },
    });
  },
});

/** Time, kind, who, the object it is about, id. */
function rowOf({ timestamp, type, actor, data, id }: Event): string[] {
  const [subject] = Object.values(data);
  const named = typeof subject === 'object' && subject !== null && !Array.isArray(subject) ? subject : {};
  const about = named['text'] ?? named['name'] ?? named['app'] ?? named['id'] ?? '';
  return [timestamp, type, actor.type, String(about).replace(/\s+/g, ' ').slice(0, 60), id];
}

/** `fn event …` */
export const commands = {
  list: { summary: 'List what happened in the workspace', command: list },
  show: { summary: 'Show an event with what it carries', command: show },
  tail: { summary: 'Show events as they happen', command: tail },
};
