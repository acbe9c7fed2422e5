import { type Caller, isAppFileKind, limits, type ParsedInput } from '../../contract/index.ts';
import { canonicalJson, newId, sha256Hex } from '../../std/index.ts';
import {
  deploymentOf,
  deploymentRow,
  liveId,
  liveRow,
  type Manifest,
  manifestOf,
  missingFiles,
  shownColumns,
} from '../deployments/rows.ts';
import { conflict, refuseOlder, requireSecrets, requireSound } from '../deployments/rules.ts';
import type { Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import { registerApp } from './apps.ts';
import type { HandlersOf } from './index.ts';

export const deploymentHandlers: HandlersOf<'deployments'> = {
  async 'deployments.list'(input, tx) {
    const page = await pageBy(
      tx,
      'deployments.list',
      input,
      tx.db.selectFrom('deployment').select(shownColumns).where('app', '=', input.app),
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

/** Far below the 32,766 values that a statement of SQLite takes. */
const rowsAtOnce = 1_000;

/** Finds an unfinished deployment of the same manifest on the same base, which a repeat continues. */
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
      functions: manifest.filter(({ type }) => !isAppFileKind(type)).length,
      created_by: JSON.stringify({ type: caller.type, id: caller.id, name: caller.name ?? null }),
      created_at: tx.now,
      expires_at: expiry(tx),
      activated_at: null,
      activation: null,
    })
    .execute();
  const files = [...filesOf(manifest)].map(([sha256, bytes]) => ({ deployment_id: id, sha256, bytes }));
  for (let at = 0; at < files.length; at += rowsAtOnce) {
    await tx.db
      .insertInto('deployment_file')
      .values(files.slice(at, at + rowsAtOnce))
      .execute();
  }
  return id;
}

/** The files of a manifest without duplicates: hash and size. */
function filesOf(manifest: Manifest): Map<string, number> {
  const files = new Map<string, number>();
  for (const file of manifest) {
    files.set(file.sha256, file.bytes);
    if (file.sourceMapSha256 !== undefined)
      files.set(file.sourceMapSha256, file.sourceMapBytes ?? limits.deployment.fileBytes);
    for (const { sha256, bytes } of file.files ?? []) files.set(sha256, bytes);
    if (file.cssSha256 !== undefined) files.set(file.cssSha256, file.cssBytes ?? limits.deployment.fileBytes);
  }
  return files;
}

const expiry = (tx: Tx) => tx.now + limits.deployment.expiresHours * 3_600_000;
