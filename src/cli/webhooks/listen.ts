import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { ServerEvent } from '../../client/index.ts';
import type { Input, Output } from '../../contract/index.ts';
import { listenerSecret } from '../../project/index.ts';
import { ConflictError, FnError, UsageError, WorkspaceError } from '../../std/index.ts';
import { readExtraHeaders, WebhookSender } from '../../webhook/index.ts';
import { defineCommand } from '../command.ts';
import type { Context, Target } from '../context.ts';
import { readKeys } from '../terminal/keys.ts';
import { sinceOf } from '../values/since.ts';
import { followStream } from '../workspaces/follow-stream.ts';
import { findDev } from '../workspaces/target.ts';
import { type ForwardTarget, readKinds, readTargets, targetsOf } from './forward-targets.ts';
import { type Forwarded, Forwarder, type ListenedEvent } from './forwarder.ts';
import { Inspection } from './inspection.ts';

type Opened = Output<'listeners.open'>;

export const command = defineCommand({
  description: `Forwards the events of the workspace to this machine, signed like those of a webhook endpoint. No endpoint is needed, and nothing has to be reachable from outside.

No event is lost: the workspace keeps how far the listener of this name has got. Started again, it begins with what it has missed. What fails is tried again after 5 seconds, 5 minutes and 30 minutes; "fn webhook deliveries" shows every attempt.

The signing secret is made once for each workspace and name, and stays on this machine. --print-secret shows it.

On a terminal, press ? for keys. The local workspace is served by "fn dev", which has to run.`,
  options: {
    forwardTo: {
      flag: '-f, --forward-to <url>',
      summary: 'Where events are posted to, such as localhost:9000/hook',
      many: true,
    },
    map: { flag: '--map <kinds=url>', summary: "Only these kinds to this address: 'message.*=URL'", many: true },
    events: {
      flag: '-e, --events <kinds>',
      summary: 'Kinds, separated by commas; default: those of the last time, or all',
    },
    as: { flag: '--as <name>', summary: 'Name of the listener; default: this machine and folder' },
    since: { flag: '--since <time>', summary: 'Begin there: RFC 3339, or how long ago, such as 10m or 2h' },
    fromNow: { flag: '--from-now', summary: 'Begin now, and leave out what was missed' },
    header: { flag: '-H, --header <header>', summary: "Also send this header: 'Name: value'", many: true },
    printSecret: { flag: '--print-secret', summary: 'Print the signing secret' },
  },
  examples: [
    { line: 'fn webhook listen --forward-to localhost:9000/hook', does: 'forwards every event' },
    { line: 'fn webhook listen -f localhost:9000 -e message.received', does: 'forwards messages of customers' },
    {
      line: "fn webhook listen --map 'message.*=localhost:9000' --since 1h",
      does: 'forwards those of the last hour, too',
    },
  ],
  json: 'One object per line: {type: ready, name, secret, events, targets, missed}, then {type: delivery, eventId, eventType, url, status, ms, attempt, state, reason, error?, nextAttemptInMs?}',
  see: ['events'],
  async run(context, args) {
    const { since, fromNow } = args;
    if (since !== undefined && fromNow)
      throw new UsageError('flags_contradict', '--since and --from-now cannot be combined', {
        hint: '--since begins earlier, --from-now begins now.',
      });
    const events = args.events === undefined ? undefined : readKinds([args.events], '--events');
    const headers = readExtraHeaders(args.header);
    const targets = readTargets(await forwardTo(context, args), args.map);
    const target = await context.target();
    if (target.client === undefined) {
      throw new UsageError('follow_needs_server', 'There is nothing to listen to: "fn dev" is not running here', {
        hint: 'Start "fn dev" in another terminal, or name a workspace that runs elsewhere with --profile.',
      });
    }
    const opened = await target.door('listeners.open', {
      name: args.as ?? (await defaultName(context)),
      ...(events !== undefined && { events }),
      ...(since !== undefined && { since: sinceOf(context, since) }),
      ...(fromNow && { fromNow }),
    });
    const secret = await listenerSecret(await placeOf(context, target), opened.name, context.env);
    tellReady(context, opened, targets, secret, args.printSecret);
    await listen(context, target, { opened, targets, secret, headers });
  },
});

/** Asked for on a terminal, since without an address there is nothing to do. */
async function forwardTo(context: Context, given: { forwardTo: string[]; map: string[] }): Promise<string[]> {
  if (given.forwardTo.length > 0 || given.map.length > 0) return given.forwardTo;
  return [
    await context.ask.text({
      message: 'Where to forward events to, such as http://127.0.0.1:9000/hook?',
      flag: '--forward-to <url>',
    }),
  ];
}

/** The same machine and folder go on where they stopped. */
async function defaultName(context: Context): Promise<string> {
  const root = (await context.project())?.root ?? context.cwd;
  return `${hostname()} ${basename(root) || 'root'}`.slice(0, 100);
}

/** Under which the secret is kept; the port of a local workspace may change. */
async function placeOf(context: Context, target: Target): Promise<string> {
  if (target.kind === 'remote') return `${target.baseUrl}/api/${target.slug}`;
  return (await context.requireProject()).stateDir;
}

function tellReady(
  { io }: Context,
  { name, events, missed, created }: Opened,
  targets: readonly ForwardTarget[],
  secret: string,
  printSecret: boolean,
): void {
  if (io.json) return io.item({ type: 'ready', name, secret, events, targets, created, missed }, () => undefined);
  const { dim, bold, cyan } = io.errStyle;
  io.err('');
  io.err(`  ${dim('Listening')}  ${bold(name)} ${dim(events.join(', '))}`);
  for (const { url, events: only } of targets)
    io.err(`  ${dim('Forward')}    ${cyan(url)}${only === undefined ? '' : ` ${dim(only.join(', '))}`}`);
  if (printSecret) io.err(`  ${dim('Secret')}     ${secret}`);
  io.err('');
  if (missed.count > 0) {
    const count = missed.count >= 10_000 ? 'at least 10,000' : missed.count;
    io.err(`${count} missed since ${clockTime(missed.since ?? '')}, delivering`);
  }
}

interface Listening {
  readonly opened: Opened;
  readonly targets: readonly ForwardTarget[];
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function listen(context: Context, target: Target, listening: Listening): Promise<void> {
  const { io } = context;
  const { opened, targets, secret, headers } = listening;
  const { id } = opened;
  const stop = new AbortController();
  let ended: FnError | undefined;
  const end = (error?: FnError) => {
    ended ??= error;
    stop.abort();
  };
  // What a developer has named on their own machine may be any address.
  const sender = new WebhookSender({ reach: 'any', userAgent: `fn-webhooks/${context.version}` });
  const inspection = new Inspection(context, secret);
  let current = target;
  const forwarder = new Forwarder({
    targetsOf: (kind) => targetsOf(targets, kind),
    secret,
    headers,
    sender,
    // Not ended by Ctrl-C: what was forwarded is told first.
    acknowledge: (ack, signal) => current.door('listeners.ack', { id, ...ack }, { signal }),
    tell: (forwarded) => {
      inspection.note(forwarded);
      tellForwarded(context, forwarded, targets.length > 1);
    },
    onProblem: (error) => {
      if (!(error instanceof FnError)) throw error;
      if (error.code === 'listener_not_found') end(removed(opened.name));
      else io.err(`${error.message}. ${error.hint ?? ''}`.trim());
    },
  });
  const stopKeys = context.ask.possible
    ? readKeys(
        inspection.keys(forwarder, () => end()),
        () => end(),
      )
    : () => {};
  try {
    if (context.ask.possible) io.err(io.errStyle.dim('press ? for keys'));
    await followStream(context, target.client ?? never(), {
      operation: 'listeners.stream',
      input: { id } satisfies Input<'listeners.stream'>,
      isKept: true,
      stop: stop.signal,
      show: async ({ type, data, id: cursor }: ServerEvent) => {
        if (type === 'replaced') return end(replaced(opened.name));
        if (type === 'resend') forwarder.again(JSON.parse(data) as ListenedEvent);
        else if (type === 'event') await forwarder.take(JSON.parse(data) as ListenedEvent, cursor);
      },
      // A "fn dev" that was started again may have another port.
      ...(target.kind === 'dev' && {
        findAgain: async () => {
          // One that is suspended is away.
          const found = await findDev(context, await context.requireProject()).catch(() => undefined);
          if (found === undefined || found.baseUrl === current.baseUrl) {
            await found?.close();
            return undefined;
          }
          context.onEnd(found.close);
          current = found;
          return found.client;
        },
      }),
    });
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'listener_not_found') throw removed(opened.name);
    throw error;
  } finally {
    stopKeys();
    await forwarder.close();
    await sender.close();
  }
  if (ended !== undefined) throw ended;
}

function replaced(name: string): ConflictError {
  return new ConflictError('listener_replaced', `Another "fn webhook listen" has taken over the name "${name}"`, {
    hint: 'To run both, give one of them another name: --as NAME.',
  });
}

function removed(name: string): ConflictError {
  return new ConflictError('listener_removed', `The listener "${name}" was removed from the workspace`, {
    hint: 'Start it again: it begins anew, from now on.',
  });
}

function tellForwarded({ io }: Context, forwarded: Forwarded, showUrl: boolean): void {
  const { listened, url, attempt, number, decision } = forwarded;
  const { event } = listened;
  const { status, ms, error } = attempt;
  const nextAttemptInMs = decision.state === 'waiting' ? decision.delayMs : undefined;
  const value = {
    type: 'delivery',
    ...{ eventId: event.id, eventType: event.type, url, status: status ?? null, ms, attempt: number },
    ...{ state: decision.state, reason: decision.reason },
    ...(error && { error: error.code }),
    ...(nextAttemptInMs !== undefined && { nextAttemptInMs }),
  };
  io.item(value, () => {
    const { dim, green, red, yellow } = io.style;
    const paint = decision.state === 'delivered' ? green : decision.state === 'waiting' ? yellow : red;
    const ended = decision.state === 'delivered' ? `${status}` : decision.reason;
    const when = nextAttemptInMs === undefined ? '' : ` in ${durationOf(nextAttemptInMs)}`;
    const again = number > 1 ? dim(` attempt ${number}`) : '';
    const where = showUrl ? `${url} ` : '';
    return `${dim(clockTime(event.timestamp))}  ${event.type}  ${dim(event.id)}  → ${where}${paint(ended)}${when} ${dim(`(${ms} ms)`)}${again}`;
  });
}

function durationOf(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

/** `14:02:11` here; the date as well if it is another day. */
function clockTime(timestamp: string): string {
  const at = new Date(timestamp);
  const time = at.toTimeString().slice(0, 8);
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? time : `${timestamp.slice(0, 10)} ${time}`;
}

function never(): never {
  throw new Error('a workspace without a client has no streams');
}
