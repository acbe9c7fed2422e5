import { realpathSync, type Stats, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { codeOf, isInside, MachineError, messageOf, monotonicMs } from '../../std/index.ts';
import { findWorkspaceRoot } from '../packages/workspace-root.ts';
import { installMarkers } from './freshness.ts';

export interface Watcher {
  /** Also watches those of these files, from which functions were built, that are outside the app but in its workspace. */
  follow(files: readonly string[]): void;
  /** Stops watching. `onChange` is not called any more once this has been called. */
  close(): Promise<void>;
}

/** Changes this close together are reported as one. */
const quietMs = 10;
/** No change is held back longer than this. */
const longestMs = 100;
/** How long an emptied file may take to be written: editors truncate, then write. */
const emptyMs = 60;

/** Linux limits that may be too low, by error code. */
const limitReached: Readonly<Record<string, string>> = {
  ENOSPC: ' Too many files are watched on this machine: raise fs.inotify.max_user_watches (sysctl).',
  EMFILE:
    ' Too many programs watch files, or too many files are open: raise fs.inotify.max_user_instances (sysctl), or ulimit -n.',
};

/** Folders that change by themselves and contain no sources; with them `.fn-set-aside-…`. */
const ignoredFolders = new Set(['node_modules', '.fn', '.git']);
/** Files that editors create beside a file while it is open or being saved. */
const editorLeftovers = /~$|^\.#|^#.*#$|^\..*\.sw[a-z]$|^4913$|^\.DS_Store$|\.tmp$/;

/**
 * Watches the files of an app, and whether packages are installed for it, in the app or in its workspace.
 * @param onChange  called with the absolute paths that were added, changed or removed, unique and sorted, without folders. For
 * packages it is the one file that an installation writes last
 * @param onProblem called when the system cannot watch (too many watches, no permission): changes may then be missed here, and
 * are noticed when a function is requested. Called once for each reason: a limit that is reached affects all further files
 */
export async function watchApp(
  root: string,
  onChange: (paths: string[]) => void,
  onProblem: (problem: MachineError) => void,
): Promise<Watcher> {
  const { watch } = await import('chokidar');
  const pending = new Set<string>();
  let firstAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const flush = async (): Promise<void> => {
    const waited = monotonicMs() - firstAt;
    if (waited < emptyMs && (await anyEmpty(pending))) {
      timer = setTimeout(() => void flush(), quietMs);
      return;
    }
    timer = undefined;
    const paths = [...pending].sort();
    pending.clear();
    if (!closed && paths.length > 0) onChange(paths);
  };
  const note = (path: string): void => {
    if (pending.size === 0) firstAt = monotonicMs();
    pending.add(path);
    if (timer && monotonicMs() - firstAt > longestMs) return;
    clearTimeout(timer);
    timer = setTimeout(() => void flush(), quietMs);
  };

  const roots = [root, realpathSync(root)];
  const packages = new Set([root, findWorkspaceRoot(root)].map((folder) => join(folder, 'node_modules')));
  const watcher = watch([root, ...packages], {
    ignoreInitial: true,
    ignored: (given: string, stats?: Stats) => {
      const path = resolve(given);
      if (packages.has(path)) return false;
      if (stats?.isSymbolicLink() && leadsOutside(path, roots)) return true;
      return packages.has(dirname(path)) ? !installMarkers.includes(basename(path)) : isIgnored(relative(root, path));
    },
  });
  for (const event of ['add', 'change', 'unlink'] as const) watcher.on(event, (path: string) => note(path));
  const told = new Set<string | undefined>();
  watcher.on('error', (error: unknown) => {
    if (closed || told.has(codeOf(error))) return;
    told.add(codeOf(error));
    const problem = new MachineError('watch_failed', `Cannot watch ${root} for changes: ${messageOf(error)}`, {
      hint: `The next request still picks up changes.${limitReached[codeOf(error) ?? ''] ?? ''}`,
      cause: error,
    });
    onProblem(problem);
  });
  await new Promise<void>((ready) => watcher.on('ready', () => ready()));

  return {
    follow(files) {
      const beside = files.filter((file) => !roots.some((folder) => isInside(folder, file)) && !isIgnored(file));
      if (!closed && beside.length > 0) watcher.add(beside);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await watcher.close();
    },
  };
}

/** Whether this is a link to a folder elsewhere, which may be the whole disk. In there, only files that functions were built from matter. */
function leadsOutside(path: string, roots: readonly string[]): boolean {
  try {
    const there = realpathSync(path);
    return !roots.some((root) => path === root || isInside(root, there)) && statSync(there).isDirectory();
  } catch {
    return false; // It is gone already.
  }
}

function isIgnored(path: string): boolean {
  return (
    path.split(sep).some((part) => ignoredFolders.has(part) || part.startsWith('.fn-')) ||
    editorLeftovers.test(basename(path))
  );
}

async function anyEmpty(paths: Iterable<string>): Promise<boolean> {
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found?.size === 0) return true;
  }
  return false;
}
