import { guardedConnector, type Reach, type Resolve } from './guarded-connector.ts';

/** A `fetch` to checked addresses only; connections are kept alive between requests. */
export interface GuardedFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Cuts what is under way. */
  close(): Promise<void>;
}

/** Without time limits: a stream may be silent for hours. */
export async function openGuardedFetch(options: {
  readonly reach: Reach;
  readonly resolve?: Resolve | undefined;
}): Promise<GuardedFetch> {
  const loaded = await import('undici');
  // In a bundle, a CommonJS package has its names only on the default export.
  const undici = 'Agent' in loaded ? loaded : (loaded as { default: typeof loaded }).default;
  const connect = guardedConnector(
    undici.buildConnector,
    { timeout: connectMs, allowH2: false, rejectUnauthorized: true },
    options,
  );
  const dispatcher = new undici.Agent({ connect, allowH2: false, headersTimeout: 0, bodyTimeout: 0 });
  return {
    fetch: async (url, init) => (await undici.fetch(url, { ...init, dispatcher } as never)) as unknown as Response,
    close: () => dispatcher.destroy(),
  };
}

const connectMs = 10_000;
