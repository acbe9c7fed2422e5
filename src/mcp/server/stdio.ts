import type { Server } from '@modelcontextprotocol/server';
import { loadServerSdk, makeToolServer } from './tool-server.ts';
import type { ToolProvider } from './types.ts';

export interface McpStdioServer {
  toolsChanged(): void;
  /** Resolves when the host has closed standard input, or after `close`. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Serves tools over standard input and output: nothing else may write there. */
export async function openMcpStdio(provider: ToolProvider, version: string): Promise<McpStdioServer> {
  const [sdk, { serveStdio, StdioServerTransport }] = await Promise.all([
    loadServerSdk(),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  const transport = new StdioServerTransport();
  const ended = Promise.withResolvers<void>();
  let server: Server | undefined;
  const serving = serveStdio(
    () => {
      server = makeToolServer(sdk, provider, version);
      return server;
    },
    { transport },
  );
  const { stdin } = process;
  for (const end of ['end', 'close', 'error'] as const) stdin.once(end, () => ended.resolve());
  return {
    toolsChanged: () => void server?.sendToolListChanged().catch(() => {}),
    ended: ended.promise,
    async close() {
      await serving.close();
      ended.resolve();
    },
  };
}
