import {
  addEvent,
  Budget,
  createPrices,
  defaultBudget,
  handoverTool,
  harnessAdapters,
  noProgress,
  type RunEvent,
  type RunHost,
  type RunInput,
  type RunMessage,
  type RunStatus,
  type ToolSpec,
} from '../../agent/index.ts';
import type { ServedDoors } from '../../emulator/index.ts';
import { newId } from '../../std/index.ts';

/** A tool that always gives this. */
export interface MockTool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  /** `human`: a person is asked first, and allows it. */
  readonly confirm?: 'never' | 'human' | undefined;
}

const order = {
  type: 'object',
  properties: { orderId: { type: 'string' } },
  required: ['orderId'],
  additionalProperties: false,
};

export const sampleTools: readonly MockTool[] = [
  { name: 'order_status', description: 'The status of an order', input: order, result: { status: 'shipped' } },
  { name: 'cancel_order', description: 'Cancels an order', input: order, result: true, confirm: 'human' },
];

export interface MockOptions {
  readonly url: string;
  readonly secret: string | undefined;
  readonly instructions: string;
  readonly tools: readonly MockTool[];
  readonly say: readonly string[];
  readonly doors: ServedDoors['doors'];
  readonly signal: AbortSignal;
}

/** What happens between the platform and the server. */
export type Played =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'event'; readonly event: RunEvent }
  | { readonly type: 'allow'; readonly what: string }
  | { readonly type: 'end'; readonly status: RunStatus };

/** Plays the platform towards an agent's server: one run for each message of a customer, in one conversation. A person allows everything. */
export async function* playPlatform(options: MockOptions): AsyncGenerator<Played, void> {
  const { url, secret, instructions, say, doors, signal } = options;
  const conversationId = newId('cnv');
  const messages: RunMessage[] = [];
  let state: unknown;
  for (const text of say) {
    yield { type: 'say', text };
    messages.push({ role: 'user', id: newId('msg'), content: text });
    const runId = newId('run');
    const allowed = new Set<string>();
    let progress = noProgress;
    let resume: RunInput['resume'];
    for (;;) {
      const input: RunInput = {
        runId,
        harness: { kind: 'custom', name: 'mock', baseUrl: url, secrets: secret === undefined ? [] : [secret] },
        instructions,
        messages,
        progress,
        tools: [...options.tools.map(toSpec), handoverTool],
        models: { main: 'custom' },
        budget: new Budget(defaultBudget, { prices: createPrices() }),
        signal,
        state,
        resume,
        about: {
          environment: 'mock',
          agent: { id: 'aia_mock', name: 'mock' },
          conversation: { id: conversationId, channel: 'web' },
        },
      };
      let status: RunStatus = 'failed';
      let waits: Extract<RunEvent, { type: 'interrupt' }>['interrupts'] = [];
      for await (const event of harnessAdapters.custom.run(input, hostOf(options.tools, allowed, doors, runId))) {
        progress = addEvent(progress, event);
        if (event.type === 'done') status = event.status;
        else yield { type: 'event', event };
        if (event.type === 'message') messages.push({ role: 'assistant', id: event.messageId, content: event.text });
        if (event.type === 'state') state = event.state;
        if (event.type === 'interrupt') waits = event.interrupts;
      }
      if (status !== 'waiting') {
        yield { type: 'end', status };
        break;
      }
      const asked = waits.filter(({ kind }) => kind === 'agent');
      for (const { toolCallId, message, reason } of waits) {
        if (toolCallId !== undefined) allowed.add(toolCallId);
        yield { type: 'allow', what: message ?? reason };
      }
      const payload = { approved: true };
      resume =
        asked.length === 0 ? undefined : asked.map(({ id }) => ({ interruptId: id, status: 'resolved', payload }));
    }
  }
}

function toSpec({ name, description, input, confirm = 'never' }: MockTool): ToolSpec {
  return { name, description, input, confirm, readOnly: confirm === 'never', source: 'function' };
}

function hostOf(
  tools: readonly MockTool[],
  allowed: ReadonlySet<string>,
  doors: ServedDoors['doors'],
  runId: string,
): RunHost {
  return {
    async callTool(name, args, { toolCallId }) {
      if (name === handoverTool.name) return { status: 'ok', content: 'A person takes over.' };
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) return failed('tool_unknown', `There is no tool "${name}" in this run`);
      if (args === undefined) return failed('tool_invalid_arguments', 'The arguments are no JSON');
      if (tool.confirm === 'human' && !allowed.has(toolCallId))
        return { status: 'awaitingConfirmation', content: `May ${name} be called?`, confirmationId: newId('cfm') };
      return { status: 'ok', content: JSON.stringify(tool.result), result: tool.result };
    },
    openDoor: (door) => doors.open(runId, door),
  };
}

function failed(code: string, message: string) {
  const error = { code, message, retryable: true };
  return { status: 'error' as const, content: JSON.stringify({ error }), error };
}
