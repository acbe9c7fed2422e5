import { newId, newSigningSecret, signMessage, wait } from '../../std/index.ts';
import { Budget, defaultBudget } from '../budget/budget.ts';
import { createPrices } from '../budget/prices.ts';
import { customHarness } from '../custom/custom.ts';
import { buildLegRequest, type LegRequest } from '../custom/request.ts';
import { addEvent, noProgress } from '../progress.ts';
import { handoverTool } from '../run-tools.ts';
import { TransportFailure } from '../transport.ts';
import type {
  HarnessConfig,
  OpenDoor,
  RunDoor,
  RunEvent,
  RunHost,
  RunInput,
  RunLimits,
  RunProgress,
  ToolSpec,
} from '../types.ts';
import { type PostedReply, postRaw, readEvents } from './post-raw.ts';

/** A scenario fails with what the server did and what it must do. */
export class BrokenRule extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BrokenRule';
  }
}

/** The server does not answer any more: what comes next could not be told from this. */
export class ServerGone extends BrokenRule {}

/** A scenario that this server does not take part in, and why. */
export class NotApplicable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotApplicable';
  }
}

export interface Scenario {
  readonly name: string;
  /** What a server must do. */
  readonly rule: string;
  play(server: CheckedServer): Promise<void>;
}

/** The server that is checked. */
export interface CheckedServer {
  readonly harness: HarnessConfig;
  readonly limits: RunLimits;
  readonly signal: AbortSignal;
  readonly openDoor?: ((runId: string, door: RunDoor) => OpenDoor | undefined) | undefined;
}

const echo: ToolSpec = {
  name: 'check_echo',
  description: 'Gives back a code for a value',
  input: {
    type: 'object',
    properties: { value: { type: 'string' } },
    required: ['value'],
    additionalProperties: false,
  },
  readOnly: true,
};

const greeting = 'Hello! Please answer with one short sentence.';
const value = 'A-1017';
const askForEcho = `Please call the tool check_echo with {"value":"${value}"} and tell me the code that it gives back.`;

/** How a server for the custom kind is checked, one rule each. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'hello',
    rule: 'It answers a greeting with text.',
    async play(server) {
      const { events } = await run(server, greeting);
      expectStatus(events, 'completed');
      if (textOf(events).trim() === '') throw new BrokenRule('It answered a greeting without any text.');
    },
  },
  {
    name: 'tool-by-leg',
    rule: 'It asks for a tool, and goes on with the result in the next leg.',
    async play(server) {
      const { events, calls, code } = await run(server, askForEcho, { tools: [echo] });
      expectStatus(events, 'completed');
      if (calls.length === 0) throw new BrokenRule('It did not call check_echo, though it was asked to.');
      const [call] = calls;
      const given = (call?.args as { value?: unknown } | undefined)?.value;
      if (given !== value) {
        throw new BrokenRule(
          `It called check_echo with ${JSON.stringify(call?.args)} instead of {"value":"${value}"}.`,
        );
      }
      if (!textOf(events).includes(code)) throw new BrokenRule(`It does not tell the result of the tool, ${code}.`);
    },
  },
  {
    name: 'tool-inline',
    rule: 'It calls a tool through the run’s own MCP endpoint.',
    async play(server) {
      const { openDoor } = server;
      if (openDoor === undefined) throw new NotApplicable('This check serves no MCP endpoint.');
      const inline: string[] = [];
      const runId = newId('run');
      const { events, code } = await run(server, askForEcho, { runId, tools: [echo] }, (door) =>
        openDoor(runId, {
          ...door,
          async callTool(name, args) {
            inline.push(name);
            return await door.callTool(name, args);
          },
        }),
      );
      if (inline.length === 0) throw new NotApplicable('It called no tool through the MCP endpoint of its run.');
      expectStatus(events, 'completed');
      if (!textOf(events).includes(code)) throw new BrokenRule(`It does not tell the result of the tool, ${code}.`);
    },
  },
  {
    name: 'handover',
    rule: 'It hands over when the customer asks for a person.',
    async play(server) {
      const { events } = await run(server, 'Please hand me over to a human being.');
      expectStatus(events, 'handedOver', 'It was asked to hand over to a person, by the tool handover_to_human');
    },
  },
  {
    name: 'interrupt',
    rule: 'After a question of its own it goes on with the answer, in the next leg.',
    async play(server) {
      const say = 'Please ask for my approval before you answer.';
      const first = await run(server, say);
      const asked = first.events.find((event) => event.type === 'interrupt');
      if (asked === undefined) throw new NotApplicable('It asked nothing.');
      const payload = { approved: true };
      const resume = asked.interrupts.map(({ id }) => ({ interruptId: id, status: 'resolved' as const, payload }));
      const second = await run(server, say, { progress: first.progress, resume, runId: first.runId });
      expectStatus(second.events, 'completed', 'After the answer to its question it must go on');
      if (textOf(second.events).trim() === '')
        throw new BrokenRule('After the answer to its question it says nothing.');
    },
  },
  {
    name: 'cancel',
    rule: 'When the connection is closed in the middle of its answer, it goes on serving others.',
    async play(server) {
      const request = aRequest(server, greeting);
      await send(server, request, { hangUp: 'after-first-byte' });
      await expectAlive(server, 'After a run was cancelled');
    },
  },
  {
    name: 'budget',
    rule: 'It asks for no tool when the budget has no tool call left.',
    async play(server) {
      const budget = aBudget({ maxToolCalls: 0 });
      const { events } = await run(server, askForEcho, { tools: [echo], budget });
      const asked = events.find((event) => event.type === 'toolCall.requested');
      if (asked !== undefined) {
        throw new BrokenRule('It asks for check_echo, though forwardedProps.budget.left.toolCalls is 0.');
      }
      expectStatus(events, 'completed', 'Without tools it must answer as well as it can');
    },
  },
  {
    name: 'slow',
    rule: 'It waits for the whole request, also if it arrives in pieces.',
    async play(server) {
      const request = aRequest(server, greeting);
      const reply = await send(server, request, { pieces: 4 });
      await expectAnswer(reply, request, server, 'To a request that arrives in pieces');
    },
  },
  {
    name: 'cut',
    rule: 'A request that is cut off does no harm.',
    async play(server) {
      await send(server, aRequest(server, greeting), { hangUp: 'in-the-middle' });
      await expectAlive(server, 'After a request was cut off');
    },
  },
  {
    name: 'garbage',
    rule: 'It refuses a request that is no JSON with a status from 400 to 499, and goes on.',
    async play(server) {
      const { status } = await send(server, { ...aRequest(server, greeting), body: '{"threadId": 1,' });
      if (status < 400 || status > 499) {
        throw new BrokenRule(`It answers ${status} to a request that is no JSON; it must refuse it with 400.`);
      }
      await expectAlive(server, 'After a request that is no JSON');
    },
  },
  {
    name: 'wrong-secret',
    rule: 'It refuses requests that are not signed with its secret, or not just now, with 401 or 403.',
    async play(server) {
      if ((server.harness.secrets ?? []).length === 0) throw new NotApplicable('There is no secret to check with.');
      const request = aRequest(server, greeting);
      const now = Math.floor(Date.now() / 1_000);
      const other = { ...server.harness, secrets: [newSigningSecret()] };
      const signed = signHeaders(server.harness, request, now);
      const tries: readonly (readonly [string, Record<string, string>])[] = [
        ['signed with another secret', signHeaders(other, request, now)],
        ['without a signature', {}],
        ['whose body was changed', signHeaders(server.harness, { ...request, body: `${request.body} ` }, now)],
        ['whose id was changed', { ...signed, 'webhook-id': `${request.runId}0` }],
        ['signed ten minutes ago', signHeaders(server.harness, request, now - 600)],
      ];
      for (const [what, headers] of tries) {
        const { status } = await postRaw(server, request.body, headers);
        if (status !== 401 && status !== 403) throw new BrokenRule(`It answers ${status} to a request ${what}.`);
      }
    },
  },
  {
    name: 'replayed-id',
    rule: 'It refuses a request whose id it has answered already, with 409.',
    async play(server) {
      const request = aRequest(server, greeting);
      await expectAnswer(await send(server, request), request, server, 'To a greeting');
      const { status } = await send(server, request);
      if (status !== 409) throw new BrokenRule(`It answers ${status} to the same webhook-id again; it must be 409.`);
    },
  },
  {
    name: 'unknown-field',
    rule: 'It ignores fields that it does not know.',
    async play(server) {
      const request = aRequest(server, greeting);
      const body = JSON.parse(request.body);
      body.inventedLater = { a: [1] };
      body.forwardedProps.inventedLater = true;
      for (const message of body.messages) message.inventedLater = null;
      const changed = { ...request, body: JSON.stringify(body) };
      await expectAnswer(await send(server, changed), request, server, 'To a request with unknown fields');
    },
  },
];

interface Played {
  readonly runId: string;
  readonly events: readonly RunEvent[];
  readonly progress: RunProgress;
  readonly calls: readonly { readonly args: unknown }[];
  /** What the tool gives back. */
  readonly code: string;
}

async function run(
  server: CheckedServer,
  say: string,
  more: Partial<RunInput> = {},
  openDoor?: RunHost['openDoor'],
): Promise<Played> {
  const input = anInput(server, say, more);
  const code = `CODE-${newId('c').slice(-6)}`;
  const calls: { args: unknown }[] = [];
  const host: RunHost = {
    ...(openDoor && { openDoor }),
    async callTool(name, args) {
      calls.push({ args });
      if (name === echo.name) return { status: 'ok', content: JSON.stringify({ code }) };
      if (name === handoverTool.name) return { status: 'ok', content: 'handed over' };
      return {
        status: 'error',
        content: 'no such tool',
        error: { code: 'tool_unknown', message: 'There is no such tool' },
      };
    },
  };
  const events: RunEvent[] = [];
  for await (const event of customHarness.run(input, host)) events.push(event);
  const progress = events.reduce(addEvent, input.progress ?? noProgress);
  return { runId: input.runId, events, progress, calls, code };
}

function anInput({ harness, limits, signal }: CheckedServer, say: string, more: Partial<RunInput>): RunInput {
  return {
    runId: newId('run'),
    harness,
    instructions: 'You help the customers of a shop. Answer in one short sentence.',
    messages: [{ role: 'user', id: newId('msg'), content: say }],
    models: { main: 'check' },
    budget: aBudget({}),
    signal,
    limits,
    ...more,
    tools: [...(more.tools ?? []), handoverTool],
  };
}

function aBudget(limits: Partial<Budget['limits']>): Budget {
  return new Budget({ ...defaultBudget, ...limits }, { prices: createPrices() });
}

function aRequest(server: CheckedServer, say: string): LegRequest {
  const leg = { number: 1, soFar: [], state: {}, resume: undefined };
  return buildLegRequest(anInput(server, say, {}), leg, server.limits.requestBytes);
}

function signHeaders(
  { secrets = [] }: HarnessConfig,
  { runId, body }: LegRequest,
  timestamp: number,
): Record<string, string> {
  return secrets.length === 0 ? {} : { ...signMessage({ id: runId, timestamp, body }, secrets) };
}

async function send(
  server: CheckedServer,
  request: LegRequest,
  how: Parameters<typeof postRaw>[3] = {},
): Promise<PostedReply> {
  const headers = signHeaders(server.harness, request, Math.floor(Date.now() / 1_000));
  return await postRaw(server, request.body, headers, how);
}

async function expectAnswer(
  reply: PostedReply,
  request: LegRequest,
  server: CheckedServer,
  when: string,
): Promise<void> {
  if (reply.status !== 200) throw new BrokenRule(`${when} it answers ${reply.status} instead of 200.`);
  const problem = await readEvents(reply, request, server);
  if (problem !== undefined) throw new BrokenRule(`${when} it answers wrongly: ${problem}`);
}

/** How long a server gets to notice a closed connection. */
const noticeMs = 100;

async function expectAlive(server: CheckedServer, when: string): Promise<void> {
  await wait(noticeMs, server.signal);
  const request = aRequest(server, greeting);
  try {
    await expectAnswer(await send(server, request), request, server, 'To a greeting');
  } catch (error) {
    if (!(error instanceof BrokenRule || error instanceof TransportFailure)) throw error;
    throw new ServerGone(`${when} it serves nobody any more: ${error.message}`);
  }
}

function expectStatus(events: readonly RunEvent[], status: string, rule?: string): void {
  const error = events.find((event) => event.type === 'error');
  if (error !== undefined) throw new BrokenRule(`${error.message} (${error.code})`);
  const done = events.findLast((event) => event.type === 'done');
  if (done?.status === status) return;
  throw new BrokenRule(`${rule ?? 'It must answer'}; the run ended as ${done?.status}.`);
}

function textOf(events: readonly RunEvent[]): string {
  return events.flatMap((event) => (event.type === 'message' ? [event.text] : [])).join('\n');
}
