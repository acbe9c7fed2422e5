import type { FunctionConfig } from '../contract/function-config/index.ts';
import type { FunctionType } from '../contract/index.ts';
import type { Limits, Program } from '../sandbox/index.ts';
import type { FnError } from '../std/index.ts';

/** Where live functions of one app come from: the folder being worked on, a deployment, an app of ours. */
export interface FunctionSource {
  readonly app: string;
  /** What its functions carry: a deployment id, or `local` (also where it is missing). */
  readonly version?: string;
  /** Every function; what does not build carries its problem. */
  list(): Promise<FunctionInfo[]>;
  /**
   * The function as it is now; waits while a reload is under way.
   * @throws ProjectError `function_unknown` for a name that is not there; another FnError when it does not build
   */
  load(name: string): Promise<LoadedFunction>;
  /**
   * The same at once where nothing has to be waited for: what a running workspace answers most requests with.
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
