import { everyPage } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { listing } from '../terminal/table.ts';
import { appName, appOption } from '../values/app-name.ts';
import { countWithin } from '../values/count-within.ts';
import { remoteClient } from '../workspaces/remote-client.ts';

export const command = defineCommand({
  description:
    'Lists the deployments of the app, newest first. Versions never change; "fn rollback VERSION" makes an older one live again.',
  options: {
    limit: { flag: '-l, --limit <count>', summary: 'Maximum number of versions; default 20', type: 'count' },
    all: { flag: '--all', summary: 'Also list deployments that were never live' },
    of: appOption,
  },
  examples: [{ line: 'fn versions', does: 'lists the last 20' }],
  json: '{live, items: [{id, state, functions, message, commit, createdBy, createdAt, activatedAt, …}]}',
  see: ['deploy'],
  async run(context, { limit = 20, all, of }) {
    countWithin('--limit', limit);
    const { io, signal } = context;
    const app = await appName(context, of);
    const { client } = await remoteClient(context);
    let live: string | null = null;
    const found = await everyPage(
      async (page) => {
        const answer = await client('deployments.list', { app, ...page }, { signal });
        live = answer.live;
        return answer;
      },
      all ? limit : limit * 5,
    );
    const items = found.filter((item) => all || item.activatedAt !== null).slice(0, limit);
    io.results({ live, items }, `${app} has not been deployed yet.`, () => {
      const rows = items.map(({ id, activatedAt, createdAt, functions, createdBy, commit, message, state }) => [
        id === live ? '*' : '',
        id,
        (activatedAt ?? createdAt).slice(0, 16).replace('T', ' '),
        String(functions),
        createdBy.name ?? createdBy.id ?? createdBy.type,
        commit?.sha.slice(0, 10) ?? '',
        [activatedAt === null ? `(${state}, never live)` : '', message ?? ''].filter((part) => part !== '').join(' '),
      ]);
      return listing(io, [['', 'VERSION', 'AT (UTC)', 'FUNCTIONS', 'BY', 'COMMIT', 'MESSAGE'], ...rows], [4, 6]);
    });
  },
});
