import type { Door, Input, Output } from '../contract/index.ts';
import type { Seed } from '../contract/shapes/index.ts';

/** What is left undefined is left out. */
export interface WorkspaceOptions {
  /** App folder; default: the app that contains the current folder. */
  readonly app?: string | undefined;
  /** Planted instead of the app's `seed.json`. */
  readonly seed?: Seed | undefined;
  /** RFC 3339. The workspace clock stands there until it is set or advanced; without: it runs with the machine's. */
  readonly now?: string | undefined;
  /** Values of the app's secrets, beside those of `.fn/secrets.json` and `FN_SECRET_…`. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Answers what functions `fetch`, in place of the network. */
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
  /** `'2h'`, `'1d'`, `'30m'`, or milliseconds. Each cron job that falls due runs once, and has ended when this resolves. */
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
  /** The same with everything recorded; does not reject when the function fails. */
  run(name: string, input?: unknown, options?: InvokeOptions): Promise<TestInvocation>;
  readonly clock: TestClock;
  /** A customer writes a message; customer and conversation are created if necessary. */
  customerWrites(message: Input<'messages.receive'>): Promise<Output<'messages.receive'>>;
  /** A real request to the workspace's HTTP face; the token is added unless an Authorization header is given. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}
