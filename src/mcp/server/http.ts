import type { IncomingMessage, ServerResponse } from 'node:http';
import { loadServerSdk, makeToolServer } from './tool-server.ts';
import type { ToolProvider } from './types.ts';

export interface McpHttpServer {
  /**
   * Serves one request; who sends it has been checked.
   * @param host the name of the caller's token
   */
  serve(request: IncomingMessage, response: ServerResponse, host: string): Promise<void>;
  /** Tells connected hosts that the list has changed. */
  toolsChanged(): void;
  close(): Promise<void>;
}

const maxBodyBytes = 1024 * 1024;

/** Serves tools over streamable HTTP, without sessions. */
export async function openMcpHttp(provider: ToolProvider, version: string): Promise<McpHttpServer> {
  const [sdk, node] = await Promise.all([loadServerSdk(), import('@modelcontextprotocol/node')]);
  const handler = sdk.createMcpHandler(() => makeToolServer(sdk, provider, version), {
    maxRequestBodySize: maxBodyBytes,
  });
  const serve = node.toNodeHandler(handler, { maxRequestBodySize: maxBodyBytes });
  return {
    async serve(request, response, host) {
      // The token itself is not handed on.
      const known = Object.assign(request, { auth: { token: '', clientId: host, scopes: [] } });
      await serve(known as never, response);
    },
    toolsChanged: () => handler.notify.toolsChanged(),
    close: () => handler.close(),
  };
}
