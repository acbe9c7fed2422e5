import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import type { CommonFlags, Context, Target } from '../../src/cli/context.ts';
import type { CutOff, Host, Stream } from '../../src/cli/host.ts';
import { openContext } from '../../src/cli/open-context.ts';
import { runFn as run } from '../../src/cli/run.ts';
import type { Door } from '../../src/contract/index.ts';
import { type Clock, type ExitCode, systemClock } from '../../src/std/index.ts';

export interface Around {
  /** Default: the temporary folder, which is no app. */
  readonly cwd?: string;
  /** All of the environment; nothing of this process's leaks in. */
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; a terminal has none. */
  readonly input?: string | Uint8Array;
  /** Which streams are terminals. */
  readonly terminal?: { readonly in?: boolean; readonly out?: boolean; readonly err?: boolean };
  readonly columns?: number;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** Standard output is closed after so many bytes, as by `| head`. */
  readonly closedAfter?: number;
}

/** A process to run commands in, whose streams can be read back. */
export function aHost(around: Around = {}) {
  const out = aStream(around.terminal?.out ?? false, around.columns ?? 80, around.closedAfter);
  const err = aStream(around.terminal?.err ?? false, around.columns ?? 80);
  let cutOff: CutOff | undefined;
  const host: Host = {
    out: out.stream,
    err: err.stream,
    in: {
      isTerminal: around.terminal?.in ?? false,
      open: () => Readable.from(around.input === undefined ? [] : [Buffer.from(around.input)]),
    },
    env: around.env ?? {},
    cwd: around.cwd ?? tmpdir(),
    clock: around.clock ?? systemClock,
    version: '0.0.0-test',
    signal: around.signal ?? new AbortController().signal,
    ifCutOff(state) {
      cutOff = state;
    },
  };
  return { host, out: out.text, err: err.text, outBytes: out.bytes, cutOff: () => cutOff };
}

/** Runs a command line in this process, as `fn …` would. */
export async function runFn(
  argv: readonly string[],
  around: Around = {},
): Promise<{ exitCode: ExitCode; out: string; err: string }> {
  const { host, out, err } = aHost(around);
  const exitCode = await run(argv, host);
  return { exitCode, out: out(), err: err() };
}

/** A context for one command, with a door of the test's own if it gives one. */
export function aContext(around: Around & { readonly flags?: Partial<CommonFlags>; readonly door?: Door } = {}) {
  const { host, ...streams } = aHost(around);
  const flags: CommonFlags = { json: false, input: true, debug: false, profile: undefined, ...around.flags };
  const { context, end } = openContext(host, flags, undefined);
  const { door } = around;
  if (door === undefined) return { context, end, ...streams };
  const target: Target = {
    kind: 'embedded',
    slug: 'dev',
    baseUrl: undefined,
    profile: undefined,
    door,
    client: undefined,
    request: () => Promise.reject(new Error('this test has no raw requests')),
    close: async () => {},
  };
  const handed: Context = { ...context, door: async () => door, target: async () => target };
  return { context: handed, end, ...streams };
}

function aStream(isTerminal: boolean, columns: number, closedAfter = Number.POSITIVE_INFINITY) {
  const chunks: Buffer[] = [];
  const closed = new AbortController();
  let bytes = 0;
  const stream: Stream = {
    isTerminal,
    columns,
    closed: closed.signal,
    failure: undefined,
    write(text) {
      if (closed.signal.aborted) return;
      const chunk = Buffer.from(text);
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= closedAfter) closed.abort();
    },
    drained: async () => {},
  };
  return { stream, text: () => Buffer.concat(chunks).toString(), bytes: () => Buffer.concat(chunks) };
}
