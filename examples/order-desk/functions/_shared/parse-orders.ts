import { type CsvErrorCode, parse } from 'csv-parse/sync';
import {
  addDays,
  differenceInCalendarDays,
  formatISO,
  max,
  parseISO,
} from 'date-fns';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import * as z from 'zod';
import { parseMoney } from './money.js';

/** A line of the shop's export. Whoever wrote it, nothing gets past here that is not as it should be. */
const Row = z.object({
  order: z.string().regex(/^A-\d{4,8}$/, 'is no order number, as A-1017'),
  placed: z.iso.date('is no date, as 2026-02-24'),
  name: z.string().min(1, 'is empty').transform(givenNameFirst),
  phone: z.string().transform((text, context) => {
    const phone = parsePhoneNumberFromString(text, 'DE');
    if (phone?.isValid()) return phone.number as string;
    context.addIssue('is no phone number');
    return z.NEVER;
  }),
  article: z.string().regex(/^[A-Z]{3}-\d{3}$/, 'is no article, as TNT-120'),
  quantity: z.coerce
    .number('is no number')
    .int('is no whole number')
    .min(1, 'is less than 1')
    .max(1000),
  price: z.string().transform((text, context) => {
    const cents = parseMoney(text);
    if (cents !== undefined) return cents;
    context.addIssue('is no price, as 39.90');
    return z.NEVER;
  }),
  status: z.enum(
    ['open', 'shipped', 'delivered', 'returned'],
    'is none of open, shipped, delivered, returned',
  ),
});

export interface Order {
  id: string;
  /** A date, as 2026-02-24. */
  placed: string;
  status: 'open' | 'shipped' | 'delivered' | 'returned';
  customer: { name: string /** E.164 */; phone: string };
  items: { article: string; quantity: number; cents: number }[];
  totalCents: number;
  refundedCents: number;
}

export interface Rejected {
  line: number;
  message: string;
}

/** Reads the shop's export: what is right becomes orders, what is wrong is named with its line, and nothing is lost silently. */
export function parseOrders(csv: string): {
  orders: Order[];
  rejected: Rejected[];
} {
  const rejected: Rejected[] = [];
  const orders = new Map<string, Order>();
  for (const { record, info } of records(csv, rejected)) {
    const row = Row.safeParse(record);
    if (!row.success) {
      const [issue] = row.error.issues;
      rejected.push({
        line: info.lines,
        message: `${issue?.path.join('.')} ${issue?.message}`,
      });
      continue;
    }
    const {
      order: id,
      placed,
      status,
      name,
      phone,
      article,
      quantity,
      price,
    } = row.data;
    const order = orders.get(id) ?? {
      id,
      placed,
      status,
      customer: { name, phone },
      items: [],
      totalCents: 0,
      refundedCents: 0,
    };
    order.items.push({ article, quantity, cents: price });
    order.totalCents += quantity * price;
    orders.set(id, order);
  }
  return { orders: [...orders.values()], rejected };
}

/** Moves all dates by the same number of days, so that the newest order was placed yesterday. */
export function madeRecent(orders: Order[], now: Date): Order[] {
  if (orders.length === 0) return [];
  const newest = max(orders.map(({ placed }) => parseISO(placed)));
  const days = differenceInCalendarDays(now, newest) - 1;
  return orders.map((order) => ({
    ...order,
    placed: formatISO(addDays(parseISO(order.placed), days), {
      representation: 'date',
    }),
  }));
}

interface CsvRecord {
  record: Record<string, string>;
  info: { lines: number };
}

function records(csv: string, rejected: Rejected[]): CsvRecord[] {
  try {
    return parse(csv, {
      bom: true,
      columns: true,
      // With semicolons, prices have a comma.
      delimiter: csv.split('\n', 1)[0]?.includes(';') ? ';' : ',',
      info: true,
      skip_empty_lines: true,
      trim: true,
      skip_records_with_error: true,
      on_skip: (error) => {
        if (error)
          rejected.push({
            line: Number(error['lines'] ?? 0),
            message: inWords(error.code, error.message),
          });
        return undefined;
      },
    }) as unknown as CsvRecord[];
  } catch (error) {
    // A quote that is never closed swallows the rest of the file.
    rejected.push({ line: 0, message: (error as Error).message });
    return [];
  }
}

function inWords(code: CsvErrorCode, message: string): string {
  return code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
    ? 'has more or fewer columns than the head'
    : message;
}

/** `Brandt, Oliver` → `Oliver Brandt` */
function givenNameFirst(name: string): string {
  const [family, given] = name.split(/\s*,\s*/);
  return given ? `${given} ${family}` : name;
}
