import { isRecord } from '../../std/index.ts';
import { McpError } from './mcp-error.ts';

/** MCP 2026-07-28: the client does not offer what the request needs. */
const missingCapability = -32021;

/** Puts an error of the SDK into our words. */
export function explain(error: unknown): McpError {
  const own = findOwn(error);
  if (own) return own;
  const { code, message, name } = Object(error) as { code?: unknown; message?: string; name?: string };
  const text = (message ?? '').replaceAll(/\s+/g, ' ').slice(0, 300);
  if (code === 'CONNECTION_CLOSED' || code === 'NOT_CONNECTED')
    return new McpError('mcp_connection_lost', 'The connection to the server was lost', error);
  if (code === 'REQUEST_TIMEOUT') return new McpError('mcp_timeout', 'The server did not answer in time', error);
  if (code === 'LIST_PAGINATION_EXCEEDED')
    return new McpError('mcp_protocol_error', 'The list of tools does not end', error);
  // What a server says that would ask in the middle of a call, and hears that nobody answers.
  if (code === missingCapability)
    return new McpError('mcp_input_required', `The tool asks for more input: ${text}`, error);
  if (typeof code === 'number' && name === 'ProtocolError')
    return new McpError('mcp_call_refused', `The server refused: ${text || code}`, error);
  const status = statusOf(error);
  const refused = status === undefined ? undefined : judgeStatus(status);
  if (refused) return refused;
  if (status === 404) return new McpError('mcp_connection_lost', 'The server no longer knows this session', error);
  return new McpError(
    'mcp_protocol_error',
    text === '' ? 'The server broke the protocol' : `The server broke the protocol: ${text}`,
    error,
  );
}

/** Our own error, however deep the SDK has wrapped it. */
function findOwn(error: unknown): McpError | undefined {
  let one = error;
  for (let depth = 0; depth < 5 && typeof one === 'object' && one !== null; depth++) {
    if (one instanceof McpError) return one;
    one = (one as Error).cause ?? (one as { event?: unknown }).event ?? (one as { error?: unknown }).error;
  }
  return undefined;
}

/** The HTTP status of a refused POST; the SSE transport only tells it in words. */
function statusOf(error: unknown): number | undefined {
  const { status, data, message } = Object(error) as { status?: unknown; data?: unknown; message?: string };
  if (typeof status === 'number') return status;
  if (isRecord(data) && typeof data['status'] === 'number') return data['status'];
  const found = /\(HTTP (\d{3})\)/.exec(message ?? '');
  return found ? Number(found[1]) : undefined;
}

/** Statuses that say why, whatever was asked. */
export function judgeStatus(status: number): McpError | undefined {
  if (status === 401 || status === 403)
    return new McpError('mcp_unauthorized', `The server answered ${status}: it does not accept the authentication`);
  if (status === 429) return new McpError('mcp_unavailable', 'The server answered 429: too many requests');
  if (status >= 500) return new McpError('mcp_unavailable', `The server answered ${status}`);
  return undefined;
}
