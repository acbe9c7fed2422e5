import type { Selectable } from 'kysely';
import { checkServerUrl, limits, mcpModelName, type Output, type ParsedInput, refusal } from '../../contract/index.ts';
import { newId, sha256Hex, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { putOwnerSecret, removeOwnerSecrets } from '../owner-secrets.ts';
import type { ListedMcpTool, McpToolPolicy } from '../types.ts';
import { type AcceptedTools, findAccepted, stateOfTool } from './tool-states.ts';

export type McpClientRow = Selectable<Tables['mcp_client']>;
export type McpClient = Output<'mcpClients.show'>;
type Auth = NonNullable<ParsedInput<'mcpClients.add'>['auth']>;

/** The name under which a client's secret is stored. */
const secretName = 'auth';

/** @param asked id or name @throws WorkspaceError mcp_client_not_found */
export async function requireClient(tx: Tx, asked: string): Promise<McpClientRow> {
  const row = await findClient(tx, asked);
  if (row !== undefined) return row;
  throw refusal('mcp_client_not_found', `There is no MCP client ${asked}`, { hint: 'See: fn mcp list' });
}

/** @param asked id or name */
export async function findClient({ db }: Tx, asked: string): Promise<McpClientRow | undefined> {
  return db
    .selectFrom('mcp_client')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', asked), eb('name', '=', asked)]))
    .executeTakeFirst();
}

/** A client without its connection, which the machine knows. */
export function clientOf(row: McpClientRow): McpClient {
  const time = (ms: number | null) => (ms === null ? null : toTimestamp(ms));
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    auth: { kind: row.auth as McpClient['auth']['kind'], user: row.user },
    code: row.code === 1,
    state: 'idle',
    reason: null,
    retryAt: null,
    transport: row.transport as McpClient['transport'],
    protocolVersion: row.protocol,
    server: row.server === null ? null : fromJson<{ name: string; version: string }>(row.server),
    tools: { available: row.available, withheld: row.withheld },
    listedAt: time(row.listed_at),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

export interface GivenClient {
  readonly name: string;
  readonly url: string;
  /** A seed names the secret instead of holding it. */
  readonly auth?:
    | Auth
    | undefined
    | { readonly kind: 'basic' | 'bearer'; readonly user?: string; readonly secretFrom?: string | undefined };
  readonly code?: boolean | undefined;
  readonly tools?: Readonly<Record<string, McpToolPolicy>> | undefined;
}

/** @throws WorkspaceError mcp_client_exists, mcp_client_limit, mcp_url_invalid, mcp_url_insecure, mcp_url_private */
export async function insertClient(
  tx: Tx,
  { name, url, auth = { kind: 'none' }, code, tools = {} }: GivenClient,
): Promise<McpClientRow> {
  const address = requireServerUrl(url);
  await requireFreeName(tx, name);
  const { maxClients } = limits.mcp;
  const { count } = await tx.db
    .selectFrom('mcp_client')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= maxClients) throw refusal('mcp_client_limit', `A workspace has at most ${maxClients} MCP clients`);
  const row: McpClientRow = {
    id: newId('mcp', tx.now),
    name,
    url: address,
    auth: auth.kind,
    user: 'user' in auth ? (auth.user ?? null) : null,
    secret_from: 'secretFrom' in auth ? (auth.secretFrom ?? null) : null,
    code: code === true ? 1 : 0,
    policies: JSON.stringify(tools),
    transport: null,
    transport_at: null,
    protocol: null,
    server: null,
    tools: '[]',
    accepted: null,
    available: 0,
    withheld: 0,
    listed_at: null,
    announced: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await tx.db.insertInto('mcp_client').values(row).execute();
  if ('secret' in auth) await putClientSecret(tx, row.id, auth.secret);
  return row;
}

export async function updateClient(
  tx: Tx,
  row: McpClientRow,
  set: Partial<Omit<McpClientRow, 'id'>>,
): Promise<McpClientRow> {
  const { id, ...columns } = { ...row, ...set };
  await tx.db.updateTable('mcp_client').set(columns).where('id', '=', id).execute();
  return { id, ...columns };
}

/** Replaces the authentication, and the secret that belongs to it. @returns the columns that say so */
export async function putAuth(tx: Tx, row: McpClientRow, auth: Auth): Promise<Partial<McpClientRow>> {
  if (auth.kind === 'none') await removeOwnerSecrets(tx, row.id);
  else await putClientSecret(tx, row.id, auth.secret);
  return { auth: auth.kind, user: auth.kind === 'basic' ? auth.user : null, secret_from: null };
}

export async function removeClient(tx: Tx, { id }: McpClientRow): Promise<void> {
  await removeOwnerSecrets(tx, id);
  await tx.db.deleteFrom('mcp_client').where('id', '=', id).execute();
}

export const putClientSecret = (tx: Tx, id: string, value: string): Promise<void> =>
  putOwnerSecret(tx, id, secretName, value);

export async function readClientSecret({ db }: Tx, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('secret')
    .select('value')
    .where('app', '=', id)
    .where('name', '=', secretName)
    .executeTakeFirst();
  return row?.value;
}

/** @throws WorkspaceError mcp_url_invalid, mcp_url_insecure, mcp_url_private. @returns the address in its usual spelling */
export function requireServerUrl(text: string): string {
  const checked = checkServerUrl(text, { allowLoopback: true });
  if ('url' in checked) return checked.url;
  throw refusal(checked.code, checked.message, {
    hint: checked.hint,
    errors: [{ path: 'url', message: checked.message }],
  });
}

/** @throws WorkspaceError mcp_client_exists */
export async function requireFreeName(tx: Tx, name: string): Promise<void> {
  const known = await findClient(tx, name);
  if (known === undefined) return;
  throw refusal('mcp_client_exists', `${name} is already the MCP client ${known.id}`, {
    hint: `Change it, or remove it first: fn mcp remove ${name}`,
    details: { id: known.id },
  });
}

export const toolsOf = (row: Pick<McpClientRow, 'tools'>): ListedMcpTool[] => fromJson<ListedMcpTool[]>(row.tools);
export const acceptedOf = (row: Pick<McpClientRow, 'accepted'>): AcceptedTools =>
  row.accepted === null ? {} : fromJson<AcceptedTools>(row.accepted);
export const policiesOf = (row: Pick<McpClientRow, 'policies'>): Readonly<Record<string, McpToolPolicy>> =>
  fromJson<Record<string, McpToolPolicy>>(row.policies);

/** How many tools there are of each state, kept beside them so that lists need not read them. */
export function countStates(
  tools: readonly ListedMcpTool[],
  accepted: AcceptedTools,
): Pick<McpClientRow, 'available' | 'withheld'> {
  const available = tools.filter((tool) => stateOfTool(tool, accepted).state === 'available').length;
  return { available, withheld: tools.length - available };
}

type ShownTool = Output<'mcpClients.tools'>['items'][number];

/** A tool with its state and its policy. */
export function toolOf(row: McpClientRow, tool: ListedMcpTool, accepted: AcceptedTools): ShownTool {
  const known = findAccepted(accepted, tool.name);
  const policies = policiesOf(row);
  const policy = Object.hasOwn(policies, tool.name) ? policies[tool.name] : undefined;
  const { timeoutMs, maxCallsPerRun, perMinute } = limits.mcp;
  return {
    ...(tool as ShownTool),
    modelName: mcpModelName(row.name, tool.name, sha256Hex),
    ...stateOfTool(tool, accepted),
    confirm: policy?.confirm ?? (tool.annotations.destructive === true ? 'human' : 'never'),
    limits: {
      timeoutMs: policy?.limits?.timeoutMs ?? timeoutMs,
      maxCallsPerRun: policy?.limits?.maxCallsPerRun ?? maxCallsPerRun,
      perMinute: policy?.limits?.perMinute ?? perMinute,
    },
    log: policy?.log ?? 'full',
    acceptedHash: known?.hash ?? null,
    accepted: known === undefined || known.hash === tool.hash ? null : (known.definition ?? null),
  };
}
