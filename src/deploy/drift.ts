import { ConflictError } from '../std/index.ts';
import { type Commit, isOlder } from './git.ts';
import { byWhom, isOlderThan, type Live } from './live.ts';
import type { Remembered } from './state.ts';

/** A change that somebody else made since this folder last deployed. */
export interface Drift {
  /** The deployment that this folder last activated. */
  readonly last: string;
  readonly live: string;
  readonly by: string;
}

/**
 * Detects whether the live deployment is neither this folder's last one nor from a commit that this folder contains.
 * A folder that never deployed here cannot tell; the order of commits is still checked.
 */
export function driftOf(live: Live | undefined, remembered: Remembered, commit: Commit | undefined): Drift | undefined {
  const { last, underWay, goingBack } = remembered;
  if (live === undefined || last === undefined) return undefined;
  const { deployment } = live;
  if (deployment.id === last.id || deployment.id === underWay?.id || deployment.fingerprint === last.fingerprint)
    return undefined;
  if (goingBack !== undefined && isOlderThan(live, goingBack.fromMadeAt)) return undefined;
  const theirs = deployment.commit?.sha;
  if (theirs !== undefined && commit !== undefined && (commit.sha === theirs || commit.ancestors?.includes(theirs)))
    return undefined;
  return { last: last.id, live: deployment.id, by: byWhom(deployment) };
}

/** @throws ConflictError drift, deployment_older */
export function refuseOverwriting(
  live: Live | undefined,
  remembered: Remembered,
  commit: Commit | undefined,
  allowed: { force: boolean; older: boolean },
): void {
  const theirs = live?.deployment.commit;
  if (!allowed.older && theirs && commit !== undefined && isOlder(commit, theirs)) {
    throw new ConflictError(
      'deployment_older',
      `The commit ${short(commit.sha)} is older than ${short(theirs.sha)}, which is live`,
      {
        hint: 'Deploy the newer commit. To go back on purpose, use fn rollback or --allow-older.',
      },
    );
  }
  const drift = driftOf(live, remembered, commit);
  if (drift !== undefined && !allowed.force) {
    throw new ConflictError(
      'drift',
      `${drift.live} is live, deployed ${drift.by}; this folder last deployed ${drift.last}`,
      {
        hint: 'See what differs with `fn diff`, take it over with `fn pull`, or overwrite it with --force.',
      },
    );
  }
}

function short(sha: string): string {
  return sha.slice(0, 10);
}
