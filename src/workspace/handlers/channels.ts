import type { Selectable } from 'kysely';
import { type Output, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import type { HandlersOf } from './index.ts';

type ChannelRow = Selectable<Tables['channel']>;
type Channel = Output<'channels.connect'>;
type Kind = Channel['kind'];

/** The default name of each kind, and the identities by which it reaches a customer. */
const kinds: Record<Kind, { title: string; reaches: Channel['reaches'] }> = {
  'messaging-app': { title: 'Messaging app', reaches: ['phone'] },
  'photo-network': { title: 'Photo network', reaches: ['phone', 'email'] },
  'web-chat': { title: 'Web chat', reaches: ['phone', 'email'] },
  sms: { title: 'SMS', reaches: ['phone'] },
  email: { title: 'E-mail', reaches: ['email'] },
};

export const channelHandlers: HandlersOf<'channels'> = {
  async 'channels.list'(input, tx) {
    const page = await pageBy(tx, 'channels.list', input, tx.db.selectFrom('channel').selectAll(), {
      by: 'created_at',
    });
    return { items: page.rows.map(channelOf), nextCursor: page.nextCursor };
  },

  async 'channels.connect'(input, tx) {
    const { row } = await connectChannel(tx, input);
    return channelOf(row);
  },

  async 'channels.disconnect'({ id }, tx) {
    const row = await tx.db.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw refusal('channel_not_found', `There is no channel ${id}`);
    if (row.connected === 0) return channelOf(row);
    await tx.db.updateTable('channel').set({ connected: 0 }).where('id', '=', id).execute();
    const channel = channelOf({ ...row, connected: 0 });
    await tx.announce({ type: 'channel.disconnected', data: { channel } });
    return channel;
  },
};

/** Connects a new channel, or reconnects a disconnected one, whose conversations continue. */
export async function connectChannel(
  tx: Tx,
  input: { kind: Kind; name?: string | undefined; connected?: boolean | undefined },
): Promise<{ row: ChannelRow; created: boolean }> {
  const name = input.name ?? kinds[input.kind].title;
  const known = await tx.db.selectFrom('channel').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst();
  if (known !== undefined && (known.connected === 1 || known.kind !== input.kind)) {
    throw refusal('channel_exists', `There is a channel named ${known.name} already`, {
      details: { channelId: known.id },
    });
  }
  const connected = input.connected === false ? 0 : 1;
  const row: ChannelRow =
    known === undefined
      ? { id: newId('chn', tx.now), kind: input.kind, name, name_key: nameKey(name), connected, created_at: tx.now }
      : { ...known, connected };
  if (known === undefined) await tx.db.insertInto('channel').values(row).execute();
  else await tx.db.updateTable('channel').set({ connected }).where('id', '=', known.id).execute();
  if (connected === 1) await tx.announce({ type: 'channel.connected', data: { channel: channelOf(row) } });
  return { row, created: known === undefined };
}

/**
 * Chooses the channel to talk through: the named one (by id, kind or name), or else the first connected one that reaches the
 * customer by the given identity.
 * @param known further identities of the customer
 * @throws WorkspaceError channel_not_found, channel_disconnected, channel_unreachable
 */
export async function chooseChannel(
  tx: Tx,
  asked: string | undefined,
  given: { phone?: string; email?: string },
  known: { phone: string | null; email: string | null } | undefined,
): Promise<ChannelRow> {
  const all = await tx.db.selectFrom('channel').selectAll().orderBy('created_at').orderBy('id').execute();
  if (asked === undefined) {
    const reaching = all.find((row) => row.connected === 1 && reaches(row, given));
    if (reaching === undefined) throw unreachable('No connected channel reaches', given);
    return reaching;
  }
  const meant = all.filter((row) => row.id === asked || row.kind === asked || row.name_key === nameKey(asked));
  if (meant.length === 0) throw refusal('channel_not_found', `There is no channel ${asked}`);
  const connected = meant.filter((row) => row.connected === 1);
  if (connected.length === 0) throw refusal('channel_disconnected', `The channel ${asked} is not connected`);
  const identity = { ...given, ...withoutNull(known) };
  const reaching = connected.find((row) => reaches(row, identity));
  if (reaching === undefined) throw unreachable(`The channel ${asked} does not reach`, given);
  return reaching;
}

export async function channelRow(tx: Tx, id: string): Promise<ChannelRow> {
  const row = await tx.db.selectFrom('channel').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw refusal('channel_not_found', `There is no channel ${id}`);
  return row;
}

function channelOf(row: ChannelRow): Channel {
  return {
    id: row.id,
    kind: kindOf(row),
    name: row.name,
    reaches: [...kinds[kindOf(row)].reaches],
    connected: row.connected === 1,
    createdAt: toTimestamp(row.created_at),
  };
}

/** Names of channels and workgroups are compared without regard to case. */
export function nameKey(name: string): string {
  return name.trim().normalize('NFC').toLowerCase();
}

function kindOf(row: ChannelRow): Kind {
  return row.kind as Kind;
}

function reaches(row: ChannelRow, identity: { phone?: string; email?: string }): boolean {
  return kinds[kindOf(row)].reaches.some((by) => identity[by] !== undefined);
}

function withoutNull(known: { phone: string | null; email: string | null } | undefined): {
  phone?: string;
  email?: string;
} {
  return {
    ...(typeof known?.phone === 'string' ? { phone: known.phone } : {}),
    ...(typeof known?.email === 'string' ? { email: known.email } : {}),
  };
}

function unreachable(message: string, given: { phone?: string; email?: string }): Error {
  const by = given.phone === undefined ? 'an e-mail address' : 'a phone number';
  return refusal('channel_unreachable', `${message} a customer by ${by}`, {
    hint: 'Connect a channel that can, or choose another one.',
  });
}
