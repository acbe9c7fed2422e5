import { type JobKind, jobKinds } from '../../contract/index.ts';
import { defineCommand } from '../command.ts';
import { listing } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';

const see = ['background'] as const;
const id = { summary: 'Id of the job, job_…' } as const;
const maxShown = 200;

const list = defineCommand({
  description: 'Lists what runs later or ran lately, newest first: background calls, deliveries, schedules, waits.',
  options: {
    kind: { flag: '-k, --kind <kind>', summary: 'Only this kind', choices: jobKinds },
    state: {
      flag: '-s, --state <state>',
      summary: 'Only jobs in this state',
      choices: ['blocked', 'waiting', 'running', 'done', 'failed', 'aborted'],
    },
    limit: { flag: '-l, --limit <count>', summary: `How many; default 50, at most ${maxShown}`, type: 'count' },
  },
  examples: [
    { line: 'fn job list', does: 'lists the newest 50 jobs', runs: true },
    { line: 'fn job list --kind invocation --state failed --json', does: 'prints background calls that failed' },
  ],
  json: '{items: [job], nextCursor}',
  see,
  async run(context, { kind, state, limit = 50 }) {
    const { io, signal } = context;
    countWithin('--limit', limit, maxShown);
    const door = await context.door();
    const query = {
      limit,
      ...(kind !== undefined && { kind: kind as JobKind }),
      ...(state !== undefined && { state: state as 'waiting' }),
    };
    const page = await door('jobs.list', query, { signal });
    io.results(page, 'Nothing waits, and nothing ran lately', () => {
      const rows = page.items.map((job) => [
        job.id,
        job.kind,
        job.state,
        job.app === null ? '' : `${job.app}/${job.function}`,
        job.endedAt ?? job.dueAt,
        job.maxAttempts === null ? String(job.attempt) : `${job.attempt}/${job.maxAttempts}`,
      ]);
      return listing(io, [['ID', 'KIND', 'STATE', 'FUNCTION', 'DUE OR ENDED', 'TRIES'], ...rows], [3]);
    });
  },
});

const show = defineCommand({
  description: 'Shows a job with what it carries and how its last try ended.',
  arguments: { id },
  examples: [{ line: 'fn job show job_01JD…', does: 'shows it as JSON' }],
  json: 'The job, with payload',
  see,
  async run(context, given) {
    const job = await (await context.door())('jobs.show', { id: given.id }, { signal: context.signal });
    context.io.result(job, () => JSON.stringify(job, null, 2));
  },
});

const cancel = defineCommand({
  description: 'Cancels a background call that has not begun, or waits to be tried again.',
  arguments: { id },
  examples: [{ line: 'fn job cancel job_01JD…', does: 'cancels it' }],
  json: 'The job',
  see,
  async run(context, given) {
    const job = await (await context.door())('jobs.cancel', { id: given.id }, { signal: context.signal });
    context.io.result(job, () =>
      job.state === 'aborted' ? `Cancelled: ${job.id}` : `${job.id} had ended: ${job.state}`,
    );
  },
});

/** `fn job …` */
export const commands = {
  list: { summary: 'List what runs later or ran lately', command: list },
  show: { summary: 'Show a job with its last outcome', command: show },
  cancel: { summary: 'Cancel a background call', command: cancel },
};
