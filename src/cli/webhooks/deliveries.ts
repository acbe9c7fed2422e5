import type { Output } from '../../contract/index.ts';
import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { listing } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';
import { sinceOf } from '../values/since.ts';
import { placeOf } from '../workspaces/confirm-remote.ts';
import { endpointMeant } from './endpoint-meant.ts';
import { rateOption } from './endpoints.ts';

type Delivery = Output<'deliveries.show'>;

const see = ['events'] as const;
const maxShown = 200;
const maxRate = 1_000;
const states = ['waiting', 'delivered', 'failed', 'aborted'] as const;
const endpointOption = {
  flag: '--endpoint <endpoint>',
  summary: 'Only this one: id (whk_…), address or function; lsn_… for a listener',
} as const;

/** A listener is named by its id, an endpoint by more. */
async function receiverOf(context: Context, asked: string | undefined) {
  if (asked === undefined) return {};
  if (asked.startsWith('lsn_')) return { endpointId: asked };
  return { endpointId: (await endpointMeant(await context.door(), asked, context.signal)).id };
}

export const deliveries = defineCommand({
  description: `Lists what was delivered to endpoints and listeners, newest first; or shows one delivery with the body that was signed and every attempt.`,
  arguments: { delivery: { summary: 'Id of a delivery (dlv_…), to show it', optional: true } },
  options: {
    endpoint: endpointOption,
    event: { flag: '--event <id>', summary: 'Only of this event' },
    state: { flag: '-s, --state <state>', summary: 'Only in this state', choices: states },
    failed: { flag: '--failed', summary: 'The same as --state failed' },
    limit: { flag: '-l, --limit <count>', summary: `How many; default 50, at most ${maxShown}`, type: 'count' },
  },
  examples: [
    { line: 'fn webhook deliveries', does: 'lists the newest 50', runs: true },
    { line: 'fn webhook deliveries --failed --json', does: 'prints those that failed' },
    { line: 'fn webhook deliveries dlv_01JD…', does: 'shows every attempt of one' },
  ],
  json: '{items: [{id, eventId, eventType, endpointId, state, attemptCount, nextAttemptAt, status, reason, …}], nextCursor}; for one: the same with body and attempts',
  see,
  async run(context, { delivery: id, endpoint, event, state, failed, limit = 50 }) {
    const { io, signal } = context;
    countWithin('--limit', limit, maxShown);
    const door = await context.door();
    if (id !== undefined) {
      const delivery = await door('deliveries.show', { id }, { signal });
      return io.result(delivery, () => textOf(delivery));
    }
    const wanted = failed ? ('failed' as const) : state;
    const query = {
      limit,
      ...(await receiverOf(context, endpoint)),
      ...(event !== undefined && { eventId: event }),
      ...(wanted !== undefined && { state: wanted }),
    };
    const page = await door('deliveries.list', query, { signal });
    io.results(page, 'Nothing was delivered yet', () => {
      const rows = page.items.map((one) => [
        one.createdAt.slice(5, 19).replace('T', ' '),
        one.eventType,
        one.state,
        String(one.attemptCount),
        one.reason ?? '',
        one.endpointId,
        one.id,
      ]);
      return listing(io, [['TIME', 'EVENT', 'STATE', 'TRIES', 'LAST', 'TO', 'ID'], ...rows], [4]);
    });
  },
});

function textOf({ body, attempts, ...delivery }: Delivery): string {
  return [
    `${delivery.id}  ${delivery.eventType}  ${delivery.state}`,
    `event ${delivery.eventId}, to ${delivery.endpointId}`,
    ...(delivery.nextAttemptAt === null ? [] : [`next attempt at ${delivery.nextAttemptAt}`]),
    '',
    body,
    ...attempts.flatMap((attempt) => [
      '',
      `attempt ${attempt.number} at ${attempt.startedAt} to ${attempt.target}: ${attempt.reason} (${attempt.ms} ms)`,
      ...Object.entries(attempt.requestHeaders).map(([name, value]) => `  > ${name}: ${value}`),
      ...Object.entries(attempt.answer?.headers ?? {}).map(([name, value]) => `  < ${name}: ${value}`),
      ...(attempt.answer?.body ? [attempt.answer.body.replaceAll(/^/gm, '  ')] : []),
    ]),
  ].join('\n');
}

export const resend = defineCommand({
  description: `Delivers again, with the same webhook-id and a new timestamp: one event to everybody who has got it, one delivery, or everything that failed since a time.`,
  arguments: { id: { summary: 'An event (evt_…) or a delivery (dlv_…)', optional: true } },
  options: {
    endpoint: endpointOption,
    failedSince: { flag: '--failed-since <time>', summary: 'All that failed: RFC 3339, or how long ago, such as 2h' },
    rate: rateOption,
  },
  examples: [
    { line: 'fn webhook resend evt_01JD…', does: 'sends an event again' },
    { line: 'fn webhook resend --failed-since 2h --rate 20', does: 'sends again what failed, 20 a second' },
  ],
  json: '{count, more, deliveryIds}',
  see,
  async run(context, { id, endpoint, failedSince, rate }) {
    if ((id === undefined) === (failedSince === undefined)) {
      throw new UsageError('resend_ambiguous', 'Give either an event, a delivery, or --failed-since', {
        hint: 'As in: fn webhook resend evt_…, or fn webhook resend --failed-since 2h',
      });
    }
    if (rate !== undefined) countWithin('--rate', rate, maxRate);
    const { io, signal } = context;
    const target = await context.target();
    const done = await target.door(
      'deliveries.resend',
      {
        ...(id !== undefined && (id.startsWith('dlv_') ? { id } : { eventId: id })),
        ...(failedSince !== undefined && { failedSince: sinceOf(context, failedSince, '--failed-since') }),
        ...(await receiverOf(context, endpoint)),
        ...(rate !== undefined && { perSecond: rate }),
      },
      { signal },
    );
    io.result(done, () =>
      done.count === 0 ? 'There is nothing to send again.' : `${done.count} sent again${placeOf(target)}.`,
    );
    if (done.more) io.err('There are more: repeat the command when these are delivered.');
    if (target.kind === 'embedded' && done.count > 0) io.err('They go out as soon as "fn dev" runs.');
  },
});
