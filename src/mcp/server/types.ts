/** A tool as an MCP host is shown it. */
export interface ServedTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: {
    readonly readOnly: boolean;
    readonly destructive: boolean;
    readonly idempotent: boolean;
    readonly openWorld: boolean;
  };
}

export interface ServedCall {
  readonly name: string;
  readonly arguments: unknown;
  readonly signal: AbortSignal;
  /** W3C trace context of the host. */
  readonly traceparent: string | undefined;
  /** What the transport knows of the caller: the name of its token. */
  readonly host: string | undefined;
}

/** What a call comes to. */
export interface ServedAnswer {
  readonly isError: boolean;
  /** JSON, for the model of the host. */
  readonly content: string;
  readonly structured: unknown;
}

/** The tools behind a server. */
export interface ToolProvider {
  list(host: string | undefined): Promise<readonly ServedTool[]>;
  call(call: ServedCall): Promise<ServedAnswer>;
}
