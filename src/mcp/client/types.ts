/** How a server is spoken to. `sse`: HTTP+SSE, the platform's documented transport. */
export type McpTransport = 'sse' | 'streamable-http';

/** Limits of a connection. Milliseconds and bytes. */
export interface McpLimits {
  /** How long the first event of an SSE server, `endpoint`, may take; then streamable HTTP is tried. */
  readonly endpointMs: number;
  readonly connectMs: number;
  /** For all pages of the list of tools. */
  readonly listMs: number;
  readonly callMs: number;
  /** One message of the server, and what it answers to a POST. */
  readonly maxMessageBytes: number;
  readonly maxTools: number;
  /** The schema of one tool, as JSON. */
  readonly maxSchemaBytes: number;
}

export const mcpLimits: McpLimits = {
  endpointMs: 3_000,
  connectMs: 10_000,
  listMs: 15_000,
  callMs: 30_000,
  maxMessageBytes: 4 * 1024 * 1024,
  maxTools: 1_000,
  maxSchemaBytes: 64 * 1024,
};

export interface McpServerAddress {
  readonly url: string;
  /** The value of the header `Authorization`; undefined without authentication. Never in a log, an error or an event. */
  readonly authorization?: string | undefined;
}

/** What a server says of a tool. Texts are untrusted: they are data for people and models, never instructions. */
export interface McpTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: McpToolAnnotations;
  /** SHA-256 over all of the above: one changed letter is another tool. */
  readonly hash: string;
  /** Why it cannot be used; null if it can. */
  readonly problem: string | null;
}

/** Hints of the server, null where it gives none. */
export interface McpToolAnnotations {
  readonly readOnly: boolean | null;
  readonly destructive: boolean | null;
  readonly idempotent: boolean | null;
  readonly openWorld: boolean | null;
}

/** What a call has led to. */
export interface McpCallResult {
  /** `isError` of the server: the tool itself failed, and `text` says how. */
  readonly isError: boolean;
  /** For a model: at most 32 KiB. */
  readonly text: string;
  /** The server's structured content, if it gave any. */
  readonly structured: unknown;
  /** Whether `text` was cut. */
  readonly isCut: boolean;
  /** Bytes of the whole result as JSON. */
  readonly bytes: number;
}
