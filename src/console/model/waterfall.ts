import type { Output } from '../../contract/index.ts';

type Invocation = Output<'invocations.show'>;
type Span = Output<'traces.show'>['spans'][number];

/** A row of a waterfall: something that took time, or a line of the console at its moment. */
export interface FallRow {
  readonly key: string;
  readonly kind: string;
  readonly name: string;
  readonly depth: number;
  /** Milliseconds since the beginning of the axis. */
  readonly atMs: number;
  /** null: a moment. */
  readonly ms: number | null;
  readonly isFailed: boolean;
  /** What stands beside the name unless all is well: `503`, `timeout`, `running`, `denied`. */
  readonly said?: string;
  readonly level?: string;
  /** What its own operation shows it by. */
  readonly ref?: string;
  /** Number of the call among the calls of its invocation. */
  readonly call?: number;
}

export interface Fall {
  readonly rows: readonly FallRow[];
  /** Length of the axis; at least 1. */
  readonly totalMs: number;
}

/** The calls and console lines of an invocation, by their time. */
export function fallOfInvocation(invocation: Invocation): Fall {
  const start = Date.parse(invocation.startedAt);
  const calls = invocation.calls.map(
    (call, index): FallRow => ({
      key: `call ${index}`,
      kind: call.kind,
      name: call.name,
      depth: 0,
      atMs: call.startedMs,
      ms: call.ms,
      isFailed: !isOk(call.status),
      ...(!isOk(call.status) && { said: call.status }),
      call: index,
    }),
  );
  const logs = invocation.logs.map(
    (line, index): FallRow => ({
      key: `log ${index}`,
      kind: line.level,
      name: line.text,
      depth: 0,
      atMs: Math.max(0, Date.parse(line.at) - start),
      ms: null,
      isFailed: false,
      level: line.level,
    }),
  );
  const below = [...calls, ...logs].sort((a, b) => a.atMs - b.atMs);
  const totalMs = below.reduce(
    (most, { atMs, ms }) => Math.max(most, atMs + (ms ?? 0)),
    Math.max(1, invocation.wallMs),
  );
  const whole: FallRow = {
    key: 'whole',
    kind: 'function',
    name: invocation.function,
    depth: 0,
    atMs: 0,
    ms: invocation.wallMs,
    isFailed: false,
  };
  return { rows: [whole, ...below], totalMs };
}

/** The spans of a trace: each below what caused it, in the order of their beginning. */
export function fallOfSpans(spans: readonly Span[]): Fall {
  if (spans.length === 0) return { rows: [], totalMs: 1 };
  // Not all as arguments of one call: there may be thousands.
  const start = spans.reduce(
    (least, { startedAt }) => Math.min(least, Date.parse(startedAt)),
    Number.POSITIVE_INFINITY,
  );
  const below = new Map<string | null, Span[]>();
  const ids = new Set(spans.map(({ id }) => id));
  for (const span of spans) {
    const parent = span.parentId !== null && span.parentId !== span.id && ids.has(span.parentId) ? span.parentId : null;
    const list = below.get(parent);
    if (list) list.push(span);
    else below.set(parent, [span]);
  }
  const rows: FallRow[] = [];
  const seen = new Set<Span>();
  // By hand instead of by recursion: a chain of causes may be as deep as there are spans.
  const waiting = (below.get(null) ?? []).map((span) => ({ span, depth: 0 })).reverse();
  const take = () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const { span, depth } = next;
      if (seen.has(span)) continue;
      seen.add(span);
      rows.push(rowOf(span, depth, start));
      const children = below.get(span.id) ?? [];
      for (const child of [...children].reverse()) waiting.push({ span: child, depth: depth + 1 });
    }
  };
  take();
  // What causes itself in a circle begins nowhere.
  for (const span of spans) {
    if (seen.has(span)) continue;
    waiting.push({ span, depth: 0 });
    take();
  }
  let totalMs = 1;
  for (const { atMs, ms } of rows) totalMs = Math.max(totalMs, atMs + (ms ?? 0));
  return { rows, totalMs };
}

function rowOf(span: Span, depth: number, start: number): FallRow {
  const isMoment = span.ms === 0 && span.kind !== 'invocation';
  const isLog = span.kind === 'log';
  const isFailed = isLog ? span.status === 'error' : !isOk(span.status) && !unfailed.has(span.status);
  return {
    key: span.id,
    kind: span.kind,
    name: span.name,
    depth,
    atMs: Date.parse(span.startedAt) - start,
    ms: isMoment ? null : span.ms,
    isFailed,
    ...(!isLog && !isOk(span.status) && { said: span.status }),
    ...(isLog && { level: span.status === 'ok' ? 'info' : span.status }),
    ref: span.ref,
  };
}

/** Of what is under way, of what somebody has decided or stopped, and of a question that nobody answered: nothing went wrong. */
const unfailed: ReadonlySet<string> = new Set([
  ...['requested', 'queued', 'running', 'waiting', 'awaitingConfirmation', 'open'],
  ...['allowed', 'denied', 'expired', 'cancelled'],
]);

/** `ok`, or the status of an HTTP answer that is no error. */
function isOk(status: string): boolean {
  return status === 'ok' || /^[123]\d\d$/.test(status);
}

/** Marks of an axis: at most six round steps. */
export function ticksOf(totalMs: number): number[] {
  const rough = totalMs / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= rough) ?? rough;
  const ticks: number[] = [];
  for (let at = 0; at < totalMs * 0.95; at += step) ticks.push(at);
  return ticks;
}
