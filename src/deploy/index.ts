/**
 * From built functions to a live deployment: a plan as pure data, applied all at once, with a report as a value; and pulling it back
 * into a folder. Knows nothing about terminals, bundlers or sandboxes: built functions are passed in.
 */
export type { ApplyEvent } from './apply.ts';
export { type DeployOptions, type DeployReport, deploy } from './deploy.ts';
export { type Drift, driftOf } from './drift.ts';
export { type Commit, type CommitInfo, commitOf } from './git.ts';
export { annotation, masked, reportToGitHub } from './github.ts';
export { byWhom, type Live, readLive, replacedBy } from './live.ts';
export {
  type BuiltFunction,
  type DeployFile,
  deployFileOf,
  deployFileOfApp,
  fingerprintOf,
  type ManifestFile,
  manifestOf,
} from './manifest.ts';
export { type Change, type ChangeKind, type ConfigChange, type Plan, plan } from './plan.ts';
export { applyPull, inTheWay, type PullPlan, planPull } from './pull.ts';
export { type RolledBack, rollBack } from './rollback.ts';
export { DeployState, type Remembered } from './state.ts';
