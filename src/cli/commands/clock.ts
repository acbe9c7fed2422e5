import type { Output } from '../../contract/index.ts';
import { millisecondsOf, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import { parseTime } from '../values/parse-time.ts';

const show = defineCommand({
  description:
    'The clock of the local workspace governs its data, cron jobs, expiry and Date inside functions. Time limits are measured in real time.',
  examples: [{ line: 'fn clock show', does: 'shows the time of the workspace', runs: true }],
  json: '{now, offsetMs}',
  see: ['dev'],
  async run(context) {
    const clock = await (await context.target('local')).door('clock.show', {});
    context.io.result(clock, () => sentence(clock));
  },
});

const set = defineCommand({
  description:
    'Sets the clock of the local workspace; it continues from there. If it jumps forward, each cron job that falls due runs once.',
  arguments: {
    time: { summary: 'A time such as 2026-12-24T18:00:00Z, a date, or "system" for the time of this machine' },
  },
  examples: [
    { line: 'fn clock set 2026-12-24T18:00:00Z', does: 'makes it Christmas Eve', runs: true },
    { line: 'fn clock set system', does: 'goes back to the time of this machine', runs: true },
  ],
  json: '{now, offsetMs, fired}',
  see: ['dev'],
  complete: { time: async () => ['system'] },
  async run(context, { time }) {
    const now = time === 'system' ? time : timeOf(time);
    const clock = await (await context.target('local')).door('clock.set', { now });
    context.io.result(clock, () => turned(clock));
  },
});

const advance = defineCommand({
  description: 'Moves the clock of the local workspace forward. Each cron job that falls due on the way runs once.',
  arguments: { by: { summary: 'A number and a unit: 30s, 15m, 2h, 1d' } },
  examples: [{ line: 'fn clock advance 1d', does: 'advances to tomorrow and runs the jobs that are due', runs: true }],
  json: '{now, offsetMs, fired}',
  see: ['dev'],
  async run(context, { by }) {
    const ms = by.startsWith('-') ? -1 : millisecondsOf(by);
    if (ms < 1) {
      throw new UsageError('duration_invalid', `The clock cannot advance by ${by}: the least is 1ms`, {
        hint: 'To turn it back, set the time: fn clock set 2026-12-24T18:00:00Z',
      });
    }
    if (ms > mostMs) {
      throw new UsageError('duration_invalid', `The clock cannot advance by ${by} at once: the most is 366d`, {
        hint: 'To go further, set the time: fn clock set 2030-12-24T18:00:00Z',
      });
    }
    const clock = await (await context.target('local')).door('clock.advance', { ms });
    context.io.result(clock, () => turned(clock));
  },
});

/** Limit of the operation, checked here for a clearer message. */
const mostMs = 366 * 86_400_000;

function timeOf(text: string): string {
  const time = parseTime(text);
  if (time !== undefined) return time;
  throw new UsageError('time_invalid', `"${text}" is not a time`, {
    hint: 'Write it as 2026-12-24T18:00:00Z, or "system".',
  });
}

function turned(clock: Output<'clock.advance'>): string {
  return `${sentence(clock)}; ${clock.fired === 1 ? '1 job' : `${clock.fired} jobs`} ran`;
}

function sentence({ now, offsetMs }: Output<'clock.show'>): string {
  const seconds = Math.round(offsetMs / 1000);
  if (seconds === 0) return `${now} (the time of this machine)`;
  const size = Math.abs(seconds);
  const parts = [
    [Math.floor(size / 86_400), 'd'],
    [Math.floor(size / 3600) % 24, 'h'],
    [Math.floor(size / 60) % 60, 'm'],
    [size % 60, 's'],
  ] as const;
  const text = parts.flatMap(([count, unit]) => (count > 0 ? [`${count}${unit}`] : [])).join(' ');
  return `${now} (${text} ${seconds > 0 ? 'ahead of' : 'behind'} this machine)`;
}

/** `fn clock …` */
export const commands = {
  show: { summary: 'Show the clock of the local workspace', command: show },
  set: { summary: 'Set the clock of the local workspace', command: set },
  advance: { summary: 'Move the clock of the local workspace forward', command: advance },
};
