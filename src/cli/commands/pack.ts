import { everyPage } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { listing } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';

const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`;

const list = defineCommand({
  description:
    'Development Packs are prepaid days of work. They never expire and can be combined: days are booked from the oldest first.',
  examples: [{ line: 'fn pack list', does: 'lists the packs and the total of days left', runs: true }],
  json: '{items: [{id, name, days, daysLeft, createdAt}], balance: {days, used, left}}',
  async run({ io, door: open }) {
    const door = await open();
    const [items, balance] = await Promise.all([
      everyPage((page) => door('packs.list', page)),
      door('packs.balance', {}),
    ]);
    io.results({ items, balance }, 'There is no pack. Add one: fn pack add 10', () => {
      const rows = items.map((pack) => [
        pack.id,
        pack.name,
        String(pack.days),
        String(pack.daysLeft),
        pack.createdAt.slice(0, 10),
      ]);
      const head = ['ID', 'NAME', 'DAYS', 'LEFT', 'ADDED'];
      return `${listing(io, [head, ...rows], [1])}\n\n${days(balance.left)} left of ${balance.days}`;
    });
  },
});

const add = defineCommand({
  description: 'Adds prepaid days of work. They never expire; "fn pack use" books them from the oldest pack first.',
  arguments: { days: { summary: 'Days in the pack, in steps of 0.25', type: 'number' } },
  options: { name: { flag: '--name <text>', summary: 'Name of the pack' } },
  examples: [{ line: 'fn pack add 10 --name spring', does: 'adds ten days', runs: true }],
  json: 'The pack: {id, name, days, daysLeft, createdAt}',
  async run({ io, door: open }, { days: count, name }) {
    const pack = await (await open())('packs.add', { days: count, ...(name !== undefined && { name }) });
    io.result(pack, () => `Added: ${pack.name}, ${days(pack.days)} (${pack.id})`);
  },
});

const use = defineCommand({
  description: 'Books days of work. If fewer days are left, books nothing.',
  arguments: { days: { summary: 'Days to book, in steps of 0.25', type: 'number' } },
  options: { note: { flag: '--note <text>', summary: 'What the days are for' } },
  examples: [{ line: 'fn pack use 0.5 --note "refund tool"', does: 'books half a day' }],
  json: 'The booking: {id, days, note, packs: [{id, days}], left}',
  async run({ io, door: open }, { days: count, note }) {
    const booking = await (await open())('packs.use', { days: count, ...(note !== undefined && { note }) });
    io.result(booking, () => `Booked: ${days(booking.days)}; ${days(booking.left)} left`);
  },
});

const history = defineCommand({
  examples: [{ line: 'fn pack history', does: 'lists added packs and booked days, newest first', runs: true }],
  options: { limit: { flag: '-l, --limit <count>', summary: 'Maximum number of entries; default 50', type: 'count' } },
  json: '{items: [{id, kind, days, note, packs, balanceAfter, at}]}',
  async run({ io, door: open }, { limit = 50 }) {
    countWithin('--limit', limit);
    const door = await open();
    const items = await everyPage((page) => door('packs.history', page), limit);
    io.results({ items }, 'Nothing has been added or booked yet.', () => {
      const rows = items.map((entry) => [
        entry.at.slice(0, 16).replace('T', ' '),
        `${entry.kind === 'added' ? '+' : '−'}${entry.days}`,
        String(entry.balanceAfter),
        entry.note ?? '',
      ]);
      return listing(io, [['AT (UTC)', 'DAYS', 'LEFT', 'NOTE'], ...rows], [3]);
    });
  },
});

/** `fn pack …` */
export const commands = {
  list: { summary: 'List the Development Packs and the days left', command: list },
  add: { summary: 'Add a Development Pack', command: add },
  use: { summary: 'Book days of Development Packs', command: use },
  history: { summary: 'List added packs and booked days', command: history },
};
