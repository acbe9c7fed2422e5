import { nextRuns } from '../../contract/function-config/index.ts';
import { listFunctionFiles, resolveFunctionName } from '../../project/index.ts';
import { ProjectError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { functionFailure } from '../failures/function-failure.ts';
import { type LiveFunction, liveFunctions } from '../functions/live-functions.ts';
import { logText } from '../terminal/log-text.ts';
import { listing, table } from '../terminal/table.ts';
import { countWithin } from '../values/count-within.ts';

interface Job {
  readonly name: string;
  readonly schedule: string;
  readonly timezone: string;
}

const see = ['functions'] as const;
const mostTimes = 100;
const name = { summary: 'Name of the cron job, or its last part if that is unique' } as const;

const list = defineCommand({
  description: 'Lists the cron jobs of this app and when each is due next, by the clock of the workspace.',
  examples: [{ line: 'fn cron list', does: 'lists the cron jobs', runs: true }],
  json: '{items: [{name, schedule, timezone, next}]}',
  see,
  async run(context) {
    const { io } = context;
    const [jobs, nowMs] = await Promise.all([cronJobs(context), workspaceTime(context)]);
    for (const name of await brokenFiles(context))
      io.err(`${name} does not build or has a wrong config, and is left out: fn build ${name}`);
    const items = jobs.map((job) => ({ ...job, next: timesOf(job, nowMs, 1)[0] ?? null }));
    io.results({ items }, 'There is no cron job. Make one: fn init nightly --type cron', () => {
      const rows = items.map((job) => [job.name, job.schedule, job.timezone, job.next ?? 'never again']);
      return listing(io, [['NAME', 'SCHEDULE', 'TIME ZONE', 'NEXT (UTC)'], ...rows], [2]);
    });
  },
});

const next = defineCommand({
  description:
    'Shows when a cron job is due next, by the clock of the workspace, in UTC and in the zone of its schedule.',
  arguments: { name },
  complete: { name: 'functions' },
  options: {
    count: {
      flag: '-n, --count <count>',
      summary: `How many times to show; default 5, at most ${mostTimes}`,
      type: 'count',
    },
  },
  examples: [{ line: 'fn cron next nightly-sync -n 10', does: 'shows the next ten times' }],
  json: '{name, schedule, timezone, items: [time]}',
  see,
  async run(context, { name: asked, count = 5 }) {
    countWithin('--count', count, mostTimes);
    const [jobs, nowMs] = await Promise.all([cronJobs(context), workspaceTime(context)]);
    const job = await jobNamed(context, jobs, asked);
    const items = timesOf(job, nowMs, count);
    context.io.results({ ...job, items }, `${job.name} is never due again (${job.schedule})`, () => {
      const local = new Intl.DateTimeFormat('en-GB', {
        timeZone: job.timezone,
        dateStyle: 'medium',
        timeStyle: 'long',
      });
      return table(items.map((time) => [time, local.format(new Date(time))]));
    });
  },
});

const run = defineCommand({
  description: 'Runs a cron job now, once, whatever its schedule. Its console output goes to standard error.',
  arguments: { name },
  complete: { name: 'functions' },
  examples: [{ line: 'fn cron run nightly-sync', does: 'runs it' }],
  json: '{invocationId, result, logs, wallMs, cpuMs}',
  see,
  async run(context, { name: asked }) {
    const job = await jobNamed(context, await cronJobs(context), asked);
    const { app } = await context.requireProject();
    const door = await context.door();
    const invoked = await door(
      'functions.invoke',
      { app, name: job.name, trigger: 'cron' },
      { signal: context.signal },
    );
    for (const { level, text } of invoked.logs) context.io.err(logText(context.io, level, text));
    context.io.result(invoked, () => JSON.stringify(invoked.result, null, 2));
  },
});

async function cronJobs(context: Context): Promise<Job[]> {
  const { app } = await context.requireProject();
  const functions = await liveFunctions(await context.door(), app, context.signal);
  return functions.filter(({ type }) => type === 'cron-job').map(jobOf);
}

function jobOf({ name, config }: LiveFunction): Job {
  const { schedule, timezone } = config;
  return { name, schedule: String(schedule), timezone: typeof timezone === 'string' ? timezone : 'UTC' };
}

async function jobNamed(context: Context, jobs: readonly Job[], asked: string): Promise<Job> {
  try {
    return resolveFunctionName(jobs, asked);
  } catch (error) {
    await explainMissing(context, asked);
    if (jobs.length > 0) throw error;
    throw new ProjectError('function_unknown', `There is no cron job ${asked}`, {
      hint: 'Create one: fn init nightly --type cron',
    });
  }
}

/** Explains why a function in this app is not a cron job. */
async function explainMissing(context: Context, asked: string): Promise<void> {
  const project = await context.requireProject();
  const files = await listFunctionFiles(project);
  const file = found(files, asked);
  if (file === undefined) return;
  const door = await context.door();
  try {
    const { type } = await door('functions.show', { app: project.app, name: file.name });
    if (type !== 'cron-job')
      throw new ProjectError('function_type_mismatch', `${file.name} is of type ${type}, not a cron job`, {
        hint:
          type === 'custom-view' ? 'See: fn cron list' : `See: fn cron list. To run this one: fn invoke ${file.name}`,
      });
  } catch (error) {
    throw await functionFailure(error, context.io, door, project.root);
  }
}

function found<T extends { readonly name: string }>(files: readonly T[], asked: string): T | undefined {
  try {
    return resolveFunctionName(files, asked);
  } catch {
    return undefined;
  }
}

/** Function files of the local workspace's app that are not live. */
async function brokenFiles(context: Context): Promise<string[]> {
  if ((await context.target()).kind === 'remote') return [];
  const project = await context.requireProject();
  const [files, live] = await Promise.all([
    listFunctionFiles(project),
    liveFunctions(await context.door(), project.app, context.signal),
  ]);
  const names = new Set(live.map(({ name }) => name));
  return files.flatMap(({ name }) => (names.has(name) ? [] : [name]));
}

async function workspaceTime(context: Context): Promise<number> {
  const { now } = await (await context.door())('workspace.show', {});
  return Date.parse(now);
}

function timesOf({ schedule, timezone }: Job, fromMs: number, count: number): string[] {
  return nextRuns(schedule, timezone, fromMs, count).map((ms) => new Date(ms).toISOString());
}

/** `fn cron …` */
export const commands = {
  list: { summary: 'List the cron jobs and when they run next', command: list },
  next: { summary: 'Show the next times a cron job will run', command: next },
  run: { summary: 'Run a cron job now', command: run },
};
