import type { Output } from '../../contract/index.ts';
import { everyPage, UsageError, wait } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context, Target } from '../context.ts';
import { inLine } from '../terminal/sanitise.ts';
import { listing } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';
import { sinceOf } from '../values/since.ts';
import { confirmRemote, placeOf } from '../workspaces/confirm-remote.ts';
import { endpointMeant, targetOf } from './endpoint-meant.ts';

type Endpoint = Output<'webhooks.show'>;

const see = ['events'] as const;
const endpoint = { summary: 'Id (whk_…), address or function of the endpoint' } as const;
const endpointJson =
  '{id, kind, source, url, function, events, description, state, reason, disabledAt, failingSince, oldSecretUntil, createdAt, updatedAt}';
const yesOption = { flag: '-y, --yes', summary: 'Do not ask for confirmation' } as const;
const secretOption = {
  flag: '--secret-stdin',
  summary: 'Read the signing secret (whsec_…) from standard input; default: one is made',
} as const;
export const rateOption = {
  flag: '--rate <count>',
  summary: 'How many a second; default: at once',
  type: 'count',
} as const;
const maxRate = 1_000;

export const add = defineCommand({
  description: `Adds a webhook endpoint: an address that events are posted to, signed by Standard Webhooks 1.0. Its signing secret is shown only now.

The address is https; in the local workspace, http on this machine as well. To get events on this machine without an endpoint: fn webhook listen.`,
  arguments: { url: { summary: 'Address, such as https://shop.example/webhooks', optional: true } },
  options: {
    events: {
      flag: '-e, --events <kinds>',
      summary: 'Kinds, separated by commas: message.received, message.*; default: all',
    },
    function: {
      flag: '--function <app/path>',
      summary: 'Instead of an address: a Server Side Method, which gets unsigned events',
    },
    description: { flag: '--description <text>', summary: 'What it is for' },
    secretStdin: secretOption,
  },
  examples: [
    { line: 'fn webhook add https://shop.example/webhooks -e message.received', does: 'adds an endpoint', runs: true },
    { line: 'fn webhook add https://shop.example/hook --json | jq -r .secret', does: 'passes the secret to a script' },
  ],
  json: '{id, url, events, secret, …}: the endpoint with its secret',
  see,
  async run(context, { url, events = '*', function: name, description, secretStdin }) {
    if ((url === undefined) === (name === undefined)) {
      throw new UsageError('endpoint_ambiguous', 'Give either an address or --function', {
        hint: 'As in: fn webhook add https://shop.example/webhooks',
      });
    }
    const { io, signal } = context;
    const secret = secretStdin ? await secretFrom(context) : undefined;
    const target = await context.target();
    const made = await target.door(
      'webhooks.add',
      {
        events: kindsOf(events),
        ...(url !== undefined && { url }),
        ...(name !== undefined && { function: name }),
        ...(description !== undefined && { description }),
        ...(secret !== undefined && { secret }),
      },
      { signal },
    );
    io.result(made, () => made.secret ?? made.id);
    if (!io.json) {
      const what = `${made.id} gets ${made.events.join(', ')} at ${targetOf(made)}${placeOf(target)}.`;
      io.err(inLine(made.secret === null ? what : `${what} Its signing secret is shown only now.`));
    }
  },
});

export const list = defineCommand({
  description:
    'Lists the webhook endpoints, also those that functions of apps have by their config.events. Never their secrets.',
  examples: [{ line: 'fn webhook list', does: 'lists them', runs: true }],
  json: `{items: [${endpointJson}]}`,
  see,
  async run({ io, door: open, signal }) {
    const door = await open();
    const items = await everyPage((page) => door('webhooks.list', page, { signal }));
    io.results({ items }, 'There is no webhook endpoint. Add one: fn webhook add URL', () => {
      const rows = items.map((one) => [
        one.id,
        stateOf(one),
        targetOf(one),
        one.events.join(' '),
        one.description ?? '',
      ]);
      return listing(io, [['ID', 'STATE', 'TARGET', 'EVENTS', ''], ...rows], [2, 3, 4]);
    });
  },
});

function stateOf({ state, failingSince, source }: Endpoint): string {
  const shown = state === 'enabled' && failingSince !== null ? 'failing' : state;
  return source === 'app' ? `${shown} (app)` : shown;
}

export const show = defineCommand({
  description: 'Shows a webhook endpoint: what it gets, its state, and since when it fails.',
  arguments: { endpoint },
  examples: [{ line: 'fn webhook show https://shop.example/webhooks', does: 'shows it as JSON' }],
  json: endpointJson,
  see,
  async run(context, given) {
    const found = await endpointMeant(await context.door(), given.endpoint, context.signal);
    context.io.result(found, () => JSON.stringify(found, null, 2));
  },
});

export const update = defineCommand({
  description: `Changes a webhook endpoint, enables or disables it. While it is disabled, nothing is delivered to it; enabled again, it offers to recover what it has missed.`,
  arguments: { endpoint },
  options: {
    url: { flag: '--url <url>', summary: 'Another address' },
    events: { flag: '-e, --events <kinds>', summary: 'Other kinds, separated by commas' },
    description: { flag: '--description <text>', summary: 'Another description; empty: none' },
    enable: { flag: '--enable', summary: 'Deliver to it again' },
    disable: { flag: '--disable', summary: 'Deliver nothing to it' },
  },
  examples: [
    { line: "fn webhook update whk_01JD… -e 'message.*'", does: 'changes what it gets' },
    { line: 'fn webhook update whk_01JD… --enable', does: 'enables it again, and asks about what it has missed' },
  ],
  json: 'The endpoint, with missed: {count, since} after it was enabled',
  see,
  async run(context, { endpoint: asked, url, events, description, enable, disable }) {
    if (enable && disable) {
      throw new UsageError('flags_contradict', '--enable and --disable cannot be combined', {
        hint: 'Use one of them.',
      });
    }
    const change = {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { events: kindsOf(events) }),
      ...(description !== undefined && { description: description === '' ? null : description }),
      ...(enable && { state: 'enabled' as const }),
      ...(disable && { state: 'disabled' as const }),
    };
    if (Object.keys(change).length === 0) {
      throw new UsageError('change_missing', 'There is nothing to change', {
        hint: 'Use --url, --events, --description, --enable or --disable.',
      });
    }
    const { io, signal } = context;
    const target = await context.target();
    const { id } = await endpointMeant(target.door, asked, signal);
    const changed = await target.door('webhooks.update', { id, ...change }, { signal });
    io.result(changed, () => `Changed: ${id}, ${stateOf(changed)}${placeOf(target)}`);
    if (changed.missed === null || changed.missed.count === 0) return;
    const { count, since } = changed.missed;
    const recovers =
      context.ask.possible &&
      (await context.ask.confirm({
        message: `It has missed ${count} since ${since}. Deliver them now?`,
        flag: '--yes',
      }));
    if (recovers) io.err(`${await recoverAll(target, { id }, signal)} are delivered now.`);
    else if (!io.json) io.err(`It has missed ${count} since ${since}. To deliver them: fn webhook recover ${id}`);
  },
});

export const remove = defineCommand({
  description:
    'Removes a webhook endpoint with its secret, its deliveries and what still waits to be delivered. This cannot be undone.',
  arguments: { endpoint },
  options: { yes: yesOption },
  examples: [{ line: 'fn webhook remove https://shop.example/webhooks', does: 'removes it' }],
  json: '{id}',
  see,
  async run(context, { endpoint: asked, yes }) {
    const target = await context.target();
    const found = await endpointMeant(target.door, asked, context.signal);
    const question = `Remove the endpoint ${targetOf(found)} of ${target.slug} with its deliveries?`;
    if (!(await confirmed(context, target, yes, question))) return 130;
    await target.door('webhooks.remove', { id: found.id }, { signal: context.signal });
    context.io.result({ id: found.id }, () => `Removed: ${found.id} (${targetOf(found)})`);
    return 0;
  },
});

export const rotate = defineCommand({
  description: `Gives a webhook endpoint a new signing secret, which is shown only now. For 24 hours both sign, so that the receiver can be changed meanwhile.`,
  arguments: { endpoint },
  options: { secretStdin: secretOption },
  examples: [{ line: 'fn webhook rotate whk_01JD…', does: 'prints the new secret' }],
  json: '{id, secret, oldSecretUntil}',
  see,
  async run(context, { endpoint: asked, secretStdin }) {
    const { io, signal } = context;
    const secret = secretStdin ? await secretFrom(context) : undefined;
    const target = await context.target();
    const { id } = await endpointMeant(target.door, asked, signal);
    const rotated = await target.door(
      'webhooks.rotateSecret',
      { id, ...(secret !== undefined && { secret }) },
      { signal },
    );
    io.result(rotated, () => rotated.secret);
    if (io.json) return;
    const until = rotated.oldSecretUntil === null ? '' : ` The old one signs as well until ${rotated.oldSecretUntil}.`;
    io.err(inLine(`The new signing secret of ${id}${placeOf(target)} is shown only now.${until}`));
  },
});

/** How long to wait for the outcome of a ping: the limit of an attempt, and the way. */
const pingMs = 20_000;
const lookEveryMs = 100;

export const ping = defineCommand({
  description: 'Sends the event webhook.ping to a webhook endpoint, to it only, and shows what it answers.',
  arguments: { endpoint },
  examples: [{ line: 'fn webhook ping https://shop.example/webhooks', does: 'shows whether it answers' }],
  json: 'The delivery: {id, eventId, state, status, attemptCount, reason, …}',
  see: ['events', 'exit-codes'],
  async run(context, { endpoint: asked }) {
    const { io, signal, clock } = context;
    const target = await context.target();
    const found = await endpointMeant(target.door, asked, signal);
    const { deliveryId } = await target.door('webhooks.ping', { id: found.id }, { signal });
    const look = () => target.door('deliveries.show', { id: deliveryId }, { signal });
    let delivery = await look();
    const end = clock.monotonic() + pingMs;
    // Without "fn dev" nobody delivers.
    while (target.client && delivery.attemptCount === 0 && delivery.state === 'waiting' && clock.monotonic() < end) {
      await wait(lookEveryMs, signal);
      delivery = await look();
    }
    const { body: _, attempts, ...shown } = delivery;
    const ms = attempts.at(-1)?.ms;
    io.result(shown, () => {
      if (delivery.attemptCount === 0) return `Enqueued: ${delivery.eventId}. It is sent as soon as "fn dev" runs.`;
      return `${targetOf(found)} ${delivery.reason ?? delivery.state}${ms === undefined ? '' : ` (${ms} ms)`}`;
    });
    return delivery.state === 'delivered' || delivery.attemptCount === 0 ? 0 : 1;
  },
});

export const recover = defineCommand({
  description: `Delivers what a webhook endpoint has missed, oldest first: events without a delivery, and deliveries that failed. Each keeps its webhook-id.`,
  arguments: { endpoint },
  options: {
    since: {
      flag: '--since <time>',
      summary: 'Default: when it was last disabled, or the last 24 hours; RFC 3339, or 2h',
    },
    rate: rateOption,
  },
  examples: [
    { line: 'fn webhook recover whk_01JD…', does: 'delivers what it has missed' },
    { line: 'fn webhook recover whk_01JD… --since 2h --rate 20', does: 'delivers that of two hours, 20 a second' },
  ],
  json: '{count, more}; more: with --rate, repeat the command later for the rest',
  see,
  async run(context, { endpoint: asked, since, rate }) {
    if (rate !== undefined) countWithin('--rate', rate, maxRate);
    const { io, signal } = context;
    const target = await context.target();
    const { id } = await endpointMeant(target.door, asked, signal);
    const input = { id, ...(since !== undefined && { since: sinceOf(context, since) }) };
    // At a rate, the next part would begin at once, too.
    const done =
      rate === undefined
        ? { count: await recoverAll(target, input, signal), more: false }
        : await target.door('webhooks.recover', { ...input, perSecond: rate }, { signal });
    io.result(done, () => (done.count === 0 ? 'It has missed nothing.' : `${done.count} are delivered now.`));
    if (done.more) io.err('There are more: repeat the command when these are delivered.');
  },
});

async function recoverAll(target: Target, input: { id: string; since?: string }, signal: AbortSignal): Promise<number> {
  let sum = 0;
  for (;;) {
    const { count, more } = await target.door('webhooks.recover', input, { signal });
    sum += count;
    if (!more || count === 0) return sum;
  }
}

/** Asked on a terminal, in the local workspace as well: deliveries do not come back. */
async function confirmed(context: Context, target: Target, yes: boolean, message: string): Promise<boolean> {
  if (target.kind === 'remote' || yes || !context.ask.possible)
    return await confirmRemote(context, target, yes, message);
  return await context.ask.confirm({ message, flag: '--yes' });
}

const kindsOf = (text: string): string[] =>
  text
    .split(',')
    .map((kind) => kind.trim())
    .filter((kind) => kind !== '');

/** @throws UsageError secret_empty */
async function secretFrom(context: Context): Promise<string> {
  const secret = (await context.stdin(4_096)).replace(/\r?\n$/, '');
  if (secret !== '') return secret;
  throw new UsageError('secret_empty', 'There is no secret on standard input', {
    hint: 'As in: pass show acme/webhooks | fn webhook add URL --secret-stdin',
  });
}
