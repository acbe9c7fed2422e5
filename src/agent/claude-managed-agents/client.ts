import type { HarnessConfig, RunLimits } from '../types.ts';
import { closedFetch } from '../vendors/closed-fetch.ts';
import { brokenPackage, loadPackage, type VendorPackage } from '../vendors/load-package.ts';

/** The first version whose sessions have budgets. */
const clientPackage: VendorPackage = { name: '@anthropic-ai/sdk', from: [0, 116], below: [2, 0] };

/** What of `client.beta` is used. */
export interface ManagedAgentsClient {
  readonly agents: {
    list(query: object, options: RequestOptions): AsyncIterable<StoredAgent>;
    create(body: object, options: RequestOptions): Promise<StoredAgent>;
    update(id: string, body: object, options: RequestOptions): Promise<StoredAgent>;
  };
  readonly environments: {
    list(query: object, options: RequestOptions): AsyncIterable<StoredEnvironment>;
    create(body: object, options: RequestOptions): Promise<StoredEnvironment>;
  };
  readonly sessions: {
    create(body: object, options: RequestOptions): Promise<Session>;
    retrieve(id: string, params: object, options: RequestOptions): Promise<Session>;
    update(id: string, body: object, options: RequestOptions): Promise<Session>;
    readonly events: {
      list(id: string, query: object, options: RequestOptions): AsyncIterable<SessionEvent>;
      send(id: string, params: object, options: RequestOptions): Promise<unknown>;
      stream(id: string, params: object, options: RequestOptions): Promise<AsyncIterable<SessionEvent>>;
    };
  };
}

interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface StoredAgent {
  readonly id: string;
  readonly version: number;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface StoredEnvironment {
  readonly id: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Session {
  readonly id: string;
  readonly status: 'rescheduling' | 'running' | 'idle' | 'terminated';
  /** `amount`: US cents as text. */
  readonly usage?: { readonly list_cost?: { readonly amount: string } | null };
}

export interface ModelUsage {
  /** Without those that came from the cache or went into it. */
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
}

/** Events of a session that are read; others are passed over. */
export type SessionEvent =
  | { readonly type: 'span.model_request_start'; readonly id: string }
  | {
      readonly type: 'span.model_request_end';
      readonly id: string;
      readonly is_error: boolean | null;
      readonly model_usage: ModelUsage;
    }
  | { readonly type: 'agent.message'; readonly id: string; readonly content: readonly TextBlock[] }
  | { readonly type: 'event_delta'; readonly event_id: string; readonly delta: { readonly content?: TextBlock } }
  | { readonly type: 'agent.custom_tool_use'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'user.custom_tool_result'; readonly id: string; readonly custom_tool_use_id: string }
  | { readonly type: 'session.status_idle'; readonly id: string; readonly stop_reason: StopReason }
  | { readonly type: 'session.status_running'; readonly id: string }
  | { readonly type: 'session.status_terminated'; readonly id: string }
  | { readonly type: 'session.deleted'; readonly id: string }
  | { readonly type: 'session.error'; readonly id: string; readonly error: SessionError };

export interface StopReason {
  readonly type: 'end_turn' | 'requires_action' | 'budget_reached' | 'retries_exhausted' | 'refusal';
  readonly event_ids?: readonly string[];
}

export interface SessionError {
  readonly type: string;
  readonly message: string;
  readonly retry_status?: { readonly type: 'retrying' | 'exhausted' | 'terminal' };
}

interface TextBlock {
  readonly type: string;
  readonly text?: string;
}

/** @throws RunFailure `harness_package_…`, `folder_not_trusted` */
export function openClient(config: HarnessConfig, limits: RunLimits): ManagedAgentsClient {
  const { exports, version } = loadPackage(clientPackage, config);
  const { Anthropic } = exports as { Anthropic?: new (options: object) => { beta?: ManagedAgentsClient } };
  if (typeof Anthropic !== 'function') {
    throw brokenPackage(clientPackage, config.packages, `${version} has no Anthropic`);
  }
  const { apiKey, baseUrl } = config;
  const client = new Anthropic({
    // Whatever is left out here is taken from the environment, which belongs to somebody else.
    apiKey: apiKey ?? 'none',
    authToken: null,
    webhookKey: null,
    baseURL: baseUrl ?? 'https://api.anthropic.com',
    // Tries are ours to count.
    maxRetries: 0,
    logLevel: 'off',
    fetch: closedFetch(limits, apiKey === undefined ? {} : { 'x-api-key': apiKey }, [
      'anthropic-version',
      'anthropic-beta',
    ]),
  });
  const { beta } = client;
  if (beta?.agents === undefined || beta.environments === undefined || beta.sessions?.events === undefined) {
    throw brokenPackage(clientPackage, config.packages, `${version} has no client.beta.agents`);
  }
  return beta;
}
