import type { CronJob, CronSdk } from 'convo-fn';
import { differenceInHours, parseISO } from 'date-fns';
import { allOrders, importOrders, importSample } from '../_shared/orders.ts';

/**
 * Fetches the shop's export every night and takes it over. Where the shop is, `SHOP_EXPORT_URL` in `env` of `fn.config.json` says;
 * without it the orders that come with this app are taken, so that everything can be tried without a shop.
 */
export const config: CronJob = {
  type: 'cron-job',
  schedule: '15 2 * * *',
  timezone: 'Europe/Berlin',
  overlap: 'skip',
};

export default async function (sdk: CronSdk) {
  const { scheduledAt, lastRunAt } = sdk.cron;
  const hours =
    lastRunAt === null
      ? undefined
      : differenceInHours(parseISO(scheduledAt), parseISO(lastRunAt));
  if (hours !== undefined && hours > 25)
    sdk.log.warn(`the sync before was ${hours} hours ago`);

  const url = process.env['SHOP_EXPORT_URL'];
  const result = url
    ? await importOrders(sdk, await download(sdk, url))
    : { imported: await importSample(sdk), rejected: [] };
  for (const { line, message } of result.rejected.slice(0, 20))
    sdk.log.warn(`line ${line}: ${message}`);

  const orders = await allOrders(sdk);
  const open = orders.filter((order) => order.status === 'open').length;
  sdk.log.info(
    `${result.imported} orders, ${open} open, ${result.rejected.length} lines rejected`,
  );
  return { imported: result.imported, rejected: result.rejected.length, open };
}

async function download(sdk: CronSdk, url: string): Promise<string> {
  const key = await sdk.secrets.get('SHOP_KEY');
  const response = await fetch(url, {
    headers: key ? { authorization: `Bearer ${key}` } : {},
  });
  if (!response.ok)
    throw new Error(
      `The shop answered ${response.status}: the orders stay as they were`,
    );
  return response.text();
}
