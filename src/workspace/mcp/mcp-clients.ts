import { limits } from '../../contract/index.ts';
import type { Announcement, Tx } from '../door/tx.ts';
import type { ListedMcpServer, LoadedMcpClient, McpClientsDoor } from '../types.ts';
import type { Transactions } from '../webhooks/webhooks.ts';
import {
  acceptedOf,
  clientOf,
  countStates,
  findClient,
  type McpClientRow,
  readClientSecret,
  toolOf,
  toolsOf,
  updateClient,
} from './clients.ts';
import { acceptTools, changedTools } from './tool-states.ts';

const origin = {
  name: 'mcpClients.connect',
  emits: ['mcpClient.connected', 'mcpClient.toolsChanged', 'mcpClient.failed'],
} as const;

/** What whoever connects needs of the workspace. */
export class McpClientsState implements McpClientsDoor {
  readonly #transactions: Transactions;

  constructor(transactions: Transactions) {
    this.#transactions = transactions;
  }

  load(asked: string): Promise<LoadedMcpClient | undefined> {
    return this.#transactions.read(async (tx) => {
      const row = await findClient(tx, asked);
      return row && (await loaded(tx, row));
    });
  }

  names(): Promise<string[]> {
    return this.#transactions.read(async ({ db }) => {
      const rows = await db.selectFrom('mcp_client').select('name').orderBy('created_at').orderBy('id').execute();
      return rows.map(({ name }) => name);
    });
  }

  recordListed(id: string, listed: ListedMcpServer): Promise<LoadedMcpClient | undefined> {
    return this.#transactions.write(origin, async (tx) => {
      const row = await findClient(tx, id);
      if (row === undefined) return undefined;
      const before = toolsOf(row);
      // What is listed first is accepted: whoever added the client has seen it, or trusts the server as it is.
      const accepted = row.accepted === null ? acceptTools(listed.tools) : acceptedOf(row);
      const after = await updateClient(tx, row, {
        transport: listed.transport,
        transport_at: tx.now,
        protocol: listed.protocolVersion,
        server: JSON.stringify(listed.server),
        tools: JSON.stringify(listed.tools),
        accepted: JSON.stringify(accepted),
        ...countStates(listed.tools, accepted),
        listed_at: tx.now,
        announced: 'connected',
      });
      if (row.announced !== 'connected') await tx.announce({ type: 'mcpClient.connected', ...eventData(after) });
      const changed = row.listed_at === null ? [] : changedTools(before, listed.tools);
      if (changed.length > 0) await tx.announce({ type: 'mcpClient.toolsChanged', ...eventData(after, { changed }) });
      return await loaded(tx, after);
    });
  }

  recordFailed(id: string, error: { readonly code: string; readonly message: string }): Promise<void> {
    return this.#transactions.write(origin, async (tx) => {
      const row = await findClient(tx, id);
      // The same failure again is no news.
      if (row === undefined || row.announced === error.code) return;
      const after = await updateClient(tx, row, { announced: error.code, transport_at: null });
      await tx.announce({ type: 'mcpClient.failed', ...eventData(after, { error }) });
    });
  }
}

async function loaded(tx: Tx, row: McpClientRow): Promise<LoadedMcpClient> {
  const secret = row.auth === 'none' ? undefined : await readClientSecret(tx, row.id);
  const isFresh = row.transport_at !== null && tx.now - row.transport_at < limits.mcp.transportHours * 3_600_000;
  const tools = toolsOf(row);
  const accepted = acceptedOf(row);
  const left = new Set(tools.map(({ name }) => name));
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    auth: row.auth as LoadedMcpClient['auth'],
    user: row.user,
    secret,
    secretFrom: row.secret_from,
    code: row.code === 1,
    transport: isFresh ? (row.transport as LoadedMcpClient['transport']) : null,
    isListed: row.listed_at !== null,
    tools: tools.map((tool) => toolOf(row, tool, accepted)),
    gone: Object.fromEntries(
      Object.entries(accepted).flatMap(([name, { hash }]) => (left.has(name) ? [] : [[name, hash]])),
    ),
  };
}

function eventData(
  row: McpClientRow,
  more: {
    readonly changed?: readonly string[];
    readonly error?: { readonly code: string; readonly message: string };
  } = {},
): Pick<Announcement, 'data'> {
  const { id, name, transport, tools } = clientOf(row);
  const { changed = [], error = null } = more;
  return { data: { mcpClient: { id, name, origin: new URL(row.url).origin, transport, tools, error, changed } } };
}
