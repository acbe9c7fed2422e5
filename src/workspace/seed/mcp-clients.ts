import type { ParsedInput } from '../../contract/index.ts';
import type { FieldProblem } from '../../std/index.ts';
import { seedProblem } from '../door/problems.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { findClient, insertClient, putClientSecret, readClientSecret } from '../mcp/clients.ts';
import type { NamedSecrets } from './endpoints.ts';

type Client = NonNullable<ParsedInput<'workspace.import'>['seed']['mcpClients']>[number];

/**
 * Adds the MCP clients of a seed that the workspace does not have. One whose secret has no value on this machine is there, and connects once
 * it has one. Nothing is connected here: what a server lists first is accepted at the first use, as with `fn mcp add`.
 * @returns how many were added
 */
export async function addMcpClients(
  tx: Tx,
  clients: readonly Client[],
  secrets: NamedSecrets,
  problems: FieldProblem[],
): Promise<number> {
  let added = 0;
  for (const [index, client] of clients.entries()) {
    if ((await findClient(tx, client.name)) !== undefined) continue;
    try {
      await insertClient(tx, client);
      added++;
    } catch (error) {
      problems.push(seedProblem(`mcpClients[${index}]`, error));
    }
  }
  await fillMcpSecrets(tx, secrets);
  return added;
}

/** Gives the clients of a seed the values that have come since. */
export async function fillMcpSecrets(tx: Tx, secrets: NamedSecrets): Promise<void> {
  const rows = await tx.db
    .selectFrom('mcp_client')
    .select(['id', 'secret_from'])
    .where('secret_from', 'is not', null)
    .execute();
  for (const { id, secret_from } of rows) {
    const value = secret_from === null ? undefined : secrets[secret_from];
    if (value !== undefined && (await readClientSecret(tx, id)) === undefined) await putClientSecret(tx, id, value);
  }
}

/** The MCP clients as a seed describes them, without secrets and without what their servers list. */
export async function exportMcpClients({ db }: Tx): Promise<{ mcpClients?: Client[] }> {
  const rows = await db.selectFrom('mcp_client').selectAll().orderBy('created_at').orderBy('id').execute();
  const mcpClients = rows.map((row): Client => {
    const secretFrom = row.secret_from === null ? {} : { secretFrom: row.secret_from };
    return {
      name: row.name,
      url: row.url,
      ...(row.auth === 'basic' && { auth: { kind: 'basic' as const, user: row.user ?? '', ...secretFrom } }),
      ...(row.auth === 'bearer' && { auth: { kind: 'bearer' as const, ...secretFrom } }),
      ...(row.code === 1 && { code: true }),
      ...(row.policies !== '{}' && { tools: fromJson<NonNullable<Client['tools']> & object>(row.policies) }),
    };
  });
  return mcpClients.length === 0 ? {} : { mcpClients };
}
