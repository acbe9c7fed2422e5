import type { Dispatcher } from 'undici';
import { monotonicMs, signMessage } from '../std/index.ts';
import type { Attempt, WebhookRequest } from './attempt.ts';
import { Exchange } from './exchange.ts';
import { guardedConnector, type Reach, type Resolve } from './guarded-connector.ts';

export type { Reach } from './guarded-connector.ts';

/** `bodyMs`: how long the rest of an answer may take after its head, which has decided everything. `keepAliveMs`: of an idle connection. */
export const deliveryLimits = {
  attemptMs: 15_000,
  answerBytes: 4 * 1024,
  bodyMs: 1_000,
  connectionsPerOrigin: 32,
  keepAliveMs: 4_000,
} as const;

export interface SenderOptions {
  readonly reach: Reach;
  readonly userAgent?: string | undefined;
  /** Certificate authorities beyond those of Node, in PEM. */
  readonly ca?: readonly string[] | undefined;
  /** Default: the machine's resolver. */
  readonly resolve?: Resolve | undefined;
  readonly limits?: Partial<Record<keyof typeof deliveryLimits, number>> | undefined;
}

/** Sends webhooks and keeps connections alive between them. Bounds each attempt; how many run at once is up to the caller. */
export class WebhookSender {
  readonly #options: SenderOptions;
  readonly #limits: Record<keyof typeof deliveryLimits, number>;
  #agent: Promise<Dispatcher> | undefined;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#limits = { ...deliveryLimits, ...options.limits };
  }

  /**
   * Makes one attempt: signs, posts, reads the answer. Never follows a redirect, and never rejects because of the receiver.
   * @param signal ends the attempt with the error `stopped`; whether the receiver got it is unknown then
   * @throws UsageError signing_secret_invalid; RangeError for an id that cannot be signed
   */
  async send(request: WebhookRequest, signal?: AbortSignal): Promise<Attempt> {
    const startedAtMs = Date.now();
    const body = Buffer.from(request.body);
    const requestHeaders = {
      ...request.headers,
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      'user-agent': request.headers?.['user-agent'] ?? this.#options.userAgent ?? 'fn-webhooks',
      ...signMessage({ id: request.id, timestamp: Math.floor(startedAtMs / 1000), body }, request.secrets),
    };
    const start = monotonicMs();
    const outcome = await this.#post(request.url, requestHeaders, body, signal);
    return { startedAtMs, ms: Math.round(monotonicMs() - start), requestHeaders, body, ...outcome };
  }

  /** Cuts what is under way. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }

  async #post(
    url: string,
    headers: Record<string, string>,
    body: Buffer,
    signal: AbortSignal | undefined,
  ): Promise<Pick<Attempt, 'status' | 'answer' | 'error'>> {
    this.#agent ??= this.#openAgent();
    const agent = await this.#agent;
    const { origin, pathname, search } = new URL(url);
    const exchange = new Exchange(url, this.#limits);
    const onAbort = () => exchange.stop({ code: 'stopped', message: 'the attempt was stopped' });
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    // The exchange has limits of its own.
    const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
    if (!signal?.aborted)
      agent.dispatch({ origin, path: pathname + search, method: 'POST', headers, body, ...timeouts }, exchange);
    try {
      return await exchange.outcome;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async #openAgent(): Promise<Dispatcher> {
    const loaded = await import('undici');
    // In a bundle, a CommonJS package has its names only on the default export.
    const undici = 'Agent' in loaded ? loaded : (loaded as { default: typeof loaded }).default;
    const { ca, reach, resolve } = this.#options;
    const { attemptMs, connectionsPerOrigin, keepAliveMs } = this.#limits;
    const tls = process.getBuiltinModule('node:tls');
    const connect = guardedConnector(
      undici.buildConnector,
      {
        timeout: attemptMs,
        allowH2: false,
        // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
        rejectUnauthorized: true,
        ...(ca && { ca: [...tls.getCACertificates('default'), ...ca] }),
      },
      { reach, resolve },
    );
    return new undici.Agent({
      connect,
      allowH2: false,
      connections: connectionsPerOrigin,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
    });
  }
}
