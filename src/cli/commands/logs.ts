import type { Output } from '../../contract/index.ts';
import { listFunctionFiles, resolveFunctionName } from '../../project/index.ts';
import { isRecord, ProjectError, UnreachableError, UsageError } from '../../std/index.ts';
import { defineCommand } from '../command.ts';
import type { Context, Target } from '../context.ts';
import { liveFunctions } from '../functions/live-functions.ts';
import { logEntry, shortLog } from '../terminal/log-text.ts';
import { appName, appOption } from '../values/app-name.ts';
import { countWithin } from '../values/count-within.ts';
import { sinceOf } from '../values/since.ts';
import { followStream } from '../workspaces/follow-stream.ts';

type Line = Output<'functions.logs'>['items'][number];

/** From the least to the most serious. */
const levels = ['debug', 'info', 'warn', 'error'] as const;

export const command = defineCommand({
  description: `Shows what the functions of an app logged, oldest first. With --follow, shows new lines as they are written. If the connection breaks, it reconnects and continues after the last line shown; if lines were lost, it says so.

Logs come from the workspace in use; "--profile local" shows those of this machine.`,
  arguments: { name: { summary: 'Function; default: all of the app', optional: true } },
  options: {
    follow: { flag: '-f, --follow', summary: 'Keep showing new lines until Ctrl-C' },
    since: { flag: '--since <time>', summary: 'Lines since this time: RFC 3339, or how long ago, such as 10m or 2h' },
    limit: {
      flag: '-l, --limit <count>',
      summary: 'Maximum number of past lines; default 200, with --follow 50',
      type: 'count',
    },
    level: {
      flag: '--level <level>',
      summary: 'Only lines of this level and above',
      choices: levels,
    },
    of: appOption,
  },
  examples: [
    { line: 'fn logs', does: 'shows the last 200 lines', runs: true },
    { line: 'fn logs api/orders/find -f', does: 'follows one function' },
    { line: 'fn logs --since 1h --level warn --json', does: 'prints one JSON object per line, for scripts' },
  ],
  json: 'One object per line: {at, level, text, function, invocationId}',
  see: ['logs'],
  complete: { name: 'functions' },
  async run(context, { name, follow, since, limit = follow ? 50 : 200, level, of }) {
    const { io, signal } = context;
    countWithin('--limit', limit);
    const from = since === undefined ? undefined : sinceOf(context, since);
    const app = await appName(context, of);
    const target = await context.target();
    const meant = name === undefined ? undefined : await functionMeant(context, target, app, name);
    const query = {
      app,
      ...(meant && { function: meant.name }),
      ...(from !== undefined && { since: from }),
    };
    const isWanted = (line: Line) => level === undefined || levels.indexOf(line.level) >= levels.indexOf(level);
    const show = shower(context, name === undefined, isWanted);
    const seen = await recent(target.door, query, { most: limit, isWanted }, signal);
    for (const line of seen.lines) show(line);
    if (!seen.any && meant?.problem) throw meant.problem;
    if (!follow) {
      if (seen.lines.length === 0)
        io.err(
          seen.any
            ? `Nothing was logged at level ${level} or above.`
            : `Nothing was logged ${from === undefined ? 'yet' : `since ${from}`}.`,
        );
      return;
    }
    if (target.client === undefined) {
      throw new UsageError('follow_needs_server', 'There is nothing to follow: "fn dev" is not running here', {
        hint: 'Start "fn dev", which shows the logs itself, or choose a remote workspace with --profile.',
      });
    }
    await followStream(context, target.client, {
      operation: 'functions.logs',
      input: query,
      from: seen.cursor,
      isFinal: (error) => error instanceof UnreachableError && error.code === lineInvalid,
      show: ({ type, data }) => {
        if (type === 'log') show(lineOf(data));
        else if (type === 'gap') io.err(gapText(data));
      },
    });
  },
});

/**
 * The function by its name or its last part. One that is gone may have logged before: what is wrong with the name counts only
 * where nothing was found under it.
 */
async function functionMeant(
  context: Context,
  { kind, door }: Target,
  app: string,
  asked: string,
): Promise<{ name: string; problem?: ProjectError }> {
  const project = kind === 'embedded' ? await context.project() : undefined;
  // In this process a list of the functions would build them all.
  const known: readonly { readonly name: string }[] =
    project?.app === app ? await listFunctionFiles(project) : await liveFunctions(door, app, context.signal);
  try {
    return { name: resolveFunctionName(known, asked).name };
  } catch (error) {
    if (!(error instanceof ProjectError) || error.code !== 'function_unknown') throw error;
    return { name: asked, problem: error };
  }
}

type Door = Awaited<ReturnType<Context['door']>>;
type Query = Parameters<typeof recentPage>[1];

function recentPage(
  door: Door,
  query: { app: string; function?: string; since?: string },
  page: { limit: number; cursor?: string },
  signal: AbortSignal,
) {
  return door('functions.logs', { ...query, ...page }, { signal });
}

/** The last lines in the order written. Pages come oldest first, so with a long history only the end is kept. */
async function recent(
  door: Door,
  query: Query,
  { most, isWanted }: { most: number; isWanted: (line: Line) => boolean },
  signal: AbortSignal,
): Promise<{ lines: Line[]; any: boolean; cursor: string | undefined }> {
  let lines: Line[] = [];
  let any = false;
  let cursor: string | undefined;
  let resume: string | undefined;
  for (let pages = 0; pages < 1_000; pages++) {
    const page = await recentPage(door, query, { limit: 200, ...(cursor !== undefined && { cursor }) }, signal);
    any ||= page.items.length > 0;
    lines = [...lines, ...page.items.map(checked).filter(isWanted)].slice(-most);
    resume = page.resumeCursor;
    if (!page.nextCursor || page.nextCursor === cursor) break;
    cursor = page.nextCursor;
  }
  return { lines, any, cursor: resume };
}

const lineInvalid = 'log_line_invalid';

/** @throws UnreachableError log_line_invalid */
function lineOf(data: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(data);
  } catch {}
  return checked(line);
}

/** @throws UnreachableError log_line_invalid */
function checked(line: unknown): Line {
  const isLine =
    isRecord(line) && isLevel(line['level']) && ['at', 'text', 'function'].every((m) => typeof line[m] === 'string');
  if (isLine) return line as Line;
  throw new UnreachableError(lineInvalid, 'The workspace sent something else than a line of a log', {
    hint: 'If this is your workspace, it uses another version of the API: update fn.',
  });
}

function gapText(data: string): string {
  let missed: unknown;
  try {
    missed = (JSON.parse(data) as { missed?: unknown }).missed;
  } catch {}
  return typeof missed === 'number' ? `${missed} lines were missed` : 'lines may have been missed';
}

const isLevel = (level: unknown): level is (typeof levels)[number] => (levels as readonly unknown[]).includes(level);

function shower({ io }: Context, withName: boolean, isWanted: (line: Line) => boolean): (line: Line) => void {
  const { style, outIsTerminal } = io;
  const paint = { debug: style.dim, info: (text: string) => text, warn: style.yellow, error: style.red };
  return (line) => {
    if (!isWanted(line)) return;
    const where = withName ? `${line.function} ` : '';
    io.item(line, () => {
      const text = outIsTerminal ? shortLog(line.text) : line.text;
      return logEntry(`${style.dim(line.at)} ${paint[line.level](line.level.padEnd(5))} ${style.dim(where)}${text}`);
    });
  };
}
