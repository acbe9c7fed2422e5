import type { Door, Input, Output } from '../contract/index.ts';
import type { Seed } from '../contract/shapes/index.ts';

/** Options of a test workspace. An undefined option counts as left out. */
export interface WorkspaceOptions {
  /** App folder; default: the app that contains the current folder. */
  readonly app?: string | undefined;
  /** Planted instead of the app's `seed.json`. */
  readonly seed?: Seed | undefined;
  /** RFC 3339. The workspace clock stays at this time until it is set or advanced; without it, it follows the machine's clock. */
  readonly now?: string | undefined;
  /** Values of the app's secrets, in addition to those of `.fn/secrets.json` and `FN_SECRET_…`. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Answers the `fetch` calls of functions, in place of the network. */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
}

export type InvokeOptions = NonNullable<Input<'functions.invoke'>['request']> &
  Pick<Input<'functions.invoke'>, 'conversationId' | 'variables'>;

/** One invocation with everything that was recorded about it. */
export type TestInvocation = Output<'invocations.show'>;

export interface TestClock {
  now(): Date;
  /** Stops the clock at this time. */
  set(at: string | Date): Promise<void>;
  /** Takes `'2h'`, `'1d'`, `'30m'`, or milliseconds. Each cron job that falls due runs once, and has ended when this resolves. */
  advance(by: string | number): Promise<{ fired: number }>;
}

export interface TestWorkspace extends AsyncDisposable {
  /** The workspace's door with all rights: `await workspace.call('customers.list', {})`. */
  readonly call: Door;
  /**
   * Runs a function of the app, of any type, in the real sandbox.
   * @throws WorkspaceError with the function's code and message, and its stack in your own sources
   */
  invoke<T = unknown>(name: string, input?: unknown, options?: InvokeOptions): Promise<T>;
  /** Like `invoke`, but resolves to the whole record; does not reject when the function fails. */
  run(name: string, input?: unknown, options?: InvokeOptions): Promise<TestInvocation>;
  readonly clock: TestClock;
  /** A customer writes a message; customer and conversation are created if necessary. */
  customerWrites(message: Input<'messages.receive'>): Promise<Output<'messages.receive'>>;
  /** Sends a real request to the workspace's HTTP face; the token is added unless an Authorization header is given. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}
