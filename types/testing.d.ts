// Made by "npm run generate" from scripts/generate/testing.d.ts.txt. Do not edit.

import type { CallOptions, LogLine, Message, Operations, Seed } from './index.d.ts';

/**
 * A workspace of its own, in memory, in which the functions of the app run in the real sandbox. No port, nothing left behind. Close it, or write `await using workspace = await aWorkspace()`.
 */
export function aWorkspace(options?: WorkspaceOptions): Promise<TestWorkspace>;

/** One function once, in a workspace of its own that is closed afterwards. */
export function invoke<Result = any>(
  name: string,
  input?: unknown,
  options?: WorkspaceOptions & InvokeOptions,
): Promise<Result>;

/** What a workspace of a test begins with. */
export interface WorkspaceOptions {
  /** Folder of the app; default: the one around the current folder. */
  readonly app?: string | undefined;
  /** Planted instead of the app's `seed.json`; `{}` for an empty workspace. */
  readonly seed?: Seed | undefined;
  /** RFC 3339. The clock stands there until it is set or advanced; without: it runs with the machine's. */
  readonly now?: string | undefined;
  /** Values of the app's secrets. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Answers what functions `fetch`, in place of the network. What it throws is a network that fails. */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
}

/** How a function is called, beside its input. */
export interface InvokeOptions {
  /** For a Server Side Method: POST, or the first method that it takes, unless said. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** Of its address, as `?phone=…`; a list stands there as its key once for each. */
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** Beside the ones that the workspace sets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The conversation that a flow node or an AI Tool works in. */
  readonly conversationId?: string | undefined;
  /** For a flow node: what nodes before it have set. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** One invocation with everything that was recorded of it. */
export type TestInvocation = Operations['invocations.show']['output'];

/** The clock of the workspace. What a test runner mocks (`Date`, timers) is another one. */
export interface TestClock {
  /** What functions see as `Date.now()` and `sdk.context.now()`. */
  now(): Date;
  /** Stands at that moment. */
  set(at: string | Date): Promise<void>;
  /**
   * `'2h'`, `'1d'`, `'30m'`, or milliseconds. Each cron job that falls due runs once, however often it was due, and has ended when this
   * resolves; `fired` is how many there were.
   */
  advance(by: string | number): Promise<{ fired: number }>;
}

/** A workspace in memory with the functions of the app. */
export interface TestWorkspace extends AsyncDisposable {
  /** Any operation, with all rights: `await workspace.call('customers.list', {})`. */
  call<Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]['input'],
    options?: CallOptions,
  ): Promise<Operations[Name]['output']>;
  /** Runs a function of the app, of any type but a view. Rejects as it fails, with the stack in your own sources. */
  invoke<Result = any>(name: string, input?: unknown, options?: InvokeOptions): Promise<Result>;
  /** The same with everything recorded: status, result, error, logs, calls. Does not reject when the function fails. */
  run(name: string, input?: unknown, options?: InvokeOptions): Promise<TestInvocation>;
  /** Turn it: what waits for a day does not make a test wait. */
  readonly clock: TestClock;
  /** A customer writes; customer and conversation are created when they are missing. */
  customerWrites(message: Operations['messages.receive']['input']): Promise<Message>;
  /** A real request to the workspace; the token is added unless an Authorization header is given. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Ends it and its processes; not needed with `await using`. */
  close(): Promise<void>;
}

export type { LogLine };
