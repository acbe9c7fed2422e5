import { type AppFileKind, appFileKinds, isAppFileKind, limits, refusal } from '../../contract/index.ts';
import { checkAppFile } from '../../contract/shapes/index.ts';
import type { FieldProblem } from '../../std/index.ts';
import { inputInvalid } from '../door/problems.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { type DeploymentRow, deploymentOf, type Manifest } from './rows.ts';

interface Commit {
  readonly sha: string;
  readonly committedAt: string;
  readonly ancestors: readonly string[];
}

export function requireSound(manifest: Manifest): void {
  const problems: FieldProblem[] = [];
  const paths = new Set<string>();
  const sizes = new Map<string, number>();
  for (const [index, file] of manifest.entries()) {
    if (paths.has(file.path))
      problems.push({ path: `manifest[${index}].path`, message: `is a duplicate: ${file.path}` });
    paths.add(file.path);
    for (const field of ['bytes', 'sourceMapBytes', 'cssBytes'] as const) {
      if ((file[field] ?? 0) <= limits.deployment.fileBytes) continue;
      const message = `of ${file.path} is more than ${limits.deployment.fileBytes}`;
      problems.push({ path: `manifest[${index}].${field}`, message });
    }
    for (const [at, { bytes, path }] of (file.files ?? []).entries()) {
      if (bytes <= limits.deployment.fileBytes) continue;
      const message = `of ${path} is more than ${limits.deployment.fileBytes}`;
      problems.push({ path: `manifest[${index}].files[${at}].bytes`, message });
    }
    if (isAppFileKind(file.type)) problems.push(...contentProblems(file.type, file, index));
    if ((sizes.get(file.sha256) ?? file.bytes) !== file.bytes) {
      problems.push({ path: `manifest[${index}].bytes`, message: 'differs from another file of the same hash' });
    }
    sizes.set(file.sha256, file.bytes);
  }
  if (problems.length > 0) throw inputInvalid('deployments.create', problems);
}

/** A JSON file is checked where it is deployed, too: what is live can run. */
function contentProblems(kind: AppFileKind, file: Manifest[number], index: number): FieldProblem[] {
  const { folder } = appFileKinds[kind];
  const wrong = [file.path, ...(file.files ?? []).map(({ path }) => path)].find(
    (path) => !path.startsWith(`${folder}/`) || path.includes('..'),
  );
  if (wrong !== undefined) return [{ path: `manifest[${index}].path`, message: `is not below ${folder}/: ${wrong}` }];
  const checked = checkAppFile(kind, file.config);
  if (checked.fits) return [];
  return checked.problems.map(({ path, message }) => ({
    path: `manifest[${index}].config${path === '' ? '' : `.${path}`}`,
    message,
  }));
}

export async function requireSecrets(tx: Tx, app: string, names: readonly string[]): Promise<void> {
  const rows = await tx.db.selectFrom('secret').select('name').where('app', '=', app).execute();
  const known = new Set(rows.map((row) => row.name));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length === 0) return;
  throw refusal('secrets_missing', `${app} has no value for ${missing.join(', ')}`, {
    details: { missing },
    hint: `Set it first: fn secret set ${missing[0]}`,
  });
}

/** Refuses to replace a newer commit by an older one. */
export function refuseOlder(
  commit: { sha: string; committedAt: string; ancestors?: readonly string[] | undefined } | undefined,
  live: DeploymentRow | undefined,
): void {
  const there = live === undefined ? undefined : commitOf(live);
  if (commit === undefined || there === undefined || !isOlder({ ...commit, ancestors: commit.ancestors ?? [] }, there))
    return;
  throw refusal('deployment_older', `The commit ${commit.sha} is older than ${there.sha}, which is live`, {
    details: { live: live?.id ?? null, liveCommit: there.sha, commit: commit.sha },
    hint: 'Deploy the newer commit, or use --allow-older.',
  });
}

/** Decided by history if it is known, otherwise by time. */
function isOlder(given: Commit, there: Commit): boolean {
  if (given.sha === there.sha || given.ancestors.includes(there.sha)) return false;
  if (there.ancestors.includes(given.sha)) return true;
  return Date.parse(given.committedAt) < Date.parse(there.committedAt);
}

export function commitOf(row: DeploymentRow): Commit | undefined {
  if (row.commit_sha === null || row.committed_at === null) return undefined;
  return { sha: row.commit_sha, committedAt: row.committed_at, ancestors: fromJson<string[]>(row.ancestors ?? '[]') };
}

/** The error that says who deployed what meanwhile. */
export function conflict(live: DeploymentRow | undefined): Error {
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
