/**
 * Why a call of a tool has no result, as its caller and the model see it. `kind`: the gate refused it, it failed, it came to a limit, or
 * nobody knows whether it was done. `retryable`: another try, with other arguments or later, may succeed.
 */
export const toolCodes = {
  tool_unknown: { title: 'There is no tool with this name', kind: 'refused', retryable: false },
  tool_forbidden: { title: 'The tool does not permit this caller, or this change', kind: 'refused', retryable: false },
  tool_invalid_arguments: {
    title: 'The arguments do not match the tool’s input schema',
    kind: 'refused',
    retryable: true,
  },
  tool_limit: { title: 'The tool was called too often', kind: 'limit', retryable: true },
  tool_confirmation_required: {
    title: 'Somebody has to confirm the call first; then make it again',
    kind: 'refused',
    retryable: true,
  },
  tool_denied: { title: 'The call was not confirmed', kind: 'refused', retryable: false },
  tool_changed: {
    title: 'The tool has changed since the confirmation was asked for',
    kind: 'refused',
    retryable: true,
  },
  tool_timeout: { title: 'The tool took too long', kind: 'limit', retryable: true },
  tool_failed: { title: 'The tool failed', kind: 'failed', retryable: true },
  tool_bad_output: {
    title: 'The result does not match the tool’s output schema, or is too large',
    kind: 'failed',
    retryable: false,
  },
  tool_cancelled: { title: 'The call was cancelled', kind: 'failed', retryable: true },
  mcp_input_required: { title: 'The tool of an MCP server asks for more input', kind: 'failed', retryable: false },
  mcp_secret_missing: { title: 'The MCP client has no secret', kind: 'refused', retryable: false },
  mcp_unauthorized: { title: 'The MCP server does not accept the authentication', kind: 'refused', retryable: false },
  mcp_unavailable: { title: 'The MCP server cannot be reached', kind: 'failed', retryable: true },
  mcp_endpoint_invalid: { title: 'At this address there is no MCP server', kind: 'failed', retryable: false },
  mcp_redirected: { title: 'The MCP server redirects to another address', kind: 'failed', retryable: false },
  mcp_protocol_error: { title: 'The MCP server broke the protocol', kind: 'failed', retryable: false },
  mcp_message_too_large: { title: 'The MCP server sent too large a message', kind: 'failed', retryable: false },
  mcp_call_refused: { title: 'The MCP server refused the call', kind: 'failed', retryable: true },
  mcp_connection_lost: {
    title: 'The connection to the MCP server was cut, and nobody knows whether the call was done',
    kind: 'unknown',
    retryable: false,
  },
  tool_outcome_unknown: {
    title: 'The call was interrupted, and nobody knows whether it was done',
    kind: 'unknown',
    retryable: false,
  },
} as const satisfies Record<
  string,
  { title: string; kind: 'refused' | 'failed' | 'limit' | 'unknown'; retryable: boolean }
>;

export type ToolCode = keyof typeof toolCodes;
