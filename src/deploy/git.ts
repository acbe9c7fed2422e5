import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Input } from '../contract/index.ts';

export type Commit = NonNullable<Input<'deployments.create'>['commit']>;

export interface CommitInfo {
  readonly commit: Commit;
  /** Whether the app's folder has uncommitted changes. */
  readonly dirty: boolean;
}

const maxAncestors = 1_000;

/** Reads the current commit of an app's folder; undefined without git or without a commit. */
export async function commitOf(folder: string): Promise<CommitInfo | undefined> {
  if (!mayBeInRepository(folder)) return undefined;
  const log = await git(folder, ['rev-list', `--max-count=${maxAncestors + 1}`, 'HEAD', '--']);
  const [sha, ...ancestors] = (log ?? '').split('\n').filter((line) => /^[0-9a-f]{40,64}$/.test(line));
  if (sha === undefined) return undefined;
  const [time, dirty] = await Promise.all([
    git(folder, ['log', '-1', '--no-show-signature', '--format=%ct', sha, '--']),
    isDirty(folder),
  ]);
  const seconds = Number(time?.trim());
  if (!Number.isFinite(seconds) || seconds <= 0) return undefined;
  return {
    commit: { sha, committedAt: new Date(seconds * 1_000).toISOString(), ancestors: ancestors.slice(0, maxAncestors) },
    dirty,
  };
}

/** Submodules are compared by commit only: looking inside them would use their git config. */
async function isDirty(folder: string): Promise<boolean> {
  const withoutFilters = await filtersOff(folder);
  const status = withoutFilters && (await git(folder, [...withoutFilters, ...statusOfFolder]));
  return (status ?? '').trim() !== '';
}

const statusOfFolder = ['status', '--porcelain', '--ignore-submodules=dirty', '--', '.'];

/**
 * Switches off the repository's own filters: programs that git runs on files before it compares them. The user's filters (git-lfs)
 * stay; those in the repository's config may come from anywhere.
 * @returns arguments for git; undefined when the filters cannot be switched off
 */
async function filtersOff(folder: string): Promise<string[] | undefined> {
  const listed = await git(folder, ['config', '--list', '--show-scope', '--name-only', '-z']);
  const own = /(?<=^|\0)(?:local|worktree)\0filter\.([^\0]*)\.[^.\0]*(?=\0)/g;
  const names = new Set([...(listed ?? '').matchAll(own)].map(([, name = '']) => name));
  // In an argument, the key ends at the first equals sign.
  if (listed === undefined || [...names].some((name) => name.includes('='))) return undefined;
  return [...names].flatMap((name) =>
    ['clean=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${name}.${setting}`]),
  );
}

/** Avoids starting a process where there is certainly no repository. */
function mayBeInRepository(folder: string): boolean {
  if (process.env['GIT_DIR'] !== undefined || existsSync(join(folder, '.git'))) return true;
  return dirname(folder) !== folder && mayBeInRepository(dirname(folder));
}

/** Runs git so that nothing named in the repository's config is executed: no hooks, monitors or pagers, and no fetching of objects. */
function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  const safe = ['--no-pager', '--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
  return new Promise((resolve) => {
    const env = { ...process.env, GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' };
    const options = { cwd: folder, env, timeout: 10_000, maxBuffer: 4 * 1024 * 1024, windowsHide: true };
    execFile('git', [...safe, ...args], options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}

/**
 * Whether one commit is older than another: decided by history if it is known, otherwise by time.
 * @param mine the commit with its ancestors
 */
export function isOlder(mine: Commit, live: { sha: string; committedAt: string }): boolean {
  if (mine.sha === live.sha || mine.ancestors?.includes(live.sha)) return false;
  return Date.parse(mine.committedAt) < Date.parse(live.committedAt);
}
