import type { Client } from '../client/index.ts';
import { type ApplyEvent, apply } from './apply.ts';
import { refuseOverwriting } from './drift.ts';
import type { CommitInfo } from './git.ts';
import { waitsForInstall } from './install.ts';
import { readLive } from './live.ts';
import { type DeployFile, manifestOf } from './manifest.ts';
import { type Change, plan } from './plan.ts';
import type { DeployState } from './state.ts';

export interface DeployOptions {
  readonly client: Client;
  readonly app: string;
  /** Builds the functions; started at once, while the live deployment is being read. */
  readonly functions: () => Promise<readonly DeployFile[]>;
  readonly state: DeployState;
  /** Only these paths. */
  readonly only?: readonly string[] | undefined;
  readonly prune: boolean;
  readonly dryRun: boolean;
  /** Overwrites a deployment that somebody else activated. */
  readonly force: boolean;
  readonly allowOlder: boolean;
  readonly message?: string | undefined;
  /** The current commit; git is asked at once, while functions are built. */
  readonly commit?: Promise<CommitInfo | undefined> | undefined;
  readonly secrets: readonly string[];
  /** The profile given for this command only: suggested follow-up commands have to name it, too. */
  readonly namedProfile?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: ApplyEvent) => void) | undefined;
  /** Called with the plan before anything is sent; false ends the deploy without a change. */
  readonly agree?: ((changes: readonly Change[]) => Promise<boolean>) | undefined;
}

/** The result of a deploy as data: commands print it, scripts read it. */
export interface DeployReport {
  readonly outcome: 'done' | 'unchanged' | 'dry_run' | 'declined';
  readonly app: string;
  readonly workspace: string;
  /** What is live now; null when nothing is. */
  readonly deployment: string | null;
  /** What was live before. */
  readonly previous: string | null;
  /** SHA-256 of the plan's manifest. */
  readonly fingerprint: string;
  readonly changes: readonly Change[];
  readonly uploaded: { readonly files: number; readonly bytes: number };
  readonly commit: { readonly sha: string; readonly dirty: boolean } | null;
  readonly message: string | null;
  /** Whether the live functions cannot be reached until the app is installed, as when its setup asks for settings. */
  readonly waitsForInstall: boolean;
}

/** Plans the changes against what is live and applies them. A second run makes no deployment. */
export async function deploy(options: DeployOptions): Promise<DeployReport> {
  const { client, app, state, signal } = options;
  const [live, functions, commit] = await Promise.all([
    readLive(client, app, signal),
    options.functions(),
    options.commit,
  ]);
  refuseOverwriting(live, state.read(), commit?.commit, { force: options.force, older: options.allowOlder });
  const { manifest, blobs } = manifestOf(functions);
  const planned = plan(manifest, live?.deployment.manifest ?? [], { prune: options.prune, only: options.only });
  const report = {
    app,
    workspace: client.workspace.slug,
    deployment: live?.deployment.id ?? null,
    previous: live?.deployment.id ?? null,
    fingerprint: planned.fingerprint,
    changes: planned.changes,
    uploaded: { files: 0, bytes: 0 },
    commit: commit === undefined ? null : { sha: commit.commit.sha, dirty: commit.dirty },
    message: options.message ?? null,
    waitsForInstall: false,
  };
  if (options.dryRun) return { ...report, outcome: 'dry_run' };
  if (!planned.changed) {
    if (live !== undefined) {
      const { id, fingerprint } = live.deployment;
      const known = state.read();
      if (known.last?.id !== id || known.underWay !== undefined || known.goingBack !== undefined) {
        await state.write({ last: { id, fingerprint, at: new Date().toISOString() } });
      }
    }
    return { ...report, outcome: 'unchanged', waitsForInstall: await waitsForInstall(options, planned) };
  }
  if (options.agree !== undefined && !(await options.agree(planned.changes))) return { ...report, outcome: 'declined' };
  const applied = await apply({ ...options, commit: commit?.commit, plan: planned, blobs, live });
  return {
    ...report,
    outcome: applied.wasLive ? 'unchanged' : 'done',
    deployment: applied.deployment.id,
    uploaded: { files: applied.uploadedFiles, bytes: applied.uploadedBytes },
    waitsForInstall: await waitsForInstall(options, planned),
  };
}
