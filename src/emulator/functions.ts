import type { FunctionConfig } from '../contract/function-config/index.ts';
import type { FunctionType } from '../contract/index.ts';
import type { Limits, Program } from '../sandbox/index.ts';
import type { FnError } from '../std/index.ts';

/** A source of one app's live functions: the folder being worked on, a deployment, a built-in app. */
export interface FunctionSource {
  readonly app: string;
  /** What its functions carry: a deployment id, or `local` (also where it is missing). */
  readonly version?: string;
  /** Lists every function; one that does not build carries its problem. */
  list(): Promise<FunctionInfo[]>;
  /**
   * Loads the current version of a function; waits during a reload.
   * @throws ProjectError `function_unknown` for a name that is not there; another FnError when it does not build
   */
  load(name: string): Promise<LoadedFunction>;
  /**
   * Like `load`, but synchronous, if nothing has to be awaited: a running workspace answers most requests this way.
   * Undefined says nothing about the function: ask `load`.
   */
  loaded?(name: string): LoadedFunction | undefined;
  /** An input to try the function with, where one is kept. */
  example?(name: string): Promise<unknown>;
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

export interface FunctionInfo {
  /** Path below `functions/` without ending. */
  readonly name: string;
  /** With its ending, `.js`. */
  readonly path: string;
  /** Missing where the function never loaded. */
  readonly type?: FunctionType;
  readonly config?: FunctionConfig;
  /** Relative to the app's folder. */
  readonly file?: string;
  /** Why it does not build or load now; a version before may still be served. */
  readonly problem?: FnError;
}

/** A function that can be invoked, or a view that can be shown. */
export interface LoadedFunction {
  readonly app: string;
  readonly name: string;
  readonly path: string;
  readonly type: FunctionType;
  /** Deployment id, or `local`. */
  readonly version: string;
  readonly config: FunctionConfig;
  /** Of the types that run on the server. */
  readonly program?: Program;
  /** Of a Custom View: the text of an async function expression, its style sheet, and the map of the text. */
  readonly view?: { readonly script: string; readonly css: string; readonly sourceMap?: string };
  readonly limits: Limits;
  readonly isolation: 'fresh' | 'warm';
  /** What it sees as `process.env`. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Hosts that it may fetch from, as `api.shop.example`, `*.shop.example`, `host:8080`; without: any. */
  readonly fetchAllow?: readonly string[];
}
