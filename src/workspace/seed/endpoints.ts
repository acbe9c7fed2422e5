import type { ParsedInput } from '../../contract/index.ts';
import { type FieldProblem, WorkspaceError } from '../../std/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { putOwnerSecret } from '../owner-secrets.ts';
import { findSecretProblem } from '../signing-secret.ts';
import { insertEndpoint, requirePatterns, requireUrl, updateEndpoint } from '../webhooks/endpoints.ts';
import { secretNames } from '../webhooks/subscriptions.ts';

type Webhook = NonNullable<ParsedInput<'workspace.import'>['seed']['webhooks']>[number];

/** Values of the secrets that a seed names, by name. */
export type NamedSecrets = Readonly<Record<string, string>>;

/**
 * Adds the webhook endpoints of a seed that the workspace does not have. One whose secret has no value on this machine is there, gets no events,
 * and says so; a value that has come since enables it.
 * @returns how many were added
 */
export async function addEndpoints(
  tx: Tx,
  webhooks: readonly Webhook[],
  secrets: NamedSecrets,
  problems: FieldProblem[],
): Promise<number> {
  let added = 0;
  for (const [index, webhook] of webhooks.entries()) {
    const path = `webhooks[${index}]`;
    const checked = check(webhook, secrets);
    for (const problem of checked.problems) problems.push({ ...problem, path: `${path}${problem.path}` });
    if (checked.problems.length > 0) continue;
    const { kind, target, secret } = checked;
    const known = await tx.db
      .selectFrom('endpoint')
      .select('id')
      .where('kind', '=', kind)
      .where('target', '=', target)
      .executeTakeFirst();
    if (known !== undefined) continue;
    const state =
      webhook.state === 'disabled' ? 'disabled' : kind === 'url' && secret === undefined ? 'needsSecret' : 'enabled';
    await insertEndpoint(tx, {
      kind,
      source: 'api',
      target,
      events: [...new Set(webhook.events)],
      description: webhook.description ?? null,
      secret_from: webhook.secretFrom ?? null,
      state,
      reason: reasonOf(state, webhook.secretFrom),
      ...(secret !== undefined && { secret }),
    });
    added++;
  }
  await fillSecrets(tx, secrets);
  return added;
}

function reasonOf(state: string, secretFrom: string | undefined): string | null {
  if (state === 'enabled') return null;
  if (state === 'disabled') return 'disabled by the seed';
  return secretFrom === undefined
    ? 'the seed names no secret'
    : `the secret ${secretFrom} has no value on this machine`;
}

interface Checked {
  readonly kind: 'url' | 'function';
  readonly target: string;
  readonly secret: string | undefined;
  readonly problems: readonly FieldProblem[];
}

function check({ url, function: path, events, secretFrom }: Webhook, secrets: NamedSecrets): Checked {
  const problems: FieldProblem[] = [];
  const add = (field: string, message: string) => problems.push({ path: field, message });
  const kind = url === undefined ? 'function' : 'url';
  if ((url === undefined) === (path === undefined)) add('', 'needs either url or function, but not both');
  if (kind === 'function' && secretFrom !== undefined)
    add('.secretFrom', 'is of no use: what a function gets is not signed');
  let target = path ?? '';
  try {
    if (url !== undefined) target = requireUrl(url);
    requirePatterns(events);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    add(error.code === 'event_unknown' ? '.events' : '.url', error.message);
  }
  const secret = secretFrom === undefined || kind === 'function' ? undefined : secrets[secretFrom];
  const wrong = secret === undefined ? undefined : findSecretProblem(secret);
  if (wrong) add('.secretFrom', `names a value that cannot sign: ${wrong.message}`);
  return { kind, target, secret, problems };
}

/** Gives endpoints the secrets that had no value when they were added. A value that cannot sign leaves them as they are. */
export async function fillSecrets(tx: Tx, secrets: NamedSecrets): Promise<void> {
  const rows = await tx.db.selectFrom('endpoint').selectAll().where('state', '=', 'needsSecret').execute();
  for (const row of rows) {
    const secret = row.secret_from === null ? undefined : secrets[row.secret_from];
    if (secret === undefined || findSecretProblem(secret)) continue;
    await putOwnerSecret(tx, row.id, secretNames.current, secret);
    await updateEndpoint(tx, row, { state: 'enabled', reason: null });
  }
}

/** The endpoints as a seed describes them, without secrets. Those of apps follow from their functions. */
export async function exportEndpoints({ db }: Tx): Promise<Webhook[]> {
  const rows = await db
    .selectFrom('endpoint')
    .selectAll()
    .where('source', '!=', 'app')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...(row.kind === 'url' ? { url: row.target } : { function: row.target }),
    events: fromJson<string[]>(row.patterns),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.state === 'disabled' ? { state: 'disabled' as const } : {}),
    ...(row.secret_from === null ? {} : { secretFrom: row.secret_from }),
  }));
}
