import type { Server, ServerContext } from '@modelcontextprotocol/server';
import { isRecord, lazy } from '../../std/index.ts';
import type { ServedTool, ToolProvider } from './types.ts';

/** Loaded by the first host that connects. */
export const loadServerSdk = lazy(() => import('@modelcontextprotocol/server'));

type Sdk = Awaited<ReturnType<typeof loadServerSdk>>;

/** One server of the tools: for a request, or for a connection. */
export function makeToolServer(sdk: Sdk, provider: ToolProvider, version: string): Server {
  const server = new sdk.Server({ name: 'fn', version }, { capabilities: { tools: { listChanged: true } } });
  server.setRequestHandler('tools/list', async (_request, context) => ({
    tools: (await provider.list(hostOf(context))).map(describeTool),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { traceparent } = params._meta ?? {};
    const { isError, content, structured } = await provider.call({
      name: params.name,
      arguments: params.arguments,
      signal: context.mcpReq.signal,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      host: hostOf(context),
    });
    return {
      content: [{ type: 'text', text: content }],
      ...(isRecord(structured) && { structuredContent: structured }),
      ...(isError && { isError }),
    };
  });
  return server;
}

const hostOf = (context: ServerContext): string | undefined => context.http?.authInfo?.clientId;

function describeTool({ name, title, description, inputSchema, outputSchema, annotations }: ServedTool) {
  return {
    name,
    description,
    inputSchema: { ...inputSchema, type: 'object' as const },
    ...(title !== null && { title }),
    ...(outputSchema?.['type'] === 'object' && { outputSchema: { ...outputSchema, type: 'object' as const } }),
    annotations: {
      readOnlyHint: annotations.readOnly,
      destructiveHint: annotations.destructive,
      idempotentHint: annotations.idempotent,
      openWorldHint: annotations.openWorld,
    },
  };
}
