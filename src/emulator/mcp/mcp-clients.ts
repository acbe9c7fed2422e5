import { type ErrorCode, errorCodes, limits, type Output, refusal } from '../../contract/index.ts';
import type { McpCallResult, McpConnection, McpError, McpLimits, McpTransport } from '../../mcp/index.ts';
import { lazy, toTimestamp } from '../../std/index.ts';
import { type GuardedFetch, openGuardedFetch } from '../../webhook/index.ts';
import type { ListedMcpTool, LoadedMcpClient, Workspace } from '../../workspace/index.ts';
import { authorizationOf, redactorOf } from './redact.ts';
import { packageVersion } from './version.ts';

type Client = Output<'mcpClients.show'>;

/** The room with the SDK is loaded by the first connection. */
const loadMcp = lazy(() => import('../../mcp/index.ts'));

/** After a cut. When they are used up, the next call connects. */
const retryDelaysMs = [500, 1_000, 2_000, 5_000, 10_000];

export interface McpClientsOptions {
  readonly workspace: Pick<Workspace, 'mcpClients'>;
  readonly limits?: Partial<McpLimits> | undefined;
  readonly retryDelaysMs?: readonly number[] | undefined;
}

export interface McpCall {
  readonly client: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly traceparent?: string | undefined;
}

/** What is known of one client's connection; all of it is lost with the process. */
interface Session {
  readonly id: string;
  name: string;
  state: Client['state'];
  reason: string | null;
  retryAtMs: number | null;
  connection?: McpConnection | undefined;
  opening?: Promise<McpConnection> | undefined;
  retries: number;
  /** Under way. */
  calls: number;
  timer?: NodeJS.Timeout | undefined;
  abort: AbortController;
}

/**
 * The connections of the workspace's MCP clients: one is opened at the first need, kept while it is used, and opened anew after a cut. A call
 * that was under way at a cut is repeated only if the server calls the tool read-only or idempotent.
 */
export class McpClients {
  readonly #options: McpClientsOptions;
  readonly #sessions = new Map<string, Session>();
  readonly #fetch = lazy(() => openGuardedFetch({ reach: 'loopback' }));
  #isClosed = false;

  constructor(options: McpClientsOptions) {
    this.#options = options;
  }

  /** Completes what the workspace knows of a client. */
  describe(client: Client): Pick<Client, 'state' | 'reason' | 'retryAt'> {
    const session = this.#sessions.get(client.id);
    if (session === undefined) return { state: 'idle', reason: null, retryAt: null };
    const { state, reason, retryAtMs } = session;
    return { state, reason, retryAt: retryAtMs === null ? null : toTimestamp(retryAtMs) };
  }

  /**
   * The tools of a client as last listed; connects if they were never listed, or if asked to.
   * @throws WorkspaceError mcp_client_not_found, and what connecting may fail with
   */
  async tools(
    asked: string,
    { refresh = false, signal }: { refresh?: boolean; signal?: AbortSignal | undefined } = {},
  ) {
    const client = await this.require(asked);
    if (client.isListed && !refresh) return client;
    const session = this.#sessionOf(client);
    const before = session.connection;
    const connection = await this.#connected(client, signal);
    // A connection lists the tools when it is opened.
    if (connection === before) await this.#list(session, connection, client);
    return await this.require(asked);
  }

  /**
   * Makes sure that there is a connection. @returns the client with the tools listed by it
   * @throws WorkspaceError mcp_client_not_found, and what connecting may fail with
   */
  async connect(asked: string): Promise<LoadedMcpClient> {
    await this.#connected(await this.require(asked));
    return await this.require(asked);
  }

  /**
   * Calls a tool of the server, whatever the gate thinks of it.
   * @throws McpError, WorkspaceError
   */
  async call({
    client: asked,
    tool: name,
    arguments: args,
    signal,
    timeoutMs,
    traceparent,
  }: McpCall): Promise<McpCallResult> {
    const client = await this.require(asked);
    const tool = client.tools.find((one) => one.name === name);
    if (tool === undefined) throw refusal('mcp_tool_unknown', `${client.name} lists no tool ${name}`);
    const redact = redactorOf(client);
    const mayRepeat = tool.annotations.readOnly === true || tool.annotations.idempotent === true;
    for (let attempt = 1; ; attempt++) {
      const connection = await this.#connected(client, signal);
      const session = this.#sessionOf(client);
      session.calls++;
      try {
        return redact(await connection.call(tool, args, { signal, timeoutMs, traceparent }));
      } catch (error) {
        const { code } = error as McpError;
        if (code === 'mcp_connection_lost' && mayRepeat && attempt <= maxRepeats && !signal?.aborted) continue;
        throw await redactedError(error, redact);
      } finally {
        session.calls--;
      }
    }
  }

  /** Connects anew and lists, without touching what is connected. */
  async probe(
    address: { readonly url: string; readonly authorization: string | undefined },
    signal?: AbortSignal,
  ): Promise<ProbedServer> {
    const { openConnection } = await loadMcp();
    const connection = await openConnection(address, { ...(await this.#connectOptions()), signal });
    try {
      return await describeServer(connection, signal);
    } finally {
      await connection.close();
    }
  }

  /** @throws WorkspaceError mcp_client_not_found, mcp_secret_missing */
  async require(asked: string): Promise<LoadedMcpClient> {
    const client = await this.#options.workspace.mcpClients.load(asked);
    if (client === undefined)
      throw refusal('mcp_client_not_found', `There is no MCP client ${asked}`, { hint: 'See: fn mcp list' });
    return client;
  }

  /** Closes a connection whose client was changed or removed. @param asked id or name */
  async forget(asked: string): Promise<void> {
    for (const session of this.#sessions.values()) {
      if (session.id !== asked && session.name !== asked) continue;
      this.#sessions.delete(session.id);
      await this.#stop(session);
    }
  }

  /** Ends all connections: their clients are gone. */
  async forgetAll(): Promise<void> {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    await Promise.all(sessions.map((session) => this.#stop(session)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.forgetAll();
    await (await this.#fetch.made)?.close();
  }

  async #stop(session: Session): Promise<void> {
    clearTimeout(session.timer);
    session.abort.abort();
    await session.connection?.close();
  }

  #sessionOf({ id, name }: LoadedMcpClient): Session {
    const known = this.#sessions.get(id);
    if (known) {
      known.name = name;
      return known;
    }
    const made: Session = {
      id,
      name,
      state: 'idle',
      reason: null,
      retryAtMs: null,
      retries: 0,
      calls: 0,
      abort: new AbortController(),
    };
    this.#sessions.set(id, made);
    return made;
  }

  /** The open connection, or a new one. @throws WorkspaceError if it cannot be opened */
  async #connected(client: LoadedMcpClient, signal?: AbortSignal): Promise<McpConnection> {
    if (this.#isClosed) throw refusal('workspace_stopping');
    const session = this.#sessionOf(client);
    if (session.connection) {
      this.#keepOpen(session);
      return session.connection;
    }
    session.opening ??= this.#open(session, client).finally(() => {
      session.opening = undefined;
    });
    // Whoever waits may give up; the connection is opened for the others.
    return await withSignal(session.opening, signal);
  }

  async #open(session: Session, client: LoadedMcpClient): Promise<McpConnection> {
    clearTimeout(session.timer);
    Object.assign(session, { state: 'connecting', reason: null, retryAtMs: null });
    const redact = redactorOf(client);
    try {
      if (client.auth !== 'none' && client.secret === undefined) throw secretMissing(client);
      const connection = await this.#openKnown(session, client);
      session.connection = connection;
      await this.#list(session, connection, client);
      session.retries = 0;
      session.state = 'listed';
      this.#keepOpen(session);
      return connection;
    } catch (error) {
      session.connection = undefined;
      const failure = toRefusal(client.name, await redactedError(error, redact));
      const state = failure.code === 'mcp_secret_missing' ? 'needsSecret' : 'failed';
      Object.assign(session, { state, reason: failure.message, retryAtMs: null });
      if (!session.abort.signal.aborted && Object.hasOwn(errorCodes, failure.code))
        await this.#options.workspace.mcpClients.recordFailed(client.id, {
          code: failure.code,
          message: failure.message,
        });
      throw failure;
    }
  }

  /** A server that has moved to another transport is asked both ways again. */
  async #openKnown(session: Session, client: LoadedMcpClient): Promise<McpConnection> {
    const { transport } = client;
    if (transport === null) return await this.#openAs(session, client);
    try {
      return await this.#openAs(session, client, transport);
    } catch (error) {
      if (!['mcp_endpoint_invalid', 'mcp_timeout'].includes((error as McpError).code)) throw error;
      return await this.#openAs(session, client);
    }
  }

  async #openAs(session: Session, client: LoadedMcpClient, transport?: McpTransport): Promise<McpConnection> {
    const { openConnection } = await loadMcp();
    let opened: McpConnection | undefined;
    opened = await openConnection(
      { url: client.url, authorization: authorizationOf(client) },
      {
        ...(await this.#connectOptions()),
        transport,
        signal: session.abort.signal,
        onEnd: (reason) => {
          if (opened !== undefined && session.connection === opened) this.#afterCut(session, reason);
        },
        onToolsChanged: () => {
          if (opened !== undefined && session.connection === opened) void this.#relist(session, opened);
        },
      },
    );
    return opened;
  }

  async #connectOptions() {
    const { fetch }: GuardedFetch = await this.#fetch();
    return { fetch, limits: this.#options.limits, version: packageVersion() };
  }

  async #list(session: Session, connection: McpConnection, client: LoadedMcpClient): Promise<void> {
    const { workspace } = this.#options;
    const { lintTools } = await loadMcp();
    const tools = redactorOf(client)(await connection.listTools(session.abort.signal));
    const warnings = lintTools(tools, await this.#toolsOfOthers(client.id));
    const listed: ListedMcpTool[] = tools.map((tool) => ({ ...tool, warnings: warnings.get(tool.name) ?? [] }));
    const { transport, protocolVersion, server } = connection;
    await workspace.mcpClients.recordListed(client.id, { transport, protocolVersion, server, tools: listed });
  }

  async #relist(session: Session, connection: McpConnection): Promise<void> {
    try {
      await this.#list(session, connection, await this.require(session.id));
    } catch {
      // The connection was cut, or the client removed: whoever needs the tools next is told.
    }
  }

  async #toolsOfOthers(id: string): Promise<Map<string, string>> {
    const { mcpClients } = this.#options.workspace;
    const others = new Map<string, string>();
    for (const name of await mcpClients.names()) {
      const client = await mcpClients.load(name);
      if (client === undefined || client.id === id) continue;
      for (const tool of client.tools) others.set(tool.name, name);
    }
    return others;
  }

  #afterCut(session: Session, reason: McpError): void {
    session.connection = undefined;
    clearTimeout(session.timer);
    const delays = this.#options.retryDelaysMs ?? retryDelaysMs;
    const delayMs = delays[session.retries];
    if (delayMs === undefined) {
      Object.assign(session, { state: 'cut', reason: reason.message, retryAtMs: null });
      return;
    }
    session.retries++;
    Object.assign(session, { state: 'waiting', reason: reason.message, retryAtMs: Date.now() + delayMs });
    session.timer = setTimeout(() => {
      void this.#reconnect(session, reason);
    }, delayMs).unref();
  }

  async #reconnect(session: Session, reason: McpError): Promise<void> {
    if (this.#isClosed || session.connection !== undefined) return;
    try {
      await this.#connected(await this.require(session.id));
    } catch {
      if (this.#sessions.get(session.id) === session && session.state === 'failed') this.#afterCut(session, reason);
    }
  }

  /** Closes a connection that nobody has used for a while. */
  #keepOpen(session: Session): void {
    clearTimeout(session.timer);
    session.timer = setTimeout(() => {
      const { connection } = session;
      if (session.calls > 0) return this.#keepOpen(session);
      session.connection = undefined;
      session.state = 'idle';
      void connection?.close();
    }, limits.mcp.keptIdleMs).unref();
  }
}

const maxRepeats = 3;

export interface ProbedServer {
  readonly transport: McpTransport;
  readonly protocolVersion: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly tools: readonly ListedMcpTool[];
}

async function describeServer(connection: McpConnection, signal?: AbortSignal): Promise<ProbedServer> {
  const { lintTools } = await loadMcp();
  const tools = await connection.listTools(signal);
  const warnings = lintTools(tools, new Map());
  const { transport, protocolVersion, server } = connection;
  const listed = tools.map((tool) => ({ ...tool, warnings: warnings.get(tool.name) ?? [] }));
  return { transport, protocolVersion, server, tools: listed };
}

function secretMissing({ name, secretFrom }: LoadedMcpClient) {
  return refusal('mcp_secret_missing', `The MCP client ${name} has no secret`, {
    hint:
      secretFrom === null
        ? `Give it one: fn mcp update ${name} --secret-stdin`
        : `Its seed takes it from FN_SECRET_${secretFrom}, or from .fn/secrets.json`,
  });
}

/** The same error without the secret that its server may have sent back. */
async function redactedError(error: unknown, redact: <T>(value: T) => T): Promise<unknown> {
  const { McpError } = await loadMcp();
  return error instanceof McpError ? new McpError(error.code, redact(error.message)) : error;
}

/** Puts a failure of a server into the words of a refusal. */
function toRefusal(name: string, error: unknown): Error & { readonly code: string } {
  const { code, message } = error as { code?: unknown; message?: string };
  if (
    typeof code === 'string' &&
    code.startsWith('mcp_') &&
    Object.hasOwn(errorCodes, code) &&
    !('status' in Object(error))
  )
    return refusal(code as ErrorCode, `${name}: ${message ?? ''}`);
  return error as Error & { readonly code: string };
}

async function withSignal<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await promise;
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
