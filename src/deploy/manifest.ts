import { type AppFileKind, type Input, limits } from '../contract/index.ts';
import { canonicalJson, ProjectError, sha256Hex } from '../std/index.ts';
import { leanMap } from './lean-map.ts';

/** One function's entry in a deployment. */
export type ManifestFile = Input<'deployments.create'>['manifest'][number];

/** A function that was built and loaded, ready to be sent. */
export interface BuiltFunction {
  /** Below functions/, ending in .js. */
  readonly path: string;
  readonly type: ManifestFile['type'];
  /** The config as read by loading the bundle. */
  readonly config: ManifestFile['config'];
  readonly code: string;
  readonly sourceMap?: string | undefined;
  /** Style sheet of a view. */
  readonly css?: string | undefined;
  /** Settings from the app's config, shared by all its functions. */
  readonly settings?: ManifestFile['settings'];
}

/** File contents by their hash. */
export type Blobs = ReadonlyMap<string, Uint8Array>;

/** A function as a deploy sends it: its entry in the manifest, and the bytes behind the entry's hashes. */
export interface DeployFile {
  readonly entry: ManifestFile;
  readonly blobs: Blobs;
}

/**
 * Makes the manifest entry and hashes of a built function, at once: while other functions are still being built there is time for it.
 * @throws ProjectError function_too_large
 */
export function deployFileOf({ path, type, config, code, sourceMap, css, settings }: BuiltFunction): DeployFile {
  const blobs = new Map<string, Uint8Array>();
  const keep = (text: string, owner = '') => {
    const bytes = Buffer.from(text, 'utf8');
    if (bytes.length > limits.deployment.fileBytes) throw tooLarge(path, owner, bytes.length);
    const sha256 = sha256Hex(bytes);
    blobs.set(sha256, bytes);
    return { sha256, bytes: bytes.length };
  };
  const script = keep(code);
  const map = sourceMap === undefined ? undefined : keep(leanMap(sourceMap), 'the source map of ');
  const sheet = css === undefined || css === '' ? undefined : keep(css, 'the style sheet of ');
  const entry: ManifestFile = {
    path,
    type,
    config,
    ...script,
    ...(map && { sourceMapSha256: map.sha256, sourceMapBytes: map.bytes }),
    ...(sheet && { cssSha256: sheet.sha256, cssBytes: sheet.bytes }),
    ...(settings && Object.keys(settings).length > 0 && { settings }),
  };
  textOf(entry);
  return { entry, blobs };
}

/** A JSON file of an app and the files that belong to it, ready to be sent. */
export interface CheckedFile {
  /** Below the app's root: `agents/nora.json`. */
  readonly path: string;
  readonly kind: AppFileKind;
  readonly config: ManifestFile['config'];
  /** By path below the app's root; its own text among them. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Makes the manifest entry and hashes of a JSON file. @throws ProjectError function_too_large */
export function deployFileOfApp({ path, kind, config, texts }: CheckedFile): DeployFile {
  const blobs = new Map<string, Uint8Array>();
  const files = [...texts].map(([at, text]) => {
    const bytes = Buffer.from(text, 'utf8');
    if (bytes.length > limits.deployment.fileBytes) throw tooLarge(at, '', bytes.length);
    const sha256 = sha256Hex(bytes);
    blobs.set(sha256, bytes);
    return { path: at, sha256, bytes: bytes.length };
  });
  const own = files.find((file) => file.path === path);
  if (own === undefined) throw new Error(`${path} is not among its own texts`);
  const others = files.filter((file) => file !== own).sort((a, b) => (a.path < b.path ? -1 : 1));
  const { sha256, bytes } = own;
  const entry: ManifestFile = { path, type: kind, config, sha256, bytes, ...(others.length > 0 && { files: others }) };
  textOf(entry);
  return { entry, blobs };
}

function tooLarge(path: string, owner: string, bytes: number): ProjectError {
  const name = path.replace(/\.js$/, '');
  return new ProjectError(
    'function_too_large',
    `${owner}${name} has ${bytes} bytes when it is built; a deployment takes ${limits.deployment.fileBytes}`,
    { hint: 'Try --minify, import only part of a large package, or fetch large data at run time.' },
  );
}

/** The manifest of these functions, by path, and the bytes behind its hashes. */
export function manifestOf(files: readonly DeployFile[]): { manifest: ManifestFile[]; blobs: Blobs } {
  return {
    manifest: byPath(files.map(({ entry }) => entry)),
    blobs: new Map(files.flatMap(({ blobs }) => [...blobs])),
  };
}

/** Identifies a release: the same functions have the same fingerprint, regardless of author and time. */
export function fingerprintOf(manifest: readonly ManifestFile[]): string {
  return sha256Hex(`[${byPath(manifest).map(textOf).join(',')}]`);
}

const texts = new WeakMap<ManifestFile, string>();

function textOf(entry: ManifestFile): string {
  const text = texts.get(entry) ?? canonicalJson(entry);
  texts.set(entry, text);
  return text;
}

export function byPath(manifest: readonly ManifestFile[]): ManifestFile[] {
  return [...manifest].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
