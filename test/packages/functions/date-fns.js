import { addBusinessDays, differenceInCalendarDays, format, formatDistance, parse, startOfWeek } from 'date-fns';
import { de } from 'date-fns/locale';

const day = new Date(2026, 0, 30, 12);
export default () => [
  format(day, 'PPPP', { locale: de }),
  format(addBusinessDays(day, 5), 'yyyy-MM-dd'),
  differenceInCalendarDays(parse('15.03.2026', 'dd.MM.yyyy', day), day),
  formatDistance(day, new Date(2026, 3, 1)),
  format(startOfWeek(day, { weekStartsOn: 1 }), 'EEEE'),
];
