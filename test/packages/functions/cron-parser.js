import { CronExpressionParser } from 'cron-parser';
export default () => {
  const cron = CronExpressionParser.parse('*/15 9-17 * * 1-5', {
    currentDate: '2026-03-27T16:40:00Z',
    tz: 'Europe/Berlin',
  });
  let refused;
  try {
    CronExpressionParser.parse('61 * * * *');
  } catch (error) {
    refused = error.message;
  }
  return [cron.next().toISOString(), cron.next().toISOString(), refused];
};
