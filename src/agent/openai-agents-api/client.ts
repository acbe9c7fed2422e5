import type { HarnessConfig, RunLimits } from '../types.ts';
import { closedFetch } from '../vendors/closed-fetch.ts';
import { brokenPackage, loadPackage, type VendorPackage } from '../vendors/load-package.ts';

/** The first version that has the Agents API. */
const clientPackage: VendorPackage = { name: 'openai', from: [7, 15], below: [8, 0] };

/** What of `client.beta.agents` is used. */
export interface AgentsClient {
  list(query: object, options: RequestOptions): Promise<unknown>;
  readonly sessions: {
    create(body: object, options: RequestOptions): Promise<AsyncIterable<SessionEvent>>;
    retrieve(id: string, options: RequestOptions): Promise<Session>;
    update(id: string, body: object, options: RequestOptions): Promise<Session>;
    readonly events: {
      stream(id: string, query: object, options: RequestOptions): Promise<AsyncIterable<SessionEvent>>;
      create(id: string, params: object, options: RequestOptions): Promise<void>;
    };
  };
}

interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface Session {
  readonly id: string;
  readonly status: 'idle' | 'in_progress' | 'requires_action' | 'failed';
  readonly error: string | null;
  readonly required_actions: readonly RequiredAction[];
  readonly usage: Usage | null;
  /** US cents. */
  readonly spend_control?: { readonly consumed: number | null; readonly limit: number } | undefined;
}

/** Of the types that the API has, the one that our agents cause. */
interface RequiredAction {
  readonly type: string;
  readonly call_id?: string;
  readonly name?: string;
  readonly arguments?: unknown;
  readonly turn_id?: string;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly input_tokens_details?: { readonly cached_tokens?: number };
  readonly output_tokens_details?: { readonly reasoning_tokens?: number };
}

interface Turn {
  readonly subagent_id: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** Events of a session that are read; others are passed over. */
export type SessionEvent = { readonly event_id?: string } & (
  | { readonly type: 'agent.session.created'; readonly session: Session }
  | { readonly type: 'agent.session.requires_action'; readonly session: Session }
  | { readonly type: 'agent.session.idle'; readonly session: Session }
  | { readonly type: 'agent.session.failed'; readonly session: Session }
  | { readonly type: 'agent.session.turn.created'; readonly turn_id: string; readonly turn: Turn }
  | { readonly type: 'agent.session.turn.completed'; readonly turn_id: string; readonly turn: Turn }
  | { readonly type: 'agent.session.turn.failed'; readonly turn_id: string; readonly turn: Turn }
  | { readonly type: 'agent.session.turn.cancelled'; readonly turn_id: string; readonly turn: Turn }
  | { readonly type: 'agent.session.turn.output_text.delta'; readonly item_id: string; readonly delta: string }
  | { readonly type: 'agent.session.turn.item.done'; readonly item: Item }
  | { readonly type: 'error'; readonly error: { readonly code: string | null; readonly message: string } }
);

interface Item {
  readonly type: string;
  readonly id: string;
  readonly role?: string;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
}

/** @throws RunFailure `harness_package_…`, `folder_not_trusted` */
export function openClient(config: HarnessConfig, limits: RunLimits): AgentsClient {
  const { exports, version } = loadPackage(clientPackage, config);
  const { OpenAI } = exports as { OpenAI?: new (options: object) => { beta?: { agents?: AgentsClient } } };
  if (typeof OpenAI !== 'function') throw brokenPackage(clientPackage, config.packages, `${version} has no OpenAI`);
  const { apiKey, baseUrl } = config;
  const client = new OpenAI({
    // Whatever is left out here is taken from the environment, which belongs to somebody else.
    apiKey: apiKey ?? 'none',
    adminAPIKey: null,
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    webhookSecret: null,
    // Tries are ours to count.
    maxRetries: 0,
    logLevel: 'off',
    fetch: closedFetch(limits, apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }, [
      'openai-beta',
      'idempotency-key',
    ]),
  });
  const agents = client.beta?.agents;
  if (agents?.sessions?.events === undefined) {
    throw brokenPackage(clientPackage, config.packages, `${version} has no client.beta.agents`);
  }
  return agents;
}
