import {
  Budget,
  type BudgetLimits,
  createPrices,
  defaultBudget,
  type HarnessConfig,
  handoverTool,
  harnessAdapters,
  type RunEvent,
  type RunHost,
  type RunInput,
  type ToolResult,
  type ToolSpec,
} from '../../src/agent/index.ts';

export const orderStatus: ToolSpec = {
  name: 'order_status',
  description: 'The status of an order',
  input: {
    type: 'object',
    properties: { orderId: { type: 'string' } },
    required: ['orderId'],
    additionalProperties: false,
  },
  readOnly: true,
};

export const cancelOrder: ToolSpec = {
  ...orderStatus,
  name: 'cancel_order',
  description: 'Cancels an order',
  readOnly: false,
  confirm: 'human',
};

export const tools: readonly ToolSpec[] = [orderStatus, cancelOrder, handoverTool];

export interface MadeCall {
  readonly name: string;
  readonly args: unknown;
  readonly toolCallId: string;
}

/** A gate that checks as little as a test needs, and remembers what was called. */
export class Gate implements RunHost {
  readonly calls: MadeCall[] = [];
  readonly waits: number[] = [];
  /** Tool call → the answer of a person. */
  readonly answers = new Map<string, boolean>();
  readonly #scripts: Readonly<Record<string, unknown>>;
  readonly #answer: ((call: MadeCall) => ToolResult | Promise<ToolResult> | undefined) | undefined;

  constructor(
    scripts: Readonly<Record<string, unknown>> = {},
    answer?: (call: MadeCall) => ToolResult | Promise<ToolResult> | undefined,
  ) {
    this.#scripts = scripts;
    this.#answer = answer;
  }

  async callTool(name: string, args: unknown, { toolCallId }: { toolCallId: string }): Promise<ToolResult> {
    const call = { name, args, toolCallId };
    this.calls.push(call);
    const given = await this.#answer?.(call);
    if (given !== undefined) return given;
    if (!tools.some((tool) => tool.name === name)) return failed('tool_unknown', `There is no tool ${name}`);
    if (args === undefined) return failed('tool_invalid_arguments', 'the arguments are no JSON');
    if (name === 'cancel_order') {
      const allowed = this.answers.get(toolCallId);
      if (allowed === undefined) {
        return { status: 'awaitingConfirmation', content: 'Cancel the order?', confirmationId: `cfm_${toolCallId}` };
      }
      return allowed ? { status: 'ok', content: 'cancelled' } : { ...failed('tool_denied', 'no'), status: 'denied' };
    }
    if (name === 'handover_to_human') return { status: 'ok', content: 'handed over' };
    const { orderId } = args as { orderId: string };
    return { status: 'ok', content: `${orderId} shipped`, result: { status: 'shipped' } };
  }

  async readScript(name: string): Promise<unknown> {
    return this.#scripts[name];
  }

  async wait(ms: number): Promise<void> {
    this.waits.push(ms);
  }
}

export function failed(code: string, message: string): ToolResult {
  return { status: 'error', content: message, error: { code, message } };
}

export interface RunOptions extends Partial<Omit<RunInput, 'budget' | 'harness'>> {
  readonly say: string;
  readonly harness?: Partial<HarnessConfig>;
  readonly limitsOfBudget?: Partial<BudgetLimits>;
  readonly budget?: Budget;
  readonly gate?: Gate;
  /** Called with each event before the run goes on. */
  readonly onEvent?: (event: RunEvent) => void | Promise<void>;
}

export function inputOf({ say, harness, limitsOfBudget, budget, gate, onEvent, ...input }: RunOptions): RunInput {
  return {
    runId: 'run_1',
    instructions: 'You help with orders.',
    messages: [{ role: 'user', id: 'msg_1', content: say }],
    tools,
    models: { main: 'script:default' },
    budget: budget ?? new Budget({ ...defaultBudget, ...limitsOfBudget }, { prices: createPrices() }),
    signal: new AbortController().signal,
    ...input,
    harness: { kind: 'builtin', name: 'test', ...harness },
  };
}

/** Runs an agent to its end. */
export async function runAgent(options: RunOptions): Promise<RunEvent[]> {
  const input = inputOf(options);
  const events: RunEvent[] = [];
  for await (const event of harnessAdapters[input.harness.kind].run(input, options.gate ?? new Gate())) {
    events.push(event);
    await options.onEvent?.(event);
  }
  return events;
}

type EventOf<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>;

export function ofType<T extends RunEvent['type']>(events: readonly RunEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

export const textsOf = (events: readonly RunEvent[]): string[] => ofType(events, 'message').map(({ text }) => text);
export const statusOf = (events: readonly RunEvent[]): string | undefined => ofType(events, 'done').at(-1)?.status;
export const codeOf = (events: readonly RunEvent[]): string | undefined => ofType(events, 'error').at(-1)?.code;
