import type { FunctionConfig } from '../../contract/function-config/index.ts';
import type { AppFileKind, FunctionType } from '../../contract/index.ts';
import type { AppFileContent } from '../../contract/shapes/index.ts';
import type { Limits, Program } from '../../sandbox/index.ts';
import { type FnError, nearest } from '../../std/index.ts';

/** A source of one app's live functions: the folder being worked on, a deployment, a built-in app. */
export interface FunctionSource {
  readonly app: string;
  /** Version of its functions: a deployment id, `local` or `built-in`. */
  readonly version: string;
  /** Lists every function; one that does not build has a problem. */
  list(): Promise<FunctionInfo[]>;
  /** The functions whose config may have a field; it is certain of the others that theirs has not, and they need not be built to tell. */
  listWithField?(field: string): Promise<FunctionInfo[]>;
  /**
   * Loads the current version of a function; waits during a reload.
   * @throws ProjectError `function_unknown` for an unknown name; another FnError if it does not build
   */
  load(name: string): Promise<LoadedFunction>;
  /**
   * Like `load`, but synchronous, if nothing has to be awaited: a running workspace answers most requests this way.
   * Undefined says nothing about the function: ask `load`.
   */
  loaded?(name: string): LoadedFunction | undefined;
  /** Saved inputs of the function. */
  fixtures?(name: string): Promise<readonly { readonly name: string; readonly input: unknown }[]>;
  /** Saves an input of the function. @returns the path of the file, below the app's folder @throws ProjectError if it cannot */
  saveFixture?(name: string, fixture: string, input: unknown): Promise<string>;
  /** Saves a test of the app. @returns the path of the file, below the app's folder @throws ProjectError if it cannot */
  saveTest?(name: string, text: string): Promise<string>;
  /** Its files of a kind, such as AI agents; one that is wrong has a problem. A source without this has none. */
  appFiles?<K extends AppFileKind>(kind: K): Promise<readonly SourceFile<K>[]>;
  onChange(listener: () => void): () => void;
  /** Calls the listener with each function that was built, or could not be. Only a folder builds. */
  onBuild?(listener: (built: FunctionInfo & { readonly ms?: number }) => void): () => void;
  close(): Promise<void>;
}

/** A JSON file of an app: `agents/nora.json`. */
export interface SourceFile<K extends AppFileKind = AppFileKind> {
  readonly kind: K;
  /** Without folder and ending: `nora`. */
  readonly name: string;
  /** Below the app's root. */
  readonly path: string;
  /** Undefined if it is wrong. What it reads from files beside it is filled in. */
  readonly config: AppFileContent<K> | undefined;
  readonly problem: FnError | undefined;
  /** A hash of the file and those that belong to it. */
  readonly content: string;
  /** The text of a file that belongs to it, by its path below the app's root. */
  text(path: string): Promise<string | undefined>;
}

export interface FunctionInfo {
  /** Path below `functions/` without extension. */
  readonly name: string;
  /** With its extension, `.js`. */
  readonly path: string;
  /** Undefined if the function never loaded. */
  readonly type?: FunctionType;
  readonly config?: FunctionConfig;
  /** Relative to the app's folder. */
  readonly file?: string;
  /** Why it does not build or load now; an earlier version may still be served. */
  readonly problem?: FnError;
  /** Whether its last good version is served, because what is on disk does not build or load. */
  readonly isStale?: boolean;
}

/** A function that can be invoked, or a view that can be shown. */
export interface LoadedFunction {
  readonly app: string;
  readonly name: string;
  readonly path: string;
  readonly type: FunctionType;
  /** Deployment id, or `local`. */
  readonly version: string;
  /** Whether this is the last good version, because what is on disk does not build or load. */
  readonly isStale?: boolean;
  readonly config: FunctionConfig;
  /** For types that run on the server. */
  readonly program?: Program;
  /** For a Custom View: the text of an async function expression, its style sheet, and its source map. */
  readonly view?: { readonly script: string; readonly css: string; readonly sourceMap?: string };
  readonly limits: Limits;
  readonly isolation: 'fresh' | 'warm';
  /** Its `process.env`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Hosts that it may fetch from, such as `api.shop.example`, `*.shop.example`, `host:8080`; undefined for any. */
  readonly fetchAllow?: readonly string[];
}

/** The function that was probably meant: also one of that name in a folder, `tools/refund` for `refund`. */
export function meantFunction(name: string, infos: readonly FunctionInfo[]): string | undefined {
  const names = infos.map((info) => info.name);
  return names.find((known) => known.endsWith(`/${name}`)) ?? nearest(name, names);
}
