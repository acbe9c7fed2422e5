import type { Selectable } from 'kysely';
import { harnessNote, isLoopback, limits, type Output, refusal } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { putOwnerSecret } from '../owner-secrets.ts';
import { findSecretProblem, requireSigningSecret } from '../signing-secret.ts';
import type { LoadedHarness } from '../types.ts';

export type HarnessRow = Selectable<Tables['harness']>;
export type Harness = Output<'harnesses.show'>;
type Models = LoadedHarness['models'];

/** Names under which a harness's secrets are stored. */
export const harnessSecrets = { key: 'key', current: 'signing', old: 'signing_old' } as const;

/** The harness that every workspace has; it needs no key. */
export const builtInName = 'builtin';

/** @param asked id or name @throws WorkspaceError harness_not_found */
export async function requireHarness(tx: Tx, asked: string): Promise<HarnessRow> {
  const row = await tx.db
    .selectFrom('harness')
    .selectAll()
    .where((eb) => eb.or([eb('id', '=', asked), eb('name', '=', asked)]))
    .executeTakeFirst();
  if (row !== undefined) return row;
  throw refusal('harness_not_found', `There is no harness ${asked}`, { hint: 'See: fn harness list' });
}

/** Removes all harnesses but the one that every workspace has, which is as it was at the beginning. */
export async function resetHarnesses(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('harness').execute();
  await insertHarness(tx, { name: builtInName, kind: 'builtin' });
}

/** The harness of a new workspace was made with the database, at an unknown time. */
export async function dateBuiltIn({ db, now }: Tx): Promise<void> {
  await db.updateTable('harness').set({ created_at: now, updated_at: now }).where('created_at', '=', 0).execute();
}

export interface GivenHarness {
  readonly name: string;
  readonly kind: string;
  readonly provider?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly module?: string | undefined;
  readonly models?: Models | undefined;
  readonly requireSignedReplies?: boolean | undefined;
  readonly unsigned?: boolean | undefined;
  readonly apiKey?: string | undefined;
  readonly secret?: string | undefined;
  readonly secretFrom?: string | undefined;
}

/** @throws WorkspaceError harness_exists, harness_address_invalid, harness_module_invalid, signing_secret_invalid */
export async function insertHarness(tx: Tx, given: GivenHarness): Promise<HarnessRow> {
  const address = given.endpoint ?? given.baseUrl;
  if ((given.kind === 'agent-framework') !== (given.module !== undefined)) {
    const message = 'belongs to the kind agent-framework, which needs it: the file of the app that exports the agent';
    throw refusal('harness_module_invalid', `The module ${message}`, { errors: [{ path: 'module', message }] });
  }
  await requireFreeName(tx, given.name);
  const { count } = await tx.db
    .selectFrom('harness')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= limits.agents.maxHarnesses)
    throw refusal('harness_exists', `A workspace has at most ${limits.agents.maxHarnesses} harnesses`);
  const row: HarnessRow = {
    id: newId('har', tx.now),
    name: given.name,
    kind: given.kind,
    provider: given.provider ?? null,
    address:
      address === undefined ? null : requireAddress(address, given.endpoint === undefined ? 'baseUrl' : 'endpoint'),
    module: given.module ?? null,
    models: JSON.stringify(given.models ?? {}),
    signed: given.kind === 'custom' && given.unsigned !== true ? 1 : 0,
    signed_replies: given.requireSignedReplies ? 1 : 0,
    secret_from: given.secretFrom ?? null,
    old_secret_until: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await tx.db.insertInto('harness').values(row).execute();
  if (given.apiKey !== undefined) await putOwnerSecret(tx, row.id, harnessSecrets.key, given.apiKey);
  if (given.secret !== undefined)
    await putOwnerSecret(tx, row.id, harnessSecrets.current, requireSigningSecret(given.secret));
  return row;
}

/** @throws WorkspaceError harness_exists */
export async function requireFreeName({ db }: Tx, name: string): Promise<void> {
  const known = await db.selectFrom('harness').select('id').where('name', '=', name).executeTakeFirst();
  if (known === undefined) return;
  throw refusal('harness_exists', `${name} is already the harness ${known.id}`, { details: { id: known.id } });
}

/** @throws WorkspaceError harness_address_invalid */
export function requireAddress(text: string, path: string): string {
  const url = URL.parse(text);
  const wrong = (message: string) =>
    refusal('harness_address_invalid', `${path} ${message}`, {
      hint: 'Give an https URL, or an http URL on this machine.',
      errors: [{ path, message }],
    });
  if (url === null || !/^https?:$/.test(url.protocol)) throw wrong('is no https URL');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw wrong('is not encrypted');
  if (url.username !== '' || url.password !== '') throw wrong('holds a user or password; give the key apart from it');
  return text;
}

async function secretsOf({ db }: Tx, id: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('secret').select(['name', 'value']).where('app', '=', id).execute();
  return new Map(rows.map(({ name, value }) => [name, value]));
}

export async function harnessOf(tx: Tx, row: HarnessRow): Promise<Harness> {
  const secrets = await secretsOf(tx, row.id);
  const models = fromJson<Models>(row.models);
  const isCustom = row.kind === 'custom';
  return {
    id: row.id,
    name: row.name,
    kind: row.kind as Harness['kind'],
    note: harnessNote(row.kind),
    provider: row.kind === 'builtin' ? ((row.provider ?? 'scripted') as Harness['provider']) : null,
    baseUrl: isCustom ? null : row.address,
    endpoint: isCustom ? row.address : null,
    module: row.module,
    models: { main: models.main ?? null, fallback: models.fallback ?? null, fast: models.fast ?? null },
    hasKey: secrets.has(harnessSecrets.key),
    signed: row.signed === 1,
    requireSignedReplies: row.signed_replies === 1,
    state: needsSecret(row, secrets) ? 'needsSecret' : 'ready',
    secretFrom: row.secret_from,
    oldSecretUntil: row.old_secret_until === null ? null : toTimestamp(row.old_secret_until),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

function needsSecret(row: HarnessRow, secrets: ReadonlyMap<string, string>): boolean {
  // A custom harness that a seed added may have lost its secret, which no seed holds: it sends nothing until it has one again.
  if (row.kind === 'custom') return row.signed === 1 && !secrets.has(harnessSecrets.current);
  return row.secret_from !== null && !secrets.has(harnessSecrets.key);
}

/** A harness with its secrets, for the machine that speaks to it. */
export async function loadHarness(tx: Tx, asked: string): Promise<LoadedHarness> {
  const row = await requireHarness(tx, asked);
  const secrets = await secretsOf(tx, row.id);
  const apiKey = secrets.get(harnessSecrets.key);
  const old =
    row.old_secret_until !== null && row.old_secret_until > tx.now ? secrets.get(harnessSecrets.old) : undefined;
  const current = secrets.get(harnessSecrets.current);
  return {
    id: row.id,
    kind: row.kind as LoadedHarness['kind'],
    name: row.name,
    provider: (row.provider ?? undefined) as LoadedHarness['provider'],
    baseUrl: row.address ?? undefined,
    module: row.module ?? undefined,
    models: fromJson<Models>(row.models),
    apiKey,
    secrets: row.signed === 1 && current !== undefined ? [current, ...(old === undefined ? [] : [old])] : [],
    requireSignedReplies: row.signed_replies === 1,
    needsSecret: needsSecret(row, secrets),
  };
}

/** Gives harnesses of a seed the secrets that had no value when they were added. A value that cannot sign leaves them as they are. */
export async function fillHarnessSecrets(tx: Tx, secrets: Readonly<Record<string, string>>): Promise<void> {
  const rows = await tx.db.selectFrom('harness').selectAll().where('secret_from', 'is not', null).execute();
  for (const row of rows) {
    const value = row.secret_from === null ? undefined : secrets[row.secret_from];
    if (value === undefined || !needsSecret(row, await secretsOf(tx, row.id))) continue;
    const isCustom = row.kind === 'custom';
    if (isCustom && findSecretProblem(value)) continue;
    await putOwnerSecret(tx, row.id, isCustom ? harnessSecrets.current : harnessSecrets.key, value);
  }
}
