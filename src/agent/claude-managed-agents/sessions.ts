import type { TokenUsage } from '../budget/budget.ts';
import type { CallResult, HostedEvent, HostedService, HostedSession, SessionView } from '../hosted/service.ts';
import { askVendor, followSession, toLostSession, toSessionFailure } from '../hosted/session-stream.ts';
import { type RunErrorCode, RunFailure } from '../run-error.ts';
import type { RunInput } from '../types.ts';
import { toClientFailure } from '../vendors/client-failure.ts';
import type { ManagedAgentsClient, ModelUsage, SessionError, SessionEvent } from './client.ts';
import { type AgentDefinition, findEnvironment, forgetStored, pinAgent } from './stored.ts';

/** Sessions of Claude Managed Agents, for one run. */
export class ManagedAgentsSessions implements HostedService {
  readonly provider = 'anthropic';
  readonly fixed: unknown;
  readonly #client: ManagedAgentsClient;
  readonly #input: RunInput;
  readonly #definition: AgentDefinition;

  constructor(client: ManagedAgentsClient, input: RunInput) {
    this.#client = client;
    this.#input = input;
    this.#definition = {
      model: input.models.main,
      system: input.instructions,
      tools: input.tools.map(({ name, description, input: input_schema }) => ({
        type: 'custom',
        name,
        description,
        input_schema: { properties: {}, ...input_schema },
      })),
    };
    // A session gets its limit of money when it is made, or never; and it is told facts when it begins.
    const { facts = [] } = input;
    this.fixed = { ...this.#definition, hasMoneyLimit: this.#moneyLeft !== undefined, facts };
  }

  async *start(texts: readonly string[], signal: AbortSignal): AsyncGenerator<HostedEvent, void> {
    const session = await askVendor(() => this.#create(signal));
    yield { type: 'session', session };
    yield* this.#sendAndFollow(session, [toMessage(texts)], signal);
  }

  async *send(
    session: HostedSession,
    texts: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<HostedEvent, void> {
    const left = this.#moneyLeft;
    if (left !== undefined) {
      const { sessions } = this.#client;
      const { usage } = await askVendor(() => sessions.retrieve(session.id, {}, { signal }));
      const budget = limitOf(Math.ceil(Number(usage?.list_cost?.amount ?? 0)) + left);
      await askVendor(() => sessions.update(session.id, { budget }, { signal }));
    }
    yield* this.#sendAndFollow(session, [toMessage(texts)], signal);
  }

  async *answer(
    session: HostedSession,
    results: readonly CallResult[],
    signal: AbortSignal,
  ): AsyncGenerator<HostedEvent, void> {
    const events = results.map(({ externalId, content, isError }) => ({
      type: 'user.custom_tool_result',
      custom_tool_use_id: externalId,
      content: [{ type: 'text', text: content }],
      is_error: isError,
    }));
    const answered = results.map(({ externalId }) => externalId);
    yield* this.#sendAndFollow(session, events, signal, answered);
  }

  async look(session: HostedSession, signal: AbortSignal): Promise<SessionView | undefined> {
    const { sessions } = this.#client;
    try {
      const { status } = await sessions.retrieve(session.id, {}, { signal });
      if (status === 'terminated') return undefined;
      if (status !== 'idle') return { status: 'working', pending: [] };
      const pending = await this.#pendingOf(session, signal);
      return { status: pending.length > 0 ? 'waiting' : 'idle', pending };
    } catch (error) {
      if ((error as { status?: unknown }).status === 404) return undefined;
      throw toClientFailure(error);
    }
  }

  async cancel(session: HostedSession, signal: AbortSignal): Promise<void> {
    await this.#client.sessions.events.send(session.id, { events: [{ type: 'user.interrupt' }] }, { signal });
  }

  async #create(signal: AbortSignal): Promise<HostedSession> {
    const left = this.#moneyLeft;
    try {
      const { id, version } = await pinAgent(this.#client, this.#input, this.#definition, signal);
      const body = {
        agent: { type: 'agent', id, version },
        environment_id: await findEnvironment(this.#client, this.#input, signal),
        metadata: { fn_run: this.#input.runId },
        ...(left !== undefined && { budget: limitOf(left) }),
      };
      return { id: (await this.#client.sessions.create(body, { signal })).id };
    } catch (error) {
      forgetStored(this.#input);
      throw error;
    }
  }

  /** In whole US cents; undefined where money is not limited. */
  get #moneyLeft(): number | undefined {
    const { costUsd } = this.#input.budget.left;
    return costUsd === null ? undefined : Math.max(1, Math.ceil(costUsd * 100));
  }

  /** What the session last stopped for, without what was answered since. */
  async #pendingOf(session: HostedSession, signal: AbortSignal): Promise<string[]> {
    const answered = new Set<string>();
    for await (const event of this.#client.sessions.events.list(session.id, { order: 'desc' }, { signal })) {
      if (event.type === 'user.custom_tool_result') answered.add(event.custom_tool_use_id);
      if (event.type !== 'session.status_idle') continue;
      return (event.stop_reason.event_ids ?? []).filter((id) => !answered.has(id));
    }
    return [];
  }

  /** The stream is opened first: it tells only of what happens from then on. */
  async *#sendAndFollow(
    session: HostedSession,
    events: readonly object[],
    signal: AbortSignal,
    answered: readonly string[] = [],
  ): AsyncGenerator<HostedEvent, void> {
    const endpoint = this.#client.sessions.events;
    const open = async (options: { signal: AbortSignal }) => {
      const stream = await endpoint.stream(session.id, { event_deltas: ['agent.message'] }, options);
      await endpoint.send(session.id, { events }, options);
      return stream;
    };
    yield* followSession(signal, open, (stream) => this.#read(stream, answered));
  }

  /** Reads until the session is idle: it waits for us, or its turn is over. */
  async *#read(stream: AsyncIterable<SessionEvent>, answered: readonly string[]): AsyncGenerator<HostedEvent, void> {
    const seen = new Set<string>();
    const calls = new Map<string, Extract<HostedEvent, { type: 'call' }>>();
    let problem: SessionError | undefined;
    for await (const event of stream) {
      if ('id' in event && seen.has(event.id)) continue;
      if ('id' in event) seen.add(event.id);
      switch (event.type) {
        case 'span.model_request_start':
          yield { type: 'modelCall.started' };
          break;
        case 'span.model_request_end':
          yield { type: 'modelCall.ended', usage: toTokens(event.model_usage), failed: event.is_error === true };
          break;
        case 'event_delta':
          if (event.delta.content?.text) {
            yield { type: 'text.delta', itemId: event.event_id, text: event.delta.content.text };
          }
          break;
        case 'agent.message':
          yield { type: 'text', itemId: event.id, text: event.content.map(({ text }) => text ?? '').join('') };
          break;
        case 'agent.custom_tool_use': {
          const call = { type: 'call', externalId: event.id, name: event.name, arguments: event.input } as const;
          calls.set(event.id, call);
          yield call;
          break;
        }
        case 'session.error':
          problem = event.error;
          if (problem.retry_status?.type === 'terminal') throw this.#failureOf(problem);
          break;
        case 'session.status_terminated':
        case 'session.deleted':
          throw this.#failureOf(problem ?? { type: 'terminated', message: 'the session has ended' });
        case 'session.status_idle': {
          const { type, event_ids = [] } = event.stop_reason;
          if (type === 'end_turn') return;
          if (type === 'requires_action') {
            const open = event_ids.filter((id) => !answered.includes(id));
            if (open.length === 0) break;
            if (open.some((id) => calls.has(id))) return;
            throw new RunFailure('harness_protocol', 'The session waits for something that is no call of our tools', {
              hint: 'See the session in the vendor’s console.',
            });
          }
          if (type === 'budget_reached') {
            throw new RunFailure('budget_cost', 'The session has reached the limit of money that this run had left');
          }
          if (type === 'refusal') throw new RunFailure('model_empty_answer', 'The model refused to answer');
          throw this.#failureOf(problem ?? { type: 'retries_exhausted', message: 'the model could not be asked' });
        }
      }
    }
    throw toLostSession();
  }

  #failureOf({ type, message }: SessionError): RunFailure {
    const { apiKey } = this.#input.harness;
    return toSessionFailure(`The session failed (${type}): ${message}`, codesOf[type], { apiKey, where: 'console' });
  }
}

/** Why a session failed, in our words. */
const codesOf: Readonly<Record<string, RunErrorCode>> = {
  model_overloaded_error: 'model_unavailable',
  model_request_failed_error: 'model_unavailable',
  retries_exhausted: 'model_unavailable',
  model_rate_limited_error: 'model_rate_limited',
  billing_error: 'model_auth',
};

const toMessage = (texts: readonly string[]) => ({
  type: 'user.message',
  content: texts.map((text) => ({ type: 'text', text })),
});

const limitOf = (cents: number) => ({ type: 'limit', max_list_cost: { amount: String(cents), currency: 'USD' } });

function toTokens(usage: ModelUsage): TokenUsage {
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  return {
    inputTokens: input_tokens + cache_creation_input_tokens + cache_read_input_tokens,
    outputTokens: output_tokens,
    cachedInputTokens: cache_read_input_tokens,
    reasoningTokens: 0,
  };
}
