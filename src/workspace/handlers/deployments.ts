import type { Selectable } from 'kysely';
import { type Caller, limits, type Output, type ParsedInput, refusal } from '../../contract/index.ts';
import type { FieldProblem } from '../../std/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import { canonicalJson, sha256Hex } from '../canonical.ts';
import type { Tables } from '../database/index.ts';
import { etagOfDeployment } from '../etag.ts';
import { pageBy } from '../page.ts';
import { inputInvalid } from '../problems.ts';
import { fromJson, type Tx } from '../tx.ts';
import { registerApp } from './apps.ts';
import type { HandlersOf } from './index.ts';

export type DeploymentRow = Selectable<Tables['deployment']>;
type Deployment = Output<'deployments.activate'>;
type Manifest = ParsedInput<'deployments.create'>['manifest'];
type Commit = { sha: string; committedAt: string; ancestors: readonly string[] };

export const deploymentHandlers: HandlersOf<'deployments'> = {
  async 'deployments.list'(input, tx) {
    const page = await pageBy(
      tx,
      'deployments.list',
      input,
      tx.db.selectFrom('deployment').selectAll().where('app', '=', input.app),
      { by: 'created_at', desc: true },
    );
    return {
      items: page.rows.map((row) => deploymentOf(row, tx.now)),
      nextCursor: page.nextCursor,
      live: await liveId(tx, input.app),
    };
  },

  async 'deployments.show'({ app, id }, tx) {
    const row = await deploymentRow(tx, app, id);
    return { ...deploymentOf(row, tx.now), manifest: manifestOf(row) };
  },

  async 'deployments.create'(input, tx, caller) {
    requireSound(input.manifest);
    await registerApp(tx, input.app, false);
    const live = await liveRow(tx, input.app);
    if ((live?.id ?? null) !== input.baseVersion) throw conflict(live);
    if (input.allowOlder !== true) refuseOlder(input.commit, live);
    await requireSecrets(tx, input.app, input.secrets ?? []);

    const manifest = [...input.manifest].sort((a, b) => (a.path < b.path ? -1 : 1));
    const fingerprint = sha256Hex(canonicalJson(manifest));
    if (live?.fingerprint === fingerprint) return { id: null, fingerprint, missing: [], unchanged: true };

    const id =
      (await continued(tx, input, fingerprint)) ?? (await insertDeployment(tx, input, manifest, fingerprint, caller));
    return { id, fingerprint, missing: await missingFiles(tx, id), unchanged: false };
  },
};

/** An unfinished deployment of the same manifest on the same base: a repeat goes on with it. */
async function continued(
  tx: Tx,
  input: ParsedInput<'deployments.create'>,
  fingerprint: string,
): Promise<string | undefined> {
  const open = await tx.db
    .selectFrom('deployment')
    .select(['id', 'commit_sha', 'base_version', 'message'])
    .where('app', '=', input.app)
    .where('fingerprint', '=', fingerprint)
    .where('state', '=', 'open')
    .where('expires_at', '>', tx.now)
    .execute();
  const same = open.find(
    (row) =>
      row.base_version === input.baseVersion &&
      row.commit_sha === (input.commit?.sha ?? null) &&
      row.message === (input.message ?? null),
  );
  if (same === undefined) return undefined;
  await tx.db
    .updateTable('deployment')
    .set({ expires_at: expiry(tx) })
    .where('id', '=', same.id)
    .execute();
  return same.id;
}

async function insertDeployment(
  tx: Tx,
  input: ParsedInput<'deployments.create'>,
  manifest: Manifest,
  fingerprint: string,
  caller: Caller,
): Promise<string> {
  const id = newId('dpl', tx.now);
  await tx.db
    .insertInto('deployment')
    .values({
      id,
      app: input.app,
      fingerprint,
      state: 'open',
      base_version: input.baseVersion,
      message: input.message ?? null,
      commit_sha: input.commit?.sha ?? null,
      committed_at: input.commit?.committedAt ?? null,
      ancestors: input.commit?.ancestors === undefined ? null : JSON.stringify(input.commit.ancestors),
      manifest: JSON.stringify(manifest),
      functions: manifest.length,
      created_by: JSON.stringify({ type: caller.type, id: caller.id, name: caller.name ?? null }),
      created_at: tx.now,
      expires_at: expiry(tx),
      activated_at: null,
      activation: null,
    })
    .execute();
  for (const [sha256, bytes] of filesOf(manifest)) {
    await tx.db.insertInto('deployment_file').values({ deployment_id: id, sha256, bytes }).execute();
  }
  return id;
}

/**
 * Switches an app to a deployment, all functions at once.
 * @throws WorkspaceError deployment_not_found, deployment_expired, deployment_incomplete, version_conflict, deployment_older
 */
export async function activate(
  tx: Tx,
  input: ParsedInput<'deployments.activate'>,
  ifMatch: string | undefined,
): Promise<Deployment> {
  const row = await deploymentRow(tx, input.app, input.id);
  const live = await liveRow(tx, input.app);
  // A repeat after a lost answer.
  if (live?.id === row.id) return deploymentOf(row, tx.now);
  if (deploymentOf(row, tx.now).state === 'expired') throw refusal('deployment_expired');
  if (ifMatch === undefined && row.activation === null && (live?.id ?? null) !== row.base_version) throw conflict(live);
  requireLive(tx, live);
  if (input.allowOlder !== true) refuseOlder(commitOf(row), live);
  return switchTo(tx, row, live);
}

/** Makes an older deployment live again; without a target the one that was first live before the one that is. */
export async function rollback(tx: Tx, input: ParsedInput<'deployments.rollback'>): Promise<Deployment> {
  const live = await liveRow(tx, input.app);
  if (live === undefined) throw refusal('app_unknown', `Nothing of ${input.app} is deployed`);
  requireLive(tx, live);
  const row = input.to === undefined ? await before(tx, live) : await deploymentRow(tx, input.app, input.to);
  if (row === undefined || row.activation === null) {
    const what = input.to === undefined ? `There is no deployment before ${live.id}` : `${input.to} was never live`;
    throw refusal('deployment_not_found', what);
  }
  return row.id === live.id ? deploymentOf(row, tx.now) : switchTo(tx, row, live);
}

async function switchTo(tx: Tx, row: DeploymentRow, live: DeploymentRow | undefined): Promise<Deployment> {
  const missing = await missingFiles(tx, row.id);
  if (missing.length > 0) {
    throw refusal('deployment_incomplete', `${missing.length} files of ${row.id} are missing`, {
      details: { missing },
    });
  }
  if (live !== undefined) {
    await tx.db.updateTable('deployment').set({ state: 'superseded' }).where('id', '=', live.id).execute();
  }
  const changes = {
    state: 'live',
    activated_at: tx.now,
    activation: row.activation ?? (await nextActivation(tx, row.app)),
  };
  await tx.db.updateTable('deployment').set(changes).where('id', '=', row.id).execute();
  await tx.db.updateTable('app').set({ live: row.id, functions: row.functions }).where('app', '=', row.app).execute();
  const deployment = deploymentOf({ ...row, ...changes }, tx.now);
  await tx.announce({ type: 'function.deployed', data: { deployment }, previous: { live: live?.id ?? null } });
  return deployment;
}

/** @param id `dpl_…`, or `live` */
export async function deploymentRow(tx: Tx, app: string, id: string): Promise<DeploymentRow> {
  const row =
    id === 'live'
      ? await liveRow(tx, app)
      : await tx.db.selectFrom('deployment').selectAll().where('app', '=', app).where('id', '=', id).executeTakeFirst();
  if (row === undefined) {
    throw refusal(
      'deployment_not_found',
      id === 'live' ? `Nothing of ${app} is deployed` : `${app} has no deployment ${id}`,
    );
  }
  return row;
}

export async function liveRow(tx: Tx, app: string): Promise<DeploymentRow | undefined> {
  return tx.db
    .selectFrom('deployment')
    .innerJoin('app', 'app.live', 'deployment.id')
    .selectAll('deployment')
    .where('app.app', '=', app)
    .executeTakeFirst();
}

async function liveId(tx: Tx, app: string): Promise<string | null> {
  const row = await tx.db.selectFrom('app').select('live').where('app', '=', app).executeTakeFirst();
  return row?.live ?? null;
}

async function missingFiles(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('deployment_file')
    .leftJoin('blob', 'blob.sha256', 'deployment_file.sha256')
    .select('deployment_file.sha256')
    .where('deployment_file.deployment_id', '=', id)
    .where('blob.sha256', 'is', null)
    .orderBy('deployment_file.sha256')
    .execute();
  return rows.map((row) => row.sha256);
}

/** Lets go of deployments nobody activated and of files nobody names; gives the files that can be deleted. */
export async function collect(tx: Tx): Promise<string[]> {
  const expired = await tx.db
    .updateTable('deployment')
    .set({ state: 'expired' })
    .where('state', '=', 'open')
    .where('expires_at', '<=', tx.now)
    .returning('id')
    .execute();
  for (const { id } of expired) await tx.db.deleteFrom('deployment_file').where('deployment_id', '=', id).execute();
  const unnamed = await tx.db
    .deleteFrom('blob')
    .where('kept_from', '<=', tx.now - limits.deployment.blobKeptHours * 3_600_000)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('deployment_file').select('sha256').whereRef('deployment_file.sha256', '=', 'blob.sha256'),
        ),
      ),
    )
    .returning('sha256')
    .execute();
  return unnamed.map((row) => row.sha256);
}

function deploymentOf(row: DeploymentRow, now: number): Deployment {
  const state = row.state === 'open' && row.expires_at <= now ? 'expired' : row.state;
  return {
    id: row.id,
    app: row.app,
    fingerprint: row.fingerprint,
    state: state as Deployment['state'],
    baseVersion: row.base_version,
    message: row.message,
    commit: row.commit_sha === null ? null : { sha: row.commit_sha, committedAt: row.committed_at ?? '' },
    functions: row.functions,
    createdBy: fromJson<Deployment['createdBy']>(row.created_by),
    createdAt: toTimestamp(row.created_at),
    activatedAt: row.activated_at === null ? null : toTimestamp(row.activated_at),
  };
}

export function manifestOf(row: DeploymentRow): Manifest {
  return fromJson<Manifest>(row.manifest);
}

/** Every file of a manifest once: hash and size. */
function filesOf(manifest: Manifest): Map<string, number> {
  const files = new Map<string, number>();
  for (const file of manifest) {
    files.set(file.sha256, file.bytes);
    if (file.sourceMapSha256 !== undefined)
      files.set(file.sourceMapSha256, file.sourceMapBytes ?? limits.deployment.fileBytes);
    if (file.cssSha256 !== undefined) files.set(file.cssSha256, file.cssBytes ?? limits.deployment.fileBytes);
  }
  return files;
}

function requireSound(manifest: Manifest): void {
  const problems: FieldProblem[] = [];
  const paths = new Set<string>();
  const sizes = new Map<string, number>();
  for (const [index, file] of manifest.entries()) {
    if (paths.has(file.path))
      problems.push({ path: `manifest[${index}].path`, message: `is there twice: ${file.path}` });
    paths.add(file.path);
    if (
      file.bytes > limits.deployment.fileBytes ||
      (file.sourceMapBytes ?? 0) > limits.deployment.fileBytes ||
      (file.cssBytes ?? 0) > limits.deployment.fileBytes
    ) {
      problems.push({ path: `manifest[${index}].bytes`, message: `is more than ${limits.deployment.fileBytes}` });
    }
    if ((sizes.get(file.sha256) ?? file.bytes) !== file.bytes) {
      problems.push({ path: `manifest[${index}].bytes`, message: 'differs from another file of the same hash' });
    }
    sizes.set(file.sha256, file.bytes);
  }
  if (problems.length > 0) throw inputInvalid('deployments.create', problems);
}

async function requireSecrets(tx: Tx, app: string, names: readonly string[]): Promise<void> {
  const rows = await tx.db.selectFrom('secret').select('name').where('app', '=', app).execute();
  const known = new Set(rows.map((row) => row.name));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  throw refusal('secrets_missing', `${app} has no value for ${missing.join(', ')}`, {
    details: { missing },
    hint: `Set it first: fn secret set ${missing[0]}`,
  });
}

/** An older commit never replaces a newer one unless asked to. */
function refuseOlder(
  commit: { sha: string; committedAt: string; ancestors?: readonly string[] | undefined } | undefined,
  live: DeploymentRow | undefined,
): void {
  const there = live === undefined ? undefined : commitOf(live);
  if (commit === undefined || there === undefined || !isOlder({ ...commit, ancestors: commit.ancestors ?? [] }, there))
    return;
  throw refusal('deployment_older', `The commit ${commit.sha} is older than ${there.sha}, which is live`, {
    details: { live: live?.id ?? null, liveCommit: there.sha, commit: commit.sha },
    hint: 'Deploy the newer commit, or say --allow-older.',
  });
}

/** Where the history tells, it decides; else the time. */
function isOlder(given: Commit, there: Commit): boolean {
  if (given.sha === there.sha || given.ancestors.includes(there.sha)) return false;
  if (there.ancestors.includes(given.sha)) return true;
  return Date.parse(given.committedAt) < Date.parse(there.committedAt);
}

function commitOf(row: DeploymentRow): Commit | undefined {
  if (row.commit_sha === null || row.committed_at === null) return undefined;
  return { sha: row.commit_sha, committedAt: row.committed_at, ancestors: fromJson<string[]>(row.ancestors ?? '[]') };
}

function requireLive(tx: Tx, live: DeploymentRow | undefined): void {
  try {
    tx.requireVersion(etagOfDeployment(live?.id ?? null));
  } catch {
    throw conflict(live);
  }
}

/** Says who deployed what meanwhile. */
function conflict(live: DeploymentRow | undefined): Error {
  if (live === undefined) {
    return refusal('version_conflict', 'Nothing is live any more', { details: { live: null } });
  }
  const { createdBy, activatedAt } = deploymentOf(live, live.created_at);
  const who = createdBy.name ?? createdBy.id ?? createdBy.type;
  return refusal('version_conflict', `${live.id} is live, deployed by ${who} at ${activatedAt}`, {
    details: { live: live.id, deployedBy: createdBy, activatedAt, message: live.message, commit: live.commit_sha },
    hint: 'See what changed with fn diff, then deploy again.',
  });
}

async function before(tx: Tx, live: DeploymentRow): Promise<DeploymentRow | undefined> {
  return tx.db
    .selectFrom('deployment')
    .selectAll()
    .where('app', '=', live.app)
    .where('activation', '<', live.activation ?? 0)
    .orderBy('activation', 'desc')
    .limit(1)
    .executeTakeFirst();
}

async function nextActivation(tx: Tx, app: string): Promise<number> {
  const row = await tx.db
    .selectFrom('deployment')
    .select((eb) => eb.fn.max('activation').as('last'))
    .where('app', '=', app)
    .executeTakeFirst();
  return (row?.last ?? 0) + 1;
}

const expiry = (tx: Tx) => tx.now + limits.deployment.expiresHours * 3_600_000;
