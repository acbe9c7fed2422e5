import { sha256Hex } from '../../std/index.ts';
import type { TokenUsage } from '../budget/budget.ts';
import type { CallResult, HostedEvent, HostedService, HostedSession, SessionView } from '../hosted/service.ts';
import { askVendor, followSession, toLostSession, toSessionFailure } from '../hosted/session-stream.ts';
import type { RunErrorCode, RunFailure } from '../run-error.ts';
import type { RunInput } from '../types.ts';
import { toClientFailure } from '../vendors/client-failure.ts';
import type { AgentsClient, Session, SessionEvent, Usage } from './client.ts';

/** Sessions of the Agents API, for one run. */
export class AgentsApiSessions implements HostedService {
  readonly provider = 'openai';
  readonly fixed: unknown;
  readonly #client: AgentsClient;
  readonly #input: RunInput;

  constructor(client: AgentsClient, input: RunInput) {
    this.#client = client;
    this.#input = input;
    const { instructions, models, tools } = input;
    // Inline: an agent that is saved would be one more for each change, and nobody would remove it.
    this.fixed = {
      model: models.main,
      instructions,
      tools: tools.map(({ name, description, input: parameters }) => ({
        type: 'function',
        name,
        description,
        parameters: { properties: {}, ...parameters },
      })),
    };
  }

  async *start(texts: readonly string[], signal: AbortSignal): AsyncGenerator<HostedEvent, void> {
    const limit = this.#spendLimit(0);
    const body = {
      agent: this.fixed,
      // Without a machine of the vendor's: all that it can do are our tools.
      environment: { type: 'none' },
      input: texts.map(toMessage),
      metadata: { fn_run: this.#input.runId },
      ...(limit !== undefined && { spend_control: { limit } }),
      stream: true,
      stream_options: { include_obfuscation: false },
    };
    yield* this.#follow(signal, (options) => this.#client.sessions.create(body, options));
  }

  async *send(
    session: HostedSession,
    texts: readonly string[],
    signal: AbortSignal,
  ): AsyncGenerator<HostedEvent, void> {
    const { sessions } = this.#client;
    if (this.#input.budget.left.costUsd !== null) {
      const { spend_control } = await askVendor(() => sessions.retrieve(session.id, { signal }));
      const limit = this.#spendLimit(spend_control?.consumed ?? 0);
      await askVendor(() => sessions.update(session.id, { spend_control: { limit } }, { signal }));
    }
    const event = { type: 'agent.session.input.message', input: texts.map(toMessage) };
    yield* this.#sendAndFollow(session, [event], signal);
  }

  async *answer(
    session: HostedSession,
    results: readonly CallResult[],
    signal: AbortSignal,
  ): AsyncGenerator<HostedEvent, void> {
    const events = results.map(({ externalId, content, isError }) => ({
      type: 'agent.session.input.tool_result',
      call_id: externalId,
      turn_id: session.turnId ?? '',
      success: !isError,
      ...(isError ? { error: content } : { output: content }),
    }));
    const answered = results.map(({ externalId }) => externalId);
    yield* this.#sendAndFollow(session, events, signal, answered);
  }

  async look(session: HostedSession, signal: AbortSignal): Promise<SessionView | undefined> {
    try {
      const { status, required_actions } = await this.#client.sessions.retrieve(session.id, { signal });
      if (status === 'failed') return undefined;
      const pending = required_actions.flatMap(({ call_id }) => call_id ?? []);
      return {
        status: status === 'requires_action' ? 'waiting' : status === 'in_progress' ? 'working' : 'idle',
        pending,
      };
    } catch (error) {
      if ((error as { status?: unknown }).status === 404) return undefined;
      throw toClientFailure(error);
    }
  }

  async cancel(session: HostedSession, signal: AbortSignal): Promise<void> {
    const events = [{ type: 'agent.session.input.cancel' }];
    await this.#client.sessions.events.create(session.id, { events }, { signal });
  }

  /** Of the session, in whole US cents; undefined where money is not limited. */
  #spendLimit(consumed: number): number | undefined {
    const { costUsd } = this.#input.budget.left;
    return costUsd === null ? undefined : consumed + Math.max(1, Math.ceil(costUsd * 100));
  }

  /** The stream is opened first: what comes of an event may come before its answer. */
  async *#sendAndFollow(
    session: HostedSession,
    events: readonly object[],
    signal: AbortSignal,
    answered: readonly string[] = [],
  ): AsyncGenerator<HostedEvent, void> {
    const { events: endpoint } = this.#client.sessions;
    // The same when it is sent again, so it counts once.
    const key = sha256Hex(JSON.stringify([this.#input.runId, session.id, events]));
    const open = async (options: { signal: AbortSignal }) => {
      const stream = await endpoint.stream(session.id, { include_obfuscation: false }, options);
      await endpoint.create(session.id, { events, 'Idempotency-Key': key }, options);
      return stream;
    };
    yield* this.#follow(signal, open, session, answered);
  }

  async *#follow(
    signal: AbortSignal,
    open: (options: { signal: AbortSignal }) => Promise<AsyncIterable<SessionEvent>>,
    session?: HostedSession,
    answered: readonly string[] = [],
  ): AsyncGenerator<HostedEvent, void> {
    yield* followSession(signal, open, (stream) => this.#read(stream, session, answered));
  }

  /** Reads until the session waits for us, or its turn is over and it is idle. */
  async *#read(
    stream: AsyncIterable<SessionEvent>,
    given: HostedSession | undefined,
    answered: readonly string[],
  ): AsyncGenerator<HostedEvent, void> {
    const seen = new Set<string>();
    let session = given;
    // Results belong to a turn that has begun before.
    let turnId = given?.turnId !== undefined && answered.length > 0 ? given.turnId : undefined;
    let hasEnded = false;
    for await (const event of stream) {
      if (event.event_id !== undefined && seen.has(event.event_id)) continue;
      if (event.event_id !== undefined) seen.add(event.event_id);
      switch (event.type) {
        case 'agent.session.created':
          session = { id: event.session.id };
          yield { type: 'session', session };
          break;
        case 'agent.session.turn.created':
          if (event.turn.subagent_id === null) turnId ??= event.turn_id;
          break;
        case 'agent.session.turn.output_text.delta':
          yield { type: 'text.delta', itemId: event.item_id, text: event.delta };
          break;
        case 'agent.session.turn.item.done':
          if (event.item.type === 'message' && event.item.role === 'assistant') {
            const text = (event.item.content ?? []).map((part) => part.text ?? '').join('');
            yield { type: 'text', itemId: event.item.id, text };
          }
          break;
        case 'agent.session.turn.failed':
          if (event.turn_id === turnId) throw this.#failureOf(event.turn.error);
          break;
        case 'agent.session.turn.completed':
        case 'agent.session.turn.cancelled':
          hasEnded ||= event.turn_id === turnId;
          break;
        case 'agent.session.requires_action': {
          const calls = callsOf(event.session, answered);
          if (calls.length === 0) break;
          yield* usageOf(event.session);
          const [{ turnId: waiting }] = calls as [(typeof calls)[number]];
          if (session !== undefined) yield { type: 'session', session: { id: session.id, turnId: waiting } };
          for (const { call } of calls) yield call;
          return;
        }
        case 'agent.session.idle':
          // It is idle when a stream is opened, too.
          if (!hasEnded) break;
          yield* usageOf(event.session);
          return;
        case 'agent.session.failed':
          throw this.#failureOf({ code: 'session_failed', message: event.session.error ?? 'the session failed' });
        case 'error':
          throw this.#failureOf({ code: event.error.code ?? 'error', message: event.error.message });
      }
    }
    throw toLostSession();
  }

  #failureOf(error: { readonly code: string; readonly message: string } | null): RunFailure {
    const { code = 'unknown', message = 'no reason was given' } = error ?? {};
    const { apiKey } = this.#input.harness;
    return toSessionFailure(`The turn failed (${code}): ${message}`, codesOf[code], { apiKey, where: 'dashboard' });
  }
}

/** Why a turn failed, in our words. */
const codesOf: Readonly<Record<string, RunErrorCode>> = {
  session_budget_exceeded: 'budget_cost',
  usage_limit_exceeded: 'model_rate_limited',
  project_spend_limit_exceeded: 'model_rate_limited',
  organization_spend_limit_exceeded: 'model_rate_limited',
  organization_usage_limit_exceeded: 'model_rate_limited',
  credit_balance_exhausted: 'model_rate_limited',
  rate_limit_exceeded: 'model_rate_limited',
  billing_not_active: 'model_auth',
  authentication_error: 'model_auth',
  server_overloaded: 'model_unavailable',
  connection_failed: 'model_unavailable',
  server_error: 'model_unavailable',
  request_timeout: 'model_unavailable',
  flex_unavailable: 'model_unavailable',
  context_length_exceeded: 'model_bad_request',
  invalid_request: 'model_bad_request',
  resource_not_found: 'model_bad_request',
};

const toMessage = (text: string) => ({ role: 'user', content: [{ type: 'input_text', text }] });

function callsOf({ required_actions }: Session, answered: readonly string[]) {
  return required_actions.flatMap(({ type, call_id: externalId, name, arguments: given, turn_id: turnId = '' }) => {
    if (type !== 'function_call' || externalId === undefined || name === undefined) return [];
    if (answered.includes(externalId)) return [];
    return [{ turnId, call: { type: 'call' as const, externalId, name, arguments: given } }];
  });
}

function* usageOf({ usage }: Session): Generator<HostedEvent> {
  if (usage !== null) yield { type: 'usage', sum: toTokens(usage) };
}

function toTokens(usage: Usage): TokenUsage {
  return {
    inputTokens: usage.input_tokens,
    outputTokens: usage.output_tokens,
    cachedInputTokens: usage.input_tokens_details?.cached_tokens ?? 0,
    reasoningTokens: usage.output_tokens_details?.reasoning_tokens ?? 0,
  };
}
