import { canonicalJson, isRecord } from '../std/index.ts';
import { byPath, fingerprintOf, type ManifestFile } from './manifest.ts';

/**
 * What happens to one function. `keep`: it is live but not in the folder, and stays because `prune` is not set.
 */
export type ChangeKind = 'create' | 'update' | 'unchanged' | 'delete' | 'keep';

export interface Change {
  readonly path: string;
  readonly kind: ChangeKind;
  readonly type: ManifestFile['type'];
  /** Size of its code before; null if there was none. */
  readonly bytesBefore: number | null;
  readonly bytesAfter: number | null;
  /** Whether the code itself, its source map or its style sheet differs. */
  readonly code: boolean;
  /** Fields of config and settings that differ. */
  readonly config: readonly ConfigChange[];
}

export interface ConfigChange {
  /** Dotted: `expose.auth`, `settings.env.REGION`. */
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Plan {
  /** By path. */
  readonly changes: readonly Change[];
  /** The complete manifest that will be live afterwards. */
  readonly manifest: readonly ManifestFile[];
  readonly fingerprint: string;
  /** Whether anything would differ afterwards. */
  readonly changed: boolean;
}

export interface PlanOptions {
  /** Whether to delete functions that are live but not in the folder. */
  readonly prune?: boolean;
  /** Deploys only these paths; everything else stays as it is live. */
  readonly only?: readonly string[] | undefined;
}

/** Computes what a deploy would do, without doing anything. */
export function plan(local: readonly ManifestFile[], live: readonly ManifestFile[], options: PlanOptions = {}): Plan {
  const { prune = false, only } = options;
  const here = new Map(
    local.filter(({ path }) => only === undefined || only.includes(path)).map((file) => [file.path, file]),
  );
  const there = new Map(live.map((file) => [file.path, file]));
  const manifest: ManifestFile[] = [];
  const changes: Change[] = [];
  for (const path of [...new Set([...here.keys(), ...there.keys()])].sort()) {
    const after = here.get(path);
    const before = there.get(path);
    if (after !== undefined) {
      manifest.push(after);
      changes.push(compare(path, before, after));
    } else if (before !== undefined) {
      const gone = prune && only === undefined;
      if (!gone) manifest.push(before);
      const bytesAfter = gone ? null : before.bytes;
      const kind = gone ? 'delete' : 'keep';
      changes.push({ path, kind, type: before.type, bytesBefore: before.bytes, bytesAfter, code: false, config: [] });
    }
  }
  const changed = changes.some(({ kind }) => kind === 'create' || kind === 'update' || kind === 'delete');
  const sorted = byPath(manifest);
  return { changes, manifest: sorted, fingerprint: fingerprintOf(sorted), changed };
}

function compare(path: string, before: ManifestFile | undefined, after: ManifestFile): Change {
  const base = { path, type: after.type, bytesAfter: after.bytes };
  if (before === undefined) return { ...base, kind: 'create', bytesBefore: null, code: true, config: [] };
  // Most entries are identical; differences are computed only for the others.
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return { ...base, kind: 'unchanged', bytesBefore: before.bytes, code: false, config: [] };
  }
  const code =
    before.sha256 !== after.sha256 ||
    before.sourceMapSha256 !== after.sourceMapSha256 ||
    before.cssSha256 !== after.cssSha256 ||
    canonicalJson(before.files ?? []) !== canonicalJson(after.files ?? []);
  const config: ConfigChange[] = [];
  if (before.type !== after.type) config.push({ field: 'type', before: before.type, after: after.type });
  differences(before.config, after.config, '', config);
  differences(before.settings ?? {}, after.settings ?? {}, 'settings.', config);
  const same = canonicalJson(before) === canonicalJson(after);
  return { ...base, kind: same ? 'unchanged' : 'update', bytesBefore: before.bytes, code, config };
}

/** Collects the fields that differ, recursing while both sides are objects. */
function differences(before: object, after: object, prefix: string, into: ConfigChange[]): void {
  const old = new Map<string, unknown>(Object.entries(before));
  const now = new Map<string, unknown>(Object.entries(after));
  for (const key of [...new Set([...old.keys(), ...now.keys()])].sort()) {
    const a = old.get(key);
    const b = now.get(key);
    if (canonicalJson(a) === canonicalJson(b)) continue;
    if (isRecord(a) && isRecord(b)) differences(a, b, `${prefix}${key}.`, into);
    else into.push({ field: prefix + key, before: a, after: b });
  }
}
