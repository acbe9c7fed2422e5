import type { ParsedInput } from '../../contract/index.ts';
import { isRecorded, type Past, type StreamedLine } from '../invoke/log-stream.ts';
import { type EventStream, mostBuffered } from './event-stream.ts';
import type { Exchange } from './exchange.ts';
import type { HttpParts } from './parts.ts';

/** The past lines that the query selects, if there is no cursor to resume from. */
async function pastOf(
  { logStream }: HttpParts,
  { limit: _, cursor, ...query }: ParsedInput<'functions.logs'>,
): Promise<Past> {
  if (cursor !== undefined) return logStream.afterPage(query, cursor);
  return query.since === undefined ? { lines: [] } : logStream.since(query.app, Date.parse(query.since));
}

/** `GET /apps/:app/logs` as an event stream: the lines after a cursor, then every line as it is written. */
export async function followLogs(
  parts: HttpParts,
  exchange: Exchange,
  input: ParsedInput<'functions.logs'>,
): Promise<void> {
  const { logStream, apps } = parts;
  const { app } = input;
  await apps.requireSource(app);
  const early: StreamedLine[] = [];
  let earlyLength = 0;
  let stream: EventStream | undefined;
  let live: ((line: StreamedLine) => void) | undefined;
  // Start following before reading the past, so that no line is missed in between.
  const unfollow = logStream.follow(app, (line) => {
    if (live) return live(line);
    early.push(line);
    earlyLength += line.text.length;
    if (earlyLength > mostBuffered) stream?.drop();
  });
  const cursor = exchange.request.headers['last-event-id'];
  let past: Past;
  try {
    past = await (typeof cursor === 'string' ? logStream.after(app, cursor) : pastOf(parts, input));
  } catch (error) {
    unfollow();
    throw error;
  }
  const opened = parts.streams.open(exchange, unfollow);
  stream = opened;
  const tell = (line: StreamedLine) => {
    if (input.function !== undefined && line.function !== input.function) return;
    const { cursor: id, ...data } = line;
    opened.send('log', data, id);
  };
  if (past.missed !== undefined) opened.send('gap', { missed: past.missed });
  const told = new Set(past.lines.map((line) => line.cursor));
  // A recorded line has another cursor than the same line live; once an invocation is recorded, all of its lines are.
  const recorded = new Set(past.lines.filter(isRecorded).map(({ invocationId }) => invocationId));
  // Wait for the reader: the past may be larger than the limit of unread bytes.
  for (const line of past.lines) {
    tell(line);
    await opened.room();
  }
  if (past.isCut) opened.send('gap', { missed: null });
  for (const line of early) {
    earlyLength -= line.text.length;
    if (told.has(line.cursor) || recorded.has(line.invocationId)) continue;
    tell(line);
    await opened.room();
  }
  live = tell;
}
