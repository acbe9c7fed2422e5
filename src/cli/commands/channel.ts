import { channelKinds, refusal } from '../../contract/index.ts';
import { everyPage, nearest, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { listing } from '../terminal/table.ts';
import { confirmRemote } from '../workspaces/confirm-remote.ts';

const list = defineCommand({
  examples: [{ line: 'fn channel list', does: 'lists the channels of the workspace', runs: true }],
  json: '{items: [{id, kind, name, reaches, connected, createdAt}]}',
  async run(context) {
    const items = await channels(context);
    const { io } = context;
    io.results({ items }, 'No channel is connected. Connect one: fn channel connect web-chat', () => {
      const rows = items.map(({ id, kind, name, reaches, connected }) => [
        id,
        kind,
        name,
        reaches.join(', ') || '–',
        connected ? 'connected' : 'disconnected',
      ]);
      return listing(io, [['ID', 'KIND', 'NAME', 'REACHES BY', 'STATE'], ...rows], [2, 3]);
    });
  },
});

const connect = defineCommand({
  description:
    'Connects a channel through which customers write. In the local workspace it is a chat window in the console, and nothing is sent to anybody.',
  arguments: { kind: { summary: 'Kind of channel', choices: channelKinds } },
  options: { name: { flag: '--name <text>', summary: 'Name; default: the name of its kind' } },
  examples: [
    {
      line: 'fn channel connect sms --name "Shop SMS"',
      does: 'connects another channel that reaches phones',
      runs: true,
    },
  ],
  json: 'The channel: {id, kind, name, reaches, connected, createdAt}',
  async run(context, { kind, name }) {
    const door = await context.door();
    const channel = await door('channels.connect', { kind, ...(name !== undefined && { name }) });
    context.io.result(channel, () => `Connected: ${channel.name} (${channel.id})`);
  },
});

const disconnect = defineCommand({
  description: 'Disconnects a channel. Its conversations stay, but nothing can be sent through it any more.',
  arguments: { channel: { summary: 'Id or name of the channel, or its kind if only one of that kind is connected' } },
  options: { yes: { flag: '-y, --yes', summary: 'Do not ask for confirmation' } },
  examples: [{ line: 'fn channel disconnect "Shop SMS"', does: 'disconnects it' }],
  json: 'The channel: {id, kind, name, reaches, connected, createdAt}',
  complete: { channel: 'channels' },
  async run(context, { channel: asked, yes }) {
    const target = await context.target();
    const all = await channels(context);
    const found =
      all.find(({ id }) => id === asked) ??
      only(
        all.filter(({ name }) => name === asked),
        `named "${asked}"`,
      ) ??
      only(
        all.filter(({ kind, connected }) => connected && kind === asked),
        `connected and of the kind "${asked}"`,
      );
    if (found === undefined) {
      const meant = nearest(
        asked,
        all.map(({ name }) => name),
      );
      throw refusal('channel_not_found', `There is no channel "${asked}"`, {
        hint: meant ? `Did you mean "${meant}"?` : 'See: fn channel list',
      });
    }
    if (!(await confirmRemote(context, target, yes, `Disconnect ${found.name} of ${target.slug}?`))) return 130;
    const channel = await target.door('channels.disconnect', { id: found.id });
    context.io.result(channel, () => `Disconnected: ${channel.name}`);
    return 0;
  },
});

async function channels(context: Context) {
  const door = await context.door();
  return await everyPage((page) => door('channels.list', page));
}

function only<T>(found: readonly T[], that: string): T | undefined {
  if (found.length < 2) return found[0];
  throw new UsageError('channel_ambiguous', `${found.length} channels are ${that}`, {
    hint: 'Use its id. See: fn channel list',
  });
}

/** `fn channel …` */
export const commands = {
  list: { summary: 'List the channels', command: list },
  connect: { summary: 'Connect a channel', command: connect },
  disconnect: { summary: 'Disconnect a channel; its conversations stay', command: disconnect },
};
