import type { Selectable } from 'kysely';
import { limits, type Output, type ParsedInput, refusal } from '../../contract/index.ts';
import { toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';

export type DeploymentRow = Selectable<Tables['deployment']>;
export type Deployment = Output<'deployments.activate'>;
export type Manifest = ParsedInput<'deployments.create'>['manifest'];

/** The columns shown of a deployment, without its manifest, which has some 500 bytes for each function. */
export const shownColumns = [
  'id',
  'app',
  'fingerprint',
  'state',
  'base_version',
  'message',
  'commit_sha',
  'committed_at',
  'functions',
  'created_by',
  'created_at',
  'expires_at',
  'activated_at',
] as const;

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

export async function liveId(tx: Tx, app: string): Promise<string | null> {
  const row = await tx.db.selectFrom('app').select('live').where('app', '=', app).executeTakeFirst();
  return row?.live ?? null;
}

export async function missingFiles(tx: Tx, id: string): Promise<string[]> {
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

/**
 * Deletes the rows of deployments that nobody activated, of the app's deployments that are too old to roll back to, and of files that
 * no deployment names; returns the files that can be deleted.
 */
export async function collect(tx: Tx, app: string): Promise<string[]> {
  await forgetOld(tx, app);
  const unneeded = tx.now - limits.deployment.blobKeptHours * 3_600_000;
  await tx.db.deleteFrom('deployment').where('state', '=', 'expired').where('expires_at', '<=', unneeded).execute();
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
    .where('kept_from', '<=', unneeded)
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

async function forgetOld(tx: Tx, app: string): Promise<void> {
  const last = await lastActivation(tx, app);
  await tx.db
    .deleteFrom('deployment')
    .where('app', '=', app)
    .where('state', '=', 'superseded')
    .where('activation', '<=', last - limits.deployment.kept)
    .execute();
}

/** The number of an app's deployments that were ever live. */
export async function lastActivation(tx: Tx, app: string): Promise<number> {
  const row = await tx.db
    .selectFrom('deployment')
    .select((eb) => eb.fn.max('activation').as('last'))
    .where('app', '=', app)
    .executeTakeFirst();
  return row?.last ?? 0;
}

export function deploymentOf(row: Pick<DeploymentRow, (typeof shownColumns)[number]>, now: number): Deployment {
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
