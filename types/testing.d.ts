// Made by "npm run generate" from scripts/generate/testing.d.ts.txt. Do not edit.

import type { CallOptions, EventKind, LogLine, Message, Operations, Seed, ToolCall, ToolError, WebhookEvent } from './index.d.ts';

/**
 * Creates an in-memory workspace in which the app's functions run in the real sandbox. It opens no port and leaves nothing behind. Close it, or write `await using workspace = await aWorkspace()`.
 */
export function aWorkspace(options?: WorkspaceOptions): Promise<TestWorkspace>;

/** Runs one function once, in its own workspace, which is closed afterwards. */
export function invoke<Result = any>(
  name: string,
  input?: unknown,
  options?: WorkspaceOptions & InvokeOptions,
): Promise<Result>;

/** How a test's workspace starts. */
export interface WorkspaceOptions {
  /** App folder; default: the app that contains the current folder. */
  readonly app?: string | undefined;
  /** Loaded instead of the app's `seed.json`; `{}` for an empty workspace. */
  readonly seed?: Seed | undefined;
  /** RFC 3339. Stops the clock at this time until you set or advance it. By default the clock runs with the machine's. */
  readonly now?: string | undefined;
  /** Values of the app's secrets. */
  readonly secrets?: Readonly<Record<string, string>> | undefined;
  /** Answers the functions' `fetch` requests in place of the network. Throwing simulates a network failure. */
  readonly fetch?: ((request: Request) => Response | Promise<Response>) | undefined;
}

/** How a function is called, apart from its input. */
export interface InvokeOptions {
  /** For a Server Side Method; default: POST, or the first method that it accepts. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** Query parameters, such as `?phone=…`; for a list, the key is repeated for each value. */
  readonly query?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /** In addition to those that the workspace sets. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The conversation in which a flow node or an AI Tool works. */
  readonly conversationId?: string | undefined;
  /** For a flow node: the variables that earlier nodes have set. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** One invocation with everything that was recorded about it. */
export type TestInvocation = Operations['invocations.show']['output'];

/** Who calls a tool: an AI agent (`nora`, `app/nora`), an AI node (`flow/node`), a run with a harness, an MCP host, code, a person. */
export type TestToolCaller =
  | 'person'
  | 'code'
  | 'mcp'
  | { readonly aiAgent: string }
  | { readonly aiNode: string }
  | { readonly harness: string };

/** How a tool is called, apart from its arguments. */
export interface ToolCallOptions {
  /** Default: a person, who may call every tool. */
  readonly as?: TestToolCaller | undefined;
  /** The conversation in which the tool works. */
  readonly conversationId?: string | undefined;
  /** The run of an agent, a node or a harness: calls of one run share its limits. Default: one for the whole workspace. */
  readonly run?: string | undefined;
}

/** What came of a call. `awaitingConfirmation`: a run waits for the answer to `confirmationId`. */
export interface TestToolAnswer {
  readonly status: 'ok' | 'error' | 'denied' | 'timeout' | 'cancelled' | 'awaitingConfirmation';
  readonly callId: string;
  readonly result?: any;
  readonly error?: ToolError;
  readonly confirmationId?: string;
  /** Nobody answered in time, and a person is to take over. */
  readonly handover?: boolean;
}

/** The clock of the workspace. It is independent of the `Date` and timers that a test runner mocks. */
export interface TestClock {
  /** What functions see as `Date.now()` and `sdk.context.now()`. */
  now(): Date;
  /** Stops the clock at this time. */
  set(at: string | Date): Promise<void>;
  /**
   * `'2h'`, `'1d'`, `'30m'`, or milliseconds. Each cron job that falls due runs once, however many times it was due, and has ended when this
   * resolves; `fired` is how many jobs ran.
   */
  advance(by: string | number): Promise<{ fired: number }>;
}

/** One event of the journal. */
export type TestEvent = Operations['events.show']['output'];

/** What has happened in the workspace. */
export interface TestEvents {
  /**
   * All events so far, oldest first.
   * @param pattern `message.received`, or `message.*`; several separated by commas; default: all
   */
  list<Kind extends EventKind>(pattern: Kind): Promise<WebhookEvent<Kind>[]>;
  list(pattern?: string): Promise<TestEvent[]>;
  /**
   * Resolves to the next event of a kind that it has not resolved to yet, at once if it has happened already.
   * @param pattern `message.received`, or `message.*`
   * @throws after 30 s, saying what happened instead
   */
  waitFor<Kind extends EventKind>(pattern: Kind): Promise<WebhookEvent<Kind>>;
  waitFor(pattern: string): Promise<TestEvent>;
}

/** A run with all that was recorded. */
export type TestAgentRun = Operations['aiAgentRuns.show']['output'];

/** Changes what the agent's file says, for one run; with `conversationId`, it answers there. */
export type AgentRunOptions = Omit<Operations['aiAgentRuns.create']['input'], 'agent' | 'input'>;

/** An in-memory workspace with the app's functions. */
export interface TestWorkspace extends AsyncDisposable {
  /** Calls any operation, with all permissions: `await workspace.call('customers.list', {})`. */
  call<Name extends keyof Operations>(
    name: Name,
    input: Operations[Name]['input'],
    options?: CallOptions,
  ): Promise<Operations[Name]['output']>;
  /** Runs a function of the app, of any type except a view. Rejects if the function fails, with a stack in your own sources. */
  invoke<Result = any>(name: string, input?: unknown, options?: InvokeOptions): Promise<Result>;
  /** The same, but resolves to the whole record: status, result, error, logs, calls. Does not reject if the function fails. */
  run(name: string, input?: unknown, options?: InvokeOptions): Promise<TestInvocation>;
  /** Set or advance it, so that tests need not wait. */
  readonly clock: TestClock;
  readonly events: TestEvents;
  /**
   * Resolves when nothing is due any more: background calls, deliveries, and what they led to. Rejects after 30 s, naming what is not done.
   * `clock.advance` ends settled, too.
   */
  settled(): Promise<void>;
  /** A conversation as a customer: what is said, and what comes back. */
  chat(options: ChatOptions): TestChat;
  /** Lets a node of a flow that calls a function or an AI answer this, instead of doing its work; `undefined` ends that. */
  stubNode(flow: string, node: string, answer: NodeAnswer | undefined): void;
  /**
   * Runs an AI agent of the app until it has ended, or waits for a person. Resolves to the whole record: text, calls of models and tools,
   * tokens, cost. Does not reject if the run fails: that is in the record, too.
   */
  runAgent(
    agent: string,
    input?: Operations['aiAgentRuns.create']['input']['input'],
    options?: AgentRunOptions,
  ): Promise<TestAgentRun>;
  /** Calls an AI Tool through the gate, as anybody. What the gate refuses and what fails is part of the answer. */
  callTool(name: string, input?: unknown, options?: ToolCallOptions): Promise<TestToolAnswer>;
  /** Answers a confirmation as a person; resolves to what came of the call. */
  answerConfirmation(
    id: string,
    answer: 'allow' | 'deny',
    options?: { readonly reason?: string | undefined; readonly arguments?: unknown },
  ): Promise<TestToolAnswer>;
  /** The log of tools, oldest call first. */
  toolCalls(): Promise<ToolCall[]>;
  /** A customer writes a message; customer and conversation are created if necessary. */
  customerWrites(message: Operations['messages.receive']['input']): Promise<Message>;
  /** Makes a real request to the workspace. Adds the token unless you pass an Authorization header. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Closes the workspace and its processes; not needed with `await using`. */
  close(): Promise<void>;
}

/**
 * Starts a webhook receiver on 127.0.0.1. It accepts what is signed with its secret, keeps it, and refuses everything else.
 * Close it, or write `await using receiver = await aReceiver()`.
 */
export function aReceiver(options?: ReceiverOptions): Promise<TestReceiver>;

/** Who writes. */
export interface ChatOptions {
  /** Phone number or e-mail address. */
  readonly as: string;
  /** Id, kind or name of the channel; default: the first connected one that reaches them. */
  readonly channel?: string | undefined;
  readonly name?: string | undefined;
}

/** What a node of a flow answers. */
export interface NodeAnswer {
  readonly outcome: string;
  readonly output?: unknown;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** A conversation as a customer. Each `say` ends when everything that it leads to is done. */
export interface TestChat {
  /** Known once something was said. */
  readonly conversationId: string;
  /** Writes a text, or taps a quick reply. Resolves to what came back. */
  say(what: string | { readonly quickReply: string }): Promise<Message[]>;
  /** Moves the workspace clock, as in `'2h'`. Resolves to what came meanwhile. */
  advance(by: string | number): Promise<Message[]>;
  readonly expect: {
    /** Among what came back last there is a message with this text in it, or one that matches. */
    message(text: string | RegExp): Promise<Message>;
    /** A tool was called in this conversation, with at least these arguments. */
    tool(name: string, args?: Readonly<Record<string, unknown>>): Promise<void>;
    /** The last flow run took this way: names of nodes, or `node:outcome`. Nodes between them may be left out. */
    path(...nodes: string[]): Promise<void>;
  };
}

/** How a test's webhook receiver answers. */
export interface ReceiverOptions {
  /** Signing secret of what is accepted, `whsec_…`; by default one is made. */
  readonly secret?: string | undefined;
  /**
   * Answers each webhook whose signature is right: a status, or a whole `Response`. Default: 204. What it throws is answered with 500, and
   * thrown again by `close`.
   */
  readonly answer?: ((webhook: ReceivedWebhook) => number | Response | void | Promise<number | Response | void>) | undefined;
}

/** A webhook whose signature is right. A repeated attempt has the same id. */
export interface ReceivedWebhook {
  /** The header `webhook-id`. */
  readonly id: string;
  /** The body. */
  readonly event: { readonly id: string; readonly type: string; readonly timestamp: string; readonly data: any; readonly [field: string]: any };
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it arrived. */
  readonly body: string;
}

/** A webhook receiver on this machine. */
export interface TestReceiver extends AsyncDisposable {
  /** Address for the endpoint: `http://127.0.0.1:…`. */
  readonly url: string;
  /** Signing secret for the endpoint. */
  readonly secret: string;
  /** All webhooks whose signature is right, in the order in which they came, repeated attempts among them. */
  readonly received: readonly ReceivedWebhook[];
  /** Requests that were refused, and why: no signature, a wrong one, too late, not JSON. */
  readonly refused: readonly { readonly reason: string; readonly body: string }[];
  /**
   * Resolves to the next webhook that it has not resolved to yet, at once if it came already.
   * @param pattern `message.received`, or `message.*`; default: any
   * @throws after 30 s, saying what came instead
   */
  next(pattern?: string): Promise<ReceivedWebhook>;
  /** Not needed with `await using`. */
  close(): Promise<void>;
}

export type { LogLine };
