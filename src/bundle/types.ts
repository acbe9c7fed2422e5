import type { SourceLocation } from '../std/index.ts';

/** One function of an app, as it lies on disk. */
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

/** Where a function lies, with every symlink above it resolved. */
export interface Place {
  /** The app's folder. */
  readonly root: string;
  /** The folder that imports may not leave. */
  readonly limit: string;
  /** The function's file, relative to `root`, with slashes. */
  readonly file: string;
}

/** What a function becomes: one text without any import left in it. */
export interface Bundle {
  readonly name: string;
  /** SHA-256 of `code`, hex. */
  readonly id: string;
  /**
   * The source of one async function expression, `(async (register) => { "use strict"; … })`, for both kinds. It calls
   * `register` once, with the namespace of the function's module. The text of a view holds no `</script`.
   */
  readonly code: string;
  /** Source map (JSON, version 3) of `code`; `sources` are relative to the app's folder, `sourcesContent` is there. */
  readonly sourceMap: string;
  /** Bytes of `code` in UTF-8. */
  readonly bytes: number;
  /** Absolute paths of the files that it was built from, sorted. */
  readonly inputs: readonly string[];
  readonly warnings: readonly BuildWarning[];
  /** Style sheets that a view imports, in their order. Only for views that import any. */
  readonly css?: string;
  /** Only for views: the program from which `config` is read. */
  readonly probe?: Probe;
}

/** A bundle that was just built, or read from the cache of another process. */
export interface BuiltBundle extends Bundle {
  /** Duration in milliseconds, without the wait for its turn; for a build in a batch, that of the batch. */
  readonly ms: number;
}

/**
 * A view's module made loadable outside of a browser: imported packages and style sheets are stand-ins, and so is the DOM. Same
 * form as `Bundle.code`, so the sandbox can describe it.
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
  /** Files import each other in a circle. */
  | 'import_cycle'
  /** Said by the compiler about the author's code. */
  | 'compiler';

/** Something that builds but may not do what its author expects. */
export interface BuildWarning {
  readonly code: WarningCode;
  readonly message: string;
  readonly location?: SourceLocation;
  /** The package concerned, when it is not the author's own code. */
  readonly package?: string;
}

export interface BundlerOptions {
  /** Imports stay inside this folder. Without it: the nearest folder with a lockfile, at or above the app. */
  readonly workspaceRoot?: string;
  readonly minify?: boolean;
  /** Views are built as for their authors: `process.env.NODE_ENV` is `development`, so that React explains an error instead of giving its number. */
  readonly development?: boolean;
  /** Folder for caching bundles between processes; without it they are not cached. Nothing else is ever written to. */
  readonly cacheDir?: string;
  /** Whether each function is built only once, so that the compiler keeps nothing for a next build. */
  readonly once?: boolean;
  /** Called for builds that somebody waits for and that take seconds: first after two, then every ten. */
  readonly onLong?: (names: readonly string[], ms: number) => void;
  /** Narrower limits, for tests. */
  readonly limits?: Partial<BundleLimits>;
}

export interface BundleLimits {
  /** Maximum size of one source file. */
  readonly sourceBytes: number;
  /** Maximum size of one bundle's code. */
  readonly bundleBytes: number;
}

export const defaultLimits: BundleLimits = { sourceBytes: 20 * 1024 * 1024, bundleBytes: 10 * 1024 * 1024 };
