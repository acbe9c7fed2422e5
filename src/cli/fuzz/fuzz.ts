import type { JsonSchema } from '../../contract/function-config/index.ts';
import type { ErrorCode } from '../../contract/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import { brokenInput, smallest, validInput } from './inputs.ts';

export interface FuzzFinding {
  readonly kind: 'crash' | 'timeout' | 'memory' | 'output';
  readonly code: string;
  readonly message: string;
  /** The smallest input that was found for it. */
  readonly input: unknown;
  /** How many of the inputs led to it. */
  readonly count: number;
}

export interface FuzzReport {
  readonly seed: number;
  readonly runs: number;
  /** Inputs that match the schema and were answered. */
  readonly answered: number;
  /** Inputs that the tool refused by throwing a plain Error: the model reads why. */
  readonly refusedByTool: number;
  /** Inputs that the schema refused; the tool did not see them. */
  readonly refusedBySchema: number;
  /** Inputs at which the tool failed because it may not reach the network: nothing is said about them. */
  readonly refusedByNetwork: number;
  readonly findings: readonly FuzzFinding[];
}

export interface FuzzOptions {
  readonly input: JsonSchema;
  readonly seed: number;
  readonly runs: number;
  readonly signal: AbortSignal;
  /** Runs the tool. @throws WorkspaceError if it fails or the input does not match */
  readonly run: (input: unknown) => Promise<void>;
  /** How many requests of the tool were refused so far because it may not reach the network. */
  readonly refusedFetches: () => number;
  readonly progress: (done: number) => void;
}

type Outcome =
  | 'answered'
  | 'refusedByTool'
  | 'refusedBySchema'
  | 'refusedByNetwork'
  | Omit<FuzzFinding, 'input' | 'count'>;

/** Runs a tool with inputs made from its schema: of three, two that match and one that is broken. */
export async function fuzzTool(options: FuzzOptions): Promise<FuzzReport> {
  const { seed, runs, signal } = options;
  const counts = { answered: 0, refusedByTool: 0, refusedBySchema: 0, refusedByNetwork: 0 };
  const found = new Map<string, { first: FuzzFinding; count: number }>();
  for (let i = 0; i < runs; i++) {
    signal.throwIfAborted();
    const own = (seed + i * 0x9e3779b1) >>> 0;
    const valid = validInput(options.input, own);
    const input = i % 3 === 2 ? brokenInput(valid, own) : valid;
    const outcome = await outcomeOf(options, input);
    options.progress(i + 1);
    if (typeof outcome === 'string') {
      counts[outcome]++;
      continue;
    }
    const known = found.get(keyOf(outcome));
    if (known) known.count++;
    else found.set(keyOf(outcome), { first: { ...outcome, input, count: 1 }, count: 1 });
  }
  const findings: FuzzFinding[] = [];
  for (const [key, { first, count }] of found) {
    const input = await smallest(first.input, async (smaller) => {
      const outcome = await outcomeOf(options, smaller);
      return typeof outcome !== 'string' && keyOf(outcome) === key;
    });
    findings.push({ ...first, input, count });
  }
  return { seed, runs, ...counts, findings };
}

/** Failures of one kind whose messages differ in what they quote are one finding. */
const keyOf = ({ kind, message }: Omit<FuzzFinding, 'input' | 'count'>) =>
  `${kind} ${message.replaceAll(/"[^"]*"|'[^']*'|\d+/g, '…').slice(0, 200)}`;

const kinds: Partial<Record<ErrorCode, FuzzFinding['kind']>> = {
  function_failed: 'crash',
  function_crashed: 'crash',
  function_timeout: 'timeout',
  function_memory: 'memory',
  result_invalid: 'output',
  result_too_large: 'output',
};

async function outcomeOf({ run, refusedFetches }: FuzzOptions, input: unknown): Promise<Outcome> {
  const refusedBefore = refusedFetches();
  try {
    await run(input);
    return 'answered';
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    const code = error.code as ErrorCode;
    if (code === ('function_input_invalid' satisfies ErrorCode)) return 'refusedBySchema';
    const kind = kinds[code];
    if (kind === undefined) throw error;
    // It fails as it would without a connection; what it does with an answer was not seen.
    if (kind === 'crash' && refusedFetches() > refusedBefore) return 'refusedByNetwork';
    const { name } = (error.details?.['error'] ?? {}) as { name?: string };
    // A tool that throws an Error, or passes on what sdk refused, tells the model something.
    if (
      code === ('function_failed' satisfies ErrorCode) &&
      !/^(?:Type|Range|Reference|Syntax|URI)Error$/.test(name ?? '')
    )
      return 'refusedByTool';
    return { kind, code, message: error.message };
  }
}
