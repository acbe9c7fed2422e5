import type { Input, OperationName, Output } from '../../contract/index.ts';
import { isRecord, Problem, unreachable } from './problem.ts';

/** Method and path of each operation; null for one that HTTP does not offer. */
export type Routes = Readonly<Record<string, string | null>>;

/** Calls an operation. @throws Problem */
export type Call = <N extends OperationName>(operation: N, input: Input<N>) => Promise<Output<N>>;

export interface ApiOptions {
  /** The table of routes, from the contract. */
  readonly routes: Routes;
  /** `/api/dev` */
  readonly base: string;
  /** The token of the page. @param isRefused whether the one given last was refused */
  readonly token: (isRefused: boolean) => Promise<string>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** The operations of the workspace, as the console calls them: over HTTP, like any other client. */
export class Api {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  readonly call: Call = async (operation, input) => {
    const response = await this.open(operation, input as Record<string, unknown>);
    return (response.status === 204 ? undefined : await response.json()) as never;
  };

  /**
   * Sends the request of an operation, once more with another token if the first is refused.
   * @returns an answer that is no refusal, unread @throws Problem
   */
  async open(
    operation: OperationName,
    input: Readonly<Record<string, unknown>>,
    { headers = {}, signal }: { headers?: Readonly<Record<string, string>>; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const { routes, base, token } = this.#options;
    const { method, path, body } = requestOf(routes, operation, input);
    const send = async (isRefused: boolean) => {
      const authorization = `Bearer ${await token(isRefused)}`;
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      return await this.#fetch(base + path, {
        method,
        headers: { ...headers, ...type, authorization },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
    };
    let response = await send(false);
    if (response.status === 401) response = await send(true);
    if (!response.ok) throw await problemIn(response);
    return response;
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#options.fetch(url, init);
    } catch (error) {
      throw unreachable(error);
    }
  }
}

/** The refusal in an answer. */
export async function problemIn(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  return new Problem(response.status, isRecord(body) ? body : undefined);
}

/** The request of an operation: what its path does not take is the query of a GET or DELETE, the body of others. */
function requestOf(routes: Routes, operation: string, input: Readonly<Record<string, unknown>>) {
  const [method = 'GET', template = ''] = (routes[operation] ?? '').split(' ');
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = String(rest.get(name));
    rest.delete(name);
    return encodeURIComponent(value);
  });
  if (method === 'GET' || method === 'DELETE') {
    const query = new URLSearchParams(
      [...rest].map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    return { method, path: query === '' ? path : `${path}?${query}`, body: undefined };
  }
  return { method, path, body: JSON.stringify(Object.fromEntries(rest)) };
}
