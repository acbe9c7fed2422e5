/** What can go wrong with a server of somebody else. */
export type McpErrorCode =
  | 'mcp_unauthorized'
  | 'mcp_unavailable'
  | 'mcp_endpoint_invalid'
  | 'mcp_redirected'
  | 'mcp_protocol_error'
  | 'mcp_message_too_large'
  | 'mcp_timeout'
  | 'mcp_connection_lost'
  | 'mcp_input_required'
  | 'mcp_call_refused'
  | 'mcp_cancelled';

/** A server did not do what was asked. The message never contains what was sent to it, least of all a secret. */
export class McpError extends Error {
  readonly code: McpErrorCode;

  constructor(code: McpErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
