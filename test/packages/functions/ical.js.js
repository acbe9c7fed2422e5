import ICAL from 'ical.js';

const text =
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Call\\, then mail\r\nDTSTART:20260102T090000Z\r\nDURATION:PT1H\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nEND:VEVENT\r\nEND:VCALENDAR';
export default () => {
  const event = new ICAL.Event(new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent'));
  const each = event.iterator();
  return [
    event.summary,
    event.endDate.toString(),
    each.next().toString(),
    each.next().toString(),
    event.toString().length,
  ];
};
