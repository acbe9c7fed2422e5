import { lazy } from '../../std/index.ts';
import { McpError } from '../client/mcp-error.ts';
import type { ServedAnswer, ServedTool, ToolProvider } from './types.ts';

const loadSdk = lazy(() => import('@modelcontextprotocol/client'));

export interface Bridge extends ToolProvider {
  close(): Promise<void>;
}

/**
 * The tools of a server of ours over HTTP, unchanged: for a server over standard input and output in front of it.
 * @throws McpError if it cannot be reached
 */
export async function openBridge(
  { url, token, version }: { readonly url: string; readonly token: string; readonly version: string },
  on: { readonly toolsChanged: () => void },
): Promise<Bridge> {
  const sdk = await loadSdk();
  const client = new sdk.Client(
    { name: 'fn mcp serve', version },
    {
      versionNegotiation: { mode: 'auto' },
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => on.toolsChanged() } },
    },
  );
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
  try {
    await client.connect(transport);
  } catch (error) {
    await client.close().catch(() => {});
    throw new McpError('mcp_unavailable', 'fn dev does not answer', error);
  }
  return {
    async list() {
      const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
      return tools.map(
        ({ name, title, description = '', inputSchema, outputSchema, annotations = {} }): ServedTool => ({
          name,
          title: title ?? null,
          description,
          inputSchema,
          outputSchema: outputSchema ?? null,
          annotations: {
            readOnly: annotations.readOnlyHint ?? false,
            destructive: annotations.destructiveHint ?? false,
            idempotent: annotations.idempotentHint ?? false,
            openWorld: annotations.openWorldHint ?? false,
          },
        }),
      );
    },
    async call({ name, arguments: given, signal, traceparent }): Promise<ServedAnswer> {
      const result = await client.callTool(
        {
          name,
          ...(given !== undefined && { arguments: given as Record<string, unknown> }),
          ...(traceparent !== undefined && { _meta: { traceparent } }),
        },
        { signal, timeout: maxCallMs, toolDefinition: { name, inputSchema: { type: 'object' } } },
      );
      const [first] = result.content;
      return {
        isError: result.isError === true,
        content: first?.type === 'text' ? first.text : '',
        structured: result.structuredContent,
      };
    },
    close: () => client.close(),
  };
}

/** A tool's own limit is shorter. */
const maxCallMs = 300_000;
