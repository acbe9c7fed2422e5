import * as module from 'rrule';

// In Node the package is CommonJS.
const { RRule } = module.RRule ? module : module.default;
const begin = new Date(Date.UTC(2026, 0, 1, 9));
export default () => {
  const rule = new RRule({
    freq: RRule.WEEKLY,
    interval: 2,
    count: 3,
    byweekday: [RRule.MO, RRule.TH],
    dtstart: begin,
  });
  return [rule.toString(), rule.all(), rule.toText(), RRule.fromString('FREQ=DAILY;COUNT=2;BYHOUR=9').options.count];
};
