import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { openInBrowser } from '../terminal/open-in-browser.ts';

export const command = defineCommand({
  description: `Opens a page in the browser of this machine: the console of a running "fn dev", or the workspace of a profile. With a conversation's id, opens its direct link.

Also prints the address, in case there is no browser. The address of a running "fn dev" signs in once, within ten minutes.`,
  arguments: { conversation: { summary: 'Id of a conversation (cnv_…); default: the console', optional: true } },
  options: { print: { flag: '--print', summary: 'Print the address only' } },
  examples: [
    { line: 'fn open', does: 'opens the console of the running fn dev' },
    { line: 'fn open cnv_01JD3V8Q6W7Z --print', does: 'prints the direct link of a conversation' },
  ],
  json: '{url}',
  see: ['dev'],
  async run(context, { conversation, print }) {
    const url = await addressOf(context, conversation);
    if (!print && !context.io.json && !openInBrowser(url)) {
      context.io.err('fn does not open this address by itself.');
    }
    context.io.result({ url }, () => url);
  },
});

async function addressOf(context: Context, conversation: string | undefined): Promise<string> {
  const target = await context.target();
  if (target.kind === 'embedded') {
    throw new UsageError('dev_not_running', 'No "fn dev" is running for this app, so there is no page to open', {
      hint: 'Start it in another terminal: fn dev --open',
    });
  }
  let path = `/tenants/${target.slug}`;
  if (conversation !== undefined) {
    const { id } = await target.door('conversations.get', { id: conversation });
    path += `/conversations/${encodeURIComponent(id)}`;
  }
  if (target.kind !== 'dev') return `${target.baseUrl}${path}`;
  const { url } = await target.door('workspace.openUrl', { path: conversation === undefined ? '/' : path });
  // Where to is decided here; of the answer only the code is taken: what a server says is not opened.
  const signed = new URL(conversation === undefined ? '/' : path, target.baseUrl);
  signed.searchParams.set('code', new URL(url).searchParams.get('code') ?? '');
  return signed.href;
}
