import type { SourceLocation } from '../std/index.ts';

/** One function of an app on disk. */
export interface FunctionSource {
  /** Name of the app. */
  readonly app: string;
  /** Path below `functions/` without ending: `api/orders/find`. */
  readonly name: string;
  /** Absolute path of the file. */
  readonly file: string;
  /** Absolute path of the app's folder. */
  readonly root: string;
  /** `server`: runs in the sandbox. `view`: runs in a browser page. */
  readonly kind: 'server' | 'view';
}

/** Location of a function, with all symlinks above it resolved. */
export interface Place {
  /** The app's folder. */
  readonly root: string;
  /** Folder that imports may not leave. */
  readonly limit: string;
  /** The function's file, relative to `root`, with slashes. */
  readonly file: string;
}

/** A built function: one text without imports. */
export interface Bundle {
  readonly name: string;
  /** SHA-256 of `code`, hex. */
  readonly id: string;
  /**
   * The source of one async function expression, `(async function (register) { "use strict"; … })`, for both kinds. It calls
   * `register` once, with the namespace of the function's module. The text of a view holds no `</script`.
   */
  readonly code: string;
  /** Source map (JSON, version 3) of `code`, with `sourcesContent`; `sources` are relative to the app's folder. */
  readonly sourceMap: string;
  /** Bytes of `code` in UTF-8. */
  readonly bytes: number;
  /** Absolute paths of the files that it was built from, sorted. */
  readonly inputs: readonly string[];
  readonly warnings: readonly BuildWarning[];
  /** Style sheets that a view imports, in order. Undefined if there are none. */
  readonly css?: string;
  /** For views only: the program from which `config` is read. */
  readonly probe?: Probe;
}

/** A bundle that was just built, or read from the disk cache. */
export interface BuiltBundle extends Bundle {
  /** Build time in milliseconds, without waiting for a turn; for a member of a batch, the time of the batch. */
  readonly ms: number;
}

/**
 * A view's module in a form that loads outside a browser: packages, style sheets and the DOM are replaced by stand-ins. It has the
 * same form as `Bundle.code`, so the sandbox can describe it.
 */
export interface Probe {
  /** SHA-256 of `code`, hex. */
  readonly id: string;
  readonly code: string;
  readonly sourceMap: string;
}

export type WarningCode =
  /** A package or the author's code imports a Node built-in that functions do not have. */
  | 'node_builtin_unavailable'
  /** A package is written for pages in browsers. */
  | 'page_needed'
  /** A package brings WebAssembly. */
  | 'wasm_unavailable'
  /** The promise of an sdk call is used as if it were the answer. */
  | 'await_missing'
  /** Files import each other in a circle. */
  | 'import_cycle'
  /** A warning of the compiler about the author's code. */
  | 'compiler';

/** Something that builds but may not work as its author expects. */
export interface BuildWarning {
  readonly code: WarningCode;
  readonly message: string;
  readonly location?: SourceLocation;
  /** The package concerned; undefined for the author's own code. */
  readonly package?: string;
}

export interface BundlerOptions {
  /** Folder that imports may not leave. Default: the nearest folder with a lockfile, at or above the app. */
  readonly workspaceRoot?: string;
  readonly minify?: boolean;
  /** Builds views for development: `process.env.NODE_ENV` is `development`, so that React explains an error instead of giving its number. */
  readonly development?: boolean;
  /** Folder for the disk cache; undefined for none. The bundler writes nowhere else. */
  readonly cacheDir?: string;
  /** Each function is built only once, so the compiler keeps nothing. */
  readonly once?: boolean;
  /** Called for builds that take seconds while somebody waits: after two seconds, then every ten. */
  readonly onLong?: (names: readonly string[], ms: number) => void;
  /** Narrower limits, for tests. */
  readonly limits?: Partial<BundleLimits>;
}

export interface BundleLimits {
  /** Largest source file, in bytes. */
  readonly sourceBytes: number;
  /** Largest code of one bundle, in bytes. */
  readonly bundleBytes: number;
}

export const defaultLimits: BundleLimits = { sourceBytes: 20 * 1024 * 1024, bundleBytes: 10 * 1024 * 1024 };
