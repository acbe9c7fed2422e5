import type { Conversation, CronJob, CronSdk } from 'convo-fn';

/** Reports every night which open conversations have been without activity for a week. It changes nothing. */
export const config: CronJob = {
  type: 'cron-job',
  // minute, hour, day of month, month, day of week
  schedule: '30 3 * * *',
  timezone: 'Europe/Berlin',
  // A run that is due while the previous one is still in progress is skipped.
  overlap: 'skip',
};

const week = 7 * 24 * 60 * 60 * 1000;

export default async function (sdk: CronSdk) {
  const idleSince = Date.parse(sdk.cron.scheduledAt) - week;
  const open = await openConversations(sdk);
  const idle = open.filter(
    ({ lastMessageAt, createdAt }) =>
      Date.parse(lastMessageAt ?? createdAt) < idleSince,
  );

  sdk.log.info(`${idle.length} of ${open.length} open conversations are idle`);
  return { open: open.length, idle: idle.map(({ url }) => url) };
}

/** Reads all of them, page by page. */
async function openConversations(sdk: CronSdk): Promise<Conversation[]> {
  const found: Conversation[] = [];
  let cursor: string | undefined;
  do {
    const page = await sdk.conversations.list({
      status: 'open',
      inbox: 'all',
      limit: 200,
      cursor,
    });
    found.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return found;
}
