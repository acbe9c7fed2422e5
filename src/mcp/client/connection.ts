import type { CallToolResult, Client } from '@modelcontextprotocol/client';
import { isRecord } from '../../std/index.ts';
import { explain } from './explain.ts';
import { McpError } from './mcp-error.ts';
import { readResult } from './result.ts';
import { readTools } from './tools.ts';
import { type McpCallResult, type McpLimits, type McpTool, type McpTransport, mcpLimits } from './types.ts';
import type { Fetch } from './watched-fetch.ts';

export interface McpConnectOptions {
  readonly fetch: Fetch;
  /** How this server was spoken to last time: no other way is tried then. */
  readonly transport?: McpTransport | undefined;
  readonly limits?: Partial<McpLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly version: string;
  /** The connection has ended; not called after `close`. */
  readonly onEnd?: (reason: McpError) => void;
  /** The server says that its tools have changed. */
  readonly onToolsChanged?: () => void;
}

export interface McpCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  /** W3C trace context, handed on in `_meta`. */
  readonly traceparent?: string | undefined;
}

/**
 * One connection to one server. It never reconnects: once cut it is over, and what was under way has failed, for nobody knows whether the
 * server has done it.
 */
export class McpConnection {
  readonly transport: McpTransport;
  readonly #client: Client;
  readonly #limits: McpLimits;
  readonly #options: McpConnectOptions;
  #ended: McpError | undefined;
  #isClosed = false;
  #calls = 0;

  /** @param client connected */
  constructor(client: Client, transport: McpTransport, options: McpConnectOptions) {
    this.#client = client;
    this.transport = transport;
    this.#options = options;
    this.#limits = { ...mcpLimits, ...options.limits };
  }

  /** What the server calls itself. */
  get server(): { readonly name: string; readonly version: string } {
    const { name = '', version = '' } = this.#client.getServerVersion() ?? {};
    return { name: name.slice(0, 200), version: version.slice(0, 100) };
  }

  get protocolVersion(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? 'unknown';
  }

  /** Lists all pages. @throws McpError */
  async listTools(signal?: AbortSignal): Promise<McpTool[]> {
    if (this.#ended) throw this.#ended;
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const { listMs } = this.#limits;
    const tools = await this.#during(listMs, signal, 'listing its tools', async (options) => {
      const listed = await this.#client.listTools(undefined, { ...options, cacheMode: 'refresh' });
      return listed.tools;
    });
    return await readTools(tools, this.#limits);
  }

  /**
   * Calls a tool once.
   * @throws McpError if the server gave no result; a tool's own failure is a result
   */
  async call(
    tool: Pick<McpTool, 'name' | 'inputSchema'>,
    args: Readonly<Record<string, unknown>>,
    { signal, timeoutMs, traceparent }: McpCallOptions = {},
  ): Promise<McpCallResult> {
    const limitMs = timeoutMs ?? this.#limits.callMs;
    this.#calls++;
    try {
      const result = await this.#during(limitMs, signal, `calling ${tool.name}`, (options) =>
        this.#client.callTool(
          {
            name: tool.name,
            arguments: { ...args },
            ...(traceparent !== undefined && { _meta: { traceparent } }),
          },
          {
            ...options,
            // Without an output schema the SDK checks none: its regular expressions would backtrack on a pattern of the server.
            toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' } },
            allowInputRequired: true,
          },
        ),
      );
      refuseQuestion(result);
      return readResult(result as CallToolResult);
    } finally {
      this.#calls--;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client.close().catch(() => {});
  }

  /** Ends the connection because of the server: what is under way fails with the reason. */
  end(reason: McpError): void {
    if (this.#ended !== undefined || this.#isClosed) return;
    this.#ended = reason;
    void this.#client.close().catch(() => {});
    this.#options.onEnd?.(reason);
  }

  /** A message that cannot be read may be the answer that somebody waits for. */
  onUnreadable(error: unknown): void {
    if (this.#calls === 0) return;
    this.end(new McpError('mcp_protocol_error', 'The server sent something that is not JSON-RPC', error));
  }

  async #during<T>(
    timeoutMs: number,
    signal: AbortSignal | undefined,
    what: string,
    work: (options: { timeout: number; maxTotalTimeout: number; signal?: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    if (this.#ended) throw this.#ended;
    signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(timeoutMs);
    const both = signal ? AbortSignal.any([signal, deadline]) : deadline;
    try {
      // The SDK's own limit is for each request, ours for all of them together.
      return await work({ timeout: timeoutMs + 1_000, maxTotalTimeout: timeoutMs + 1_000, signal: both });
    } catch (error) {
      if (this.#ended) throw this.#ended;
      if (signal?.aborted) throw new McpError('mcp_cancelled', 'The call was cancelled', error);
      if (deadline.aborted)
        throw new McpError('mcp_timeout', `The server took longer than ${timeoutMs} ms ${what}`, error);
      throw explain(error);
    }
  }
}

/** A server may ask for input instead of answering; nobody answers it in the middle of a call. */
function refuseQuestion(result: unknown): void {
  if (!isRecord(result) || result['resultType'] !== 'input_required') return;
  const requests = isRecord(result['inputRequests']) ? Object.values(result['inputRequests']) : [];
  const questions = requests.flatMap((one) => {
    const params = isRecord(one) && isRecord(one['params']) ? one['params'] : {};
    return typeof params['message'] === 'string' ? [params['message'].slice(0, 500)] : [];
  });
  const asked = questions.length === 0 ? '' : `: ${questions.join(' · ')}`;
  throw new McpError('mcp_input_required', `The tool asks for more input${asked}`);
}
