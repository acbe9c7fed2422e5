/**
 * Closes conversations without activity for a week, every night.
 *
 * @type {import('convo-fn').CronJob}
 */
export const config = {
  type: 'cron-job',
  // minute, hour, day of month, month, day of week
  schedule: '30 3 * * *',
  timezone: 'Europe/Berlin',
  // A run that is due while the previous one is still in progress is skipped.
  overlap: 'skip',
};

const week = 7 * 24 * 60 * 60 * 1000;

/** @param {import('convo-fn').CronSdk} sdk */
export default async function (sdk) {
  const idleSince = Date.parse(sdk.cron.scheduledAt) - week;
  const closed = [];

  for (const conversation of await openConversations(sdk)) {
    const lastActivity = conversation.lastMessageAt ?? conversation.createdAt;
    if (Date.parse(lastActivity) >= idleSince) continue;
    await sdk.conversations.close({ id: conversation.id });
    closed.push(conversation.id);
  }

  // The store outlives invocations and belongs to the app.
  const total = await sdk.store.increment(
    'conversations-closed',
    closed.length,
  );
  sdk.log.info(`closed ${closed.length}, ${total} so far`);
  return { closed, total };
}

/**
 * Reads all of them, page by page, before any is closed, because closing shifts the pages.
 *
 * @param {import('convo-fn').CronSdk} sdk
 */
async function openConversations(sdk) {
  const found = [];
  let cursor;
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
