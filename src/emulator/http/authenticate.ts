import type { Caller } from '../../contract/index.ts';
import type { Exchange } from './exchange.ts';
import type { HttpParts } from './parts.ts';

/** A person at the console: may read, and do what a view does on their behalf. */
export const consoleCaller: Caller = { type: 'local', id: null, name: 'console', scopes: ['read', 'write', 'send'] };

/**
 * Who asks: by an API token, or by the short-lived token of a page of the console. A person at this machine says by `Fn-Agent: agt_…`
 * who they are.
 * @throws WorkspaceError token_missing, token_invalid, operation_not_allowed
 */
export async function authenticate(parts: HttpParts, { request }: Exchange): Promise<Caller> {
  const { authorization, 'fn-agent': header } = request.headers;
  const agentId = typeof header === 'string' && header !== '' ? header : undefined;
  if (!parts.sessions.holdsToken(authorization)) return await parts.workspace.authenticate(authorization, agentId);
  if (agentId === undefined) return consoleCaller;
  return parts.workspace.actAs({ ...consoleCaller, isMachine: true }, agentId);
}
