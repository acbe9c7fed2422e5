import { pathOf, placeOfWord } from '../../console/index.ts';
import { UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { openInBrowser } from '../terminal/open-in-browser.ts';

export const command = defineCommand({
  description: `Opens a page in the browser of this machine: the console of a running "fn dev", or the workspace of a profile. With a conversation's id, opens its direct link; with the id of an invocation, a run, a message, an event or a job, what happened there.

Also prints the address, in case there is no browser. The address of a running "fn dev" signs in once, within ten minutes.`,
  arguments: {
    page: {
      summary: 'functions, inbox, invocations or runs, or the id of what to look at; default: functions',
      optional: true,
    },
  },
  options: { print: { flag: '--print', summary: 'Print the address only' } },
  examples: [
    { line: 'fn open', does: 'opens the console of the running fn dev' },
    { line: 'fn open inbox', does: 'opens the inbox' },
    { line: 'fn open cnv_01JD3V8Q6W7Z --print', does: 'prints the direct link of a conversation' },
  ],
  json: '{url}',
  see: ['dev'],
  async run(context, { page, print }) {
    const url = await addressOf(context, page);
    if (!print && !context.io.json && !openInBrowser(url)) {
      context.io.err('fn does not open this address by itself.');
    }
    context.io.result({ url }, () => url);
  },
});

async function addressOf(context: Context, page: string | undefined): Promise<string> {
  const place = page === undefined ? undefined : placeOfWord(page);
  if (page !== undefined && place === undefined) {
    throw new UsageError('page_unknown', `The console has no page "${page}"`, {
      hint: 'Name functions, inbox, invocations or runs, or give an id: cnv_…, inv_…, run_…, msg_…, evt_….',
    });
  }
  const target = await context.target();
  if (target.kind === 'embedded') {
    throw new UsageError('dev_not_running', 'No "fn dev" is running for this app, so there is no page to open', {
      hint: 'Start it in another terminal: fn dev --open',
    });
  }
  if (place?.page === 'inbox' && place.conversationId !== undefined)
    await target.door('conversations.get', { id: place.conversationId });
  if (target.kind !== 'dev') return `${target.baseUrl}${pathOf(place ?? { page: 'inbox' }, target.slug)}`;
  const path = pathOf(place ?? { page: 'functions' }, target.slug);
  const { url } = await target.door('workspace.openUrl', { path });
  // Where to is decided here; of the answer only the code is taken: what a server says is not opened.
  const signed = new URL(path, target.baseUrl);
  signed.searchParams.set('code', new URL(url).searchParams.get('code') ?? '');
  return signed.href;
}
