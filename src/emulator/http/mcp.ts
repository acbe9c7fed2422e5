import { refusal } from '../../contract/index.ts';
import { type McpHttpServer, openMcpHttp } from '../../mcp/index.ts';
import { servedTools } from '../mcp/served-tools.ts';
import { packageVersion } from '../mcp/version.ts';
import type { Exchange } from './exchange.ts';
import type { HttpParts } from './parts.ts';

/** After the last change of a burst: a save changes several functions. */
const debounceMs = 100;

/** Serves the app's own AI Tools to MCP hosts at `/mcp`. */
export class McpFace {
  readonly #parts: HttpParts;
  #server: Promise<McpHttpServer> | undefined;
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

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopWatching?.();
    await (await this.#server)?.close();
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
