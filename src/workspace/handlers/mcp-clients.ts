import { type ParsedInput, refusal } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import {
  acceptedOf,
  clientOf,
  countStates,
  insertClient,
  type McpClientRow,
  policiesOf,
  putAuth,
  removeClient,
  requireClient,
  requireFreeName,
  requireServerUrl,
  toolsOf,
  updateClient,
} from '../mcp/clients.ts';
import { type AcceptedTools, acceptTools, stateOfTool } from '../mcp/tool-states.ts';
import type { HandlersOf } from './index.ts';

export const mcpClientHandlers: HandlersOf<'mcpClients'> = {
  async 'mcpClients.list'(input, tx) {
    const page = await pageBy(tx, 'mcpClients.list', input, tx.db.selectFrom('mcp_client').selectAll(), {
      by: 'created_at',
    });
    return { items: page.rows.map(clientOf), nextCursor: page.nextCursor };
  },

  async 'mcpClients.show'({ id }, tx) {
    return clientOf(await requireClient(tx, id));
  },

  async 'mcpClients.add'(input, tx) {
    return clientOf(await insertClient(tx, input));
  },

  async 'mcpClients.update'({ id, name, url, auth, code, tools }, tx) {
    const row = await requireClient(tx, id);
    if (name !== undefined && name !== row.name) await requireFreeName(tx, name);
    const address = url === undefined ? row.url : requireServerUrl(url);
    return clientOf(
      await updateClient(tx, row, {
        ...(name !== undefined && { name }),
        url: address,
        ...(auth !== undefined && (await putAuth(tx, row, auth))),
        ...(code !== undefined && { code: code ? 1 : 0 }),
        ...(tools !== undefined && { policies: changePolicies(row, tools) }),
        // Another address is another server: how it is spoken to is not known yet.
        ...(address !== row.url && { transport: null, transport_at: null, announced: null }),
        updated_at: tx.now,
      }),
    );
  },

  async 'mcpClients.remove'({ id }, tx) {
    await removeClient(tx, await requireClient(tx, id));
    return {};
  },

  async 'mcpClients.accept'({ id, tools: hashes, exactly = false }, tx) {
    const row = await requireClient(tx, id);
    const before = acceptedOf(row);
    const accepted = exactly ? acceptExactly(row, hashes ?? {}) : acceptListed(row, hashes);
    const names = toolsOf(row)
      .filter((tool) => stateOfTool(tool, before).state === 'withheld')
      .filter((tool) => stateOfTool(tool, accepted).state === 'available')
      .map(({ name }) => name);
    return { accepted: names, client: clientOf(await keepAccepted(tx, row, accepted)) };
  },
};

function keepAccepted(tx: Tx, row: McpClientRow, accepted: AcceptedTools): Promise<McpClientRow> {
  return updateClient(tx, row, {
    accepted: JSON.stringify(accepted),
    ...countStates(toolsOf(row), accepted),
    updated_at: tx.now,
  });
}

/** @throws WorkspaceError mcp_tool_unknown, mcp_tool_changed */
function acceptListed(row: McpClientRow, hashes: Readonly<Record<string, string>> | undefined): AcceptedTools {
  const listed = toolsOf(row);
  // What the server no longer lists is forgotten, too.
  if (hashes === undefined) return acceptTools(listed);
  const meant = Object.entries(hashes).map(([name, hash]) => {
    const tool = listed.find((one) => one.name === name);
    if (tool === undefined) throw refusal('mcp_tool_unknown', `${row.name} lists no tool ${name}`);
    if (tool.hash !== hash) {
      throw refusal('mcp_tool_changed', `${name} of ${row.name} has changed again since it was shown`, {
        hint: `See what it is now: fn mcp diff ${row.name}`,
      });
    }
    return tool;
  });
  return { ...acceptedOf(row), ...acceptTools(meant) };
}

/** What a lock file says; definitions are kept where they are known. */
function acceptExactly(row: McpClientRow, hashes: Readonly<Record<string, string>>): AcceptedTools {
  const before = acceptedOf(row);
  const listed = acceptTools(toolsOf(row));
  return Object.fromEntries(
    Object.entries(hashes).map(([name, hash]) => {
      const known = [before[name], listed[name]].find((one) => one?.hash === hash);
      return [name, known ?? { hash }];
    }),
  );
}

function changePolicies(row: McpClientRow, changes: NonNullable<ParsedInput<'mcpClients.update'>['tools']>): string {
  const names = new Set(toolsOf(row).map(({ name }) => name));
  const policies = new Map(Object.entries(policiesOf(row)));
  for (const [name, policy] of Object.entries(changes)) {
    if (policy === null) policies.delete(name);
    else if (!names.has(name) && !policies.has(name)) {
      throw refusal('mcp_tool_unknown', `${row.name} lists no tool ${name}`, {
        errors: [{ path: `tools.${name}`, message: 'is not listed' }],
      });
    } else policies.set(name, policy);
  }
  return JSON.stringify(Object.fromEntries(policies));
}
