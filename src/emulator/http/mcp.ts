import { refusal } from '../../contract/index.ts';
import { type McpHttpServer, openMcpHttp } from '../../mcp/index.ts';
import { servedRunTools } from '../mcp/run-tools.ts';
import { servedTools } from '../mcp/served-tools.ts';
import { packageVersion } from '../mcp/version.ts';
import type { Exchange } from './exchange.ts';
import type { HttpParts } from './parts.ts';

/** After the last change of a burst: a save changes several functions. */
const debounceMs = 100;

/** Serves the app's own AI Tools to MCP hosts at `/mcp`, and the tools of a run to the agent that works on it at `/mcp/runs/ID`. */
export class McpFace {
  readonly #parts: HttpParts;
  #server: Promise<McpHttpServer> | undefined;
  #runs: Promise<McpHttpServer> | undefined;
  #stopWatching: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: HttpParts) {
    this.#parts = parts;
  }

  /** @throws WorkspaceError token_missing, token_invalid, …, token_scope */
  async serve({ request, response }: Exchange): Promise<void> {
    const caller = await this.#parts.workspace.authenticate(request.headers.authorization);
    if (!caller.scopes.some((scope) => scope === 'write' || scope === 'admin'))
      throw refusal('token_scope', 'Calling tools over MCP needs the scope write');
    this.#server ??= this.#open();
    await (await this.#server).serve(request, response, caller.name ?? caller.id ?? 'local');
  }

  /** @throws WorkspaceError token_missing, token_invalid */
  async serveRun({ request, response }: Exchange, runId: string): Promise<void> {
    this.#parts.runDoors.require(runId, request.headers.authorization);
    this.#runs ??= openMcpHttp(servedRunTools(this.#parts.runDoors), packageVersion());
    await (await this.#runs).serve(request, response, runId);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopWatching?.();
    await Promise.all([(await this.#server)?.close(), (await this.#runs)?.close()]);
  }

  async #open(): Promise<McpHttpServer> {
    const server = await openMcpHttp(servedTools(this.#parts.tools), packageVersion());
    this.#stopWatching = this.#parts.apps.onChange(() => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => server.toolsChanged(), debounceMs).unref();
    });
    return server;
  }
}
