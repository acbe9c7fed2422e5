import { type ParsedInput, refusal } from '../../contract/index.ts';
import { etagOfDeployment } from '../door/etag.ts';
import type { Tx } from '../door/tx.ts';
import { requireReferences } from './references.ts';
import {
  type Deployment,
  type DeploymentRow,
  deploymentOf,
  deploymentRow,
  lastActivation,
  liveRow,
  missingFiles,
} from './rows.ts';
import { commitOf, conflict, refuseOlder } from './rules.ts';

/** The release to make live, and the one that is live. If they are the same, there is nothing to do. */
export interface Switch {
  readonly row: DeploymentRow;
  readonly live: DeploymentRow | undefined;
}

/** @throws WorkspaceError deployment_not_found, deployment_expired, deployment_incomplete, version_conflict, deployment_older */
export async function planActivate(
  tx: Tx,
  input: ParsedInput<'deployments.activate'>,
  ifMatch: string | undefined,
): Promise<Switch> {
  const row = await deploymentRow(tx, input.app, input.id);
  const live = await liveRow(tx, input.app);
  // This is a repeat after a lost answer.
  if (live?.id === row.id) return { row, live };
  if (deploymentOf(row, tx.now).state === 'expired') throw refusal('deployment_expired');
  if (ifMatch === undefined && row.activation === null && (live?.id ?? null) !== row.base_version) throw conflict(live);
  requireLive(tx, live);
  if (input.allowOlder !== true) refuseOlder(commitOf(row), live);
  await requireComplete(tx, row);
  await requireReferences(tx, row);
  return { row, live };
}

/** Plans a rollback to an older deployment; without a target, to the one that the live one replaced. */
export async function planRollback(tx: Tx, input: ParsedInput<'deployments.rollback'>): Promise<Switch> {
  const live = await liveRow(tx, input.app);
  if (live === undefined) throw refusal('app_unknown', `Nothing of ${input.app} is deployed`);
  requireLive(tx, live);
  const row = input.to === undefined ? await before(tx, live) : await deploymentRow(tx, input.app, input.to);
  if (row === undefined || row.activation === null) {
    const what = input.to === undefined ? `There is no deployment before ${live.id}` : `${input.to} was never live`;
    throw refusal('deployment_not_found', what);
  }
  if (row.id !== live.id) {
    await requireComplete(tx, row);
    await requireReferences(tx, row);
  }
  return { row, live };
}

/** Switches an app to a deployment, all functions at once. */
export async function apply(tx: Tx, { row, live }: Switch): Promise<Deployment> {
  if (row.id === live?.id) return deploymentOf(row, tx.now);
  if (live !== undefined) {
    await tx.db.updateTable('deployment').set({ state: 'superseded' }).where('id', '=', live.id).execute();
  }
  const changes = {
    state: 'live',
    activated_at: tx.now,
    activation: row.activation ?? (await lastActivation(tx, row.app)) + 1,
  };
  await tx.db.updateTable('deployment').set(changes).where('id', '=', row.id).execute();
  await tx.db.updateTable('app').set({ live: row.id, functions: row.functions }).where('app', '=', row.app).execute();
  const deployment = deploymentOf({ ...row, ...changes }, tx.now);
  await tx.announce({ type: 'function.deployed', data: { deployment }, previous: { live: live?.id ?? null } });
  return deployment;
}

async function requireComplete(tx: Tx, { id }: DeploymentRow): Promise<void> {
  const missing = await missingFiles(tx, id);
  if (missing.length === 0) return;
  throw refusal('deployment_incomplete', `${missing.length} files of ${id} are missing`, { details: { missing } });
}

function requireLive(tx: Tx, live: DeploymentRow | undefined): void {
  try {
    tx.requireVersion(etagOfDeployment(live?.id ?? null));
  } catch {
    throw conflict(live);
  }
}

/** Finds the deployment that the live one replaced, skipping versions that were rolled back. */
async function before(tx: Tx, live: DeploymentRow): Promise<DeploymentRow | undefined> {
  const activated = tx.db
    .selectFrom('deployment')
    .selectAll()
    .where('app', '=', live.app)
    .where('activation', 'is not', null);
  const replaced = await activated.where('id', '=', live.base_version).executeTakeFirst();
  if (replaced !== undefined) return replaced;
  return activated
    .where('activation', '<', live.activation ?? 0)
    .orderBy('activation', 'desc')
    .limit(1)
    .executeTakeFirst();
}
