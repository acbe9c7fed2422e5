import type { Door, Input, Output } from '../contract/index.ts';
import type { Seed } from '../contract/shapes/index.ts';
import type { ToolAnswer } from '../emulator/index.ts';

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

/** Who calls a tool: an AI agent (`nora`, `app/nora`), an AI node (`flow/node`), a run with a harness, an MCP host, code, a person. */
export type TestToolCaller =
  | 'person'
  | 'code'
  | 'mcp'
  | { readonly aiAgent: string }
  | { readonly aiNode: string }
  | { readonly harness: string };

export interface ToolCallOptions {
  /** Default: a person. */
  readonly as?: TestToolCaller | undefined;
  readonly conversationId?: string | undefined;
  /** The run of an agent, a node or a harness: calls of one run share its limits. Default: one for the whole workspace. */
  readonly run?: string | undefined;
}

export type TestToolAnswer = Omit<ToolAnswer, 'content'>;

/** One line of the log of tools. */
export type TestToolCall = Output<'tools.logs'>['items'][number];

/** A run with all that was recorded: its text, calls of models and tools, tokens and cost. */
export type TestAgentRun = Output<'aiAgentRuns.show'>;

/** Changes what the agent's file says, for one run; with `conversationId`, it answers there. */
export type AgentRunOptions = Omit<Input<'aiAgentRuns.create'>, 'agent' | 'input'>;

export interface TestClock {
  now(): Date;
  /** Stops the clock at this time. */
  set(at: string | Date): Promise<void>;
  /** Takes `'2h'`, `'1d'`, `'30m'`, or milliseconds. Each cron job that falls due runs once, and has ended when this resolves. */
  advance(by: string | number): Promise<{ fired: number }>;
}

/** One event of the journal. */
export type TestEvent = Output<'events.show'>;

export interface TestEvents {
  /**
   * All events so far, oldest first.
   * @param pattern `message.received`, or `message.*`; several separated by commas; default: all
   */
  list(pattern?: string): Promise<TestEvent[]>;
  /**
   * Resolves to the next event of a kind that it has not resolved to yet, at once if it has happened already.
   * @param pattern `message.received`, or `message.*`
   * @throws after 30 s, saying what happened instead
   */
  waitFor(pattern: string): Promise<TestEvent>;
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
  readonly events: TestEvents;
  /**
   * Resolves when nothing is due any more: background calls, deliveries, what they led to.
   * @throws UsageError workspace_not_settled after 30 s, naming what is not done
   */
  settled(): Promise<void>;
  /** A conversation as a customer: what is said, and what comes back. */
  chat(options: ChatOptions): TestChat;
  /** Lets a node of a flow that calls a function or an AI answer this, instead of doing its work; `undefined` ends that. */
  stubNode(flow: string, node: string, answer: NodeAnswer | undefined): void;
  /**
   * Runs an AI agent of the app until it has ended, or waits for a person. Does not reject when the run fails: that is in the record.
   * @param input what it is asked; may be left out in a conversation
   * @throws WorkspaceError ai_agent_not_found, ai_agent_broken, and what else keeps a run from starting
   */
  runAgent(
    agent: string,
    input?: Input<'aiAgentRuns.create'>['input'],
    options?: AgentRunOptions,
  ): Promise<TestAgentRun>;
  /** Calls an AI Tool through the gate. What the gate refuses and what fails is part of the answer. */
  callTool(name: string, input?: unknown, options?: ToolCallOptions): Promise<TestToolAnswer>;
  /**
   * Answers a confirmation as a person. Resolves to what came of the call.
   * @throws WorkspaceError confirmation_answered, confirmation_expired, tool_invalid_arguments
   */
  answerConfirmation(
    id: string,
    answer: 'allow' | 'deny',
    options?: { readonly reason?: string | undefined; readonly arguments?: unknown },
  ): Promise<TestToolAnswer>;
  /** The log of tools, oldest call first. */
  toolCalls(): Promise<TestToolCall[]>;
  /** A customer writes a message; customer and conversation are created if necessary. */
  customerWrites(message: Input<'messages.receive'>): Promise<Output<'messages.receive'>>;
  /** Sends a real request to the workspace's HTTP face; the token is added unless an Authorization header is given. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/** Who writes. An undefined option counts as left out. */
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

type ChatMessage = Output<'messages.receive'>;

/** A conversation as a customer. Each `say` ends when everything that it leads to is done. */
export interface TestChat {
  /** Known once something was said. */
  readonly conversationId: string;
  /** Writes a text, or taps a quick reply. Resolves to what came back. */
  say(what: string | { readonly quickReply: string }): Promise<ChatMessage[]>;
  /** Moves the workspace clock: `'2h'`. Resolves to what came meanwhile. */
  advance(by: string | number): Promise<ChatMessage[]>;
  /** Resolves to what came of something that somebody else did, such as a person who answered. */
  settled(): Promise<ChatMessage[]>;
  readonly expect: {
    /** Among what came back last there is a message with this text in it, or one that matches. */
    message(text: string | RegExp): Promise<ChatMessage>;
    /** A tool was called in this conversation, with at least these arguments. */
    tool(name: string, args?: Readonly<Record<string, unknown>>): Promise<void>;
    /** The last flow run took this way: names of nodes, or `node:outcome`. Nodes between them may be left out. */
    path(...nodes: string[]): Promise<void>;
  };
}

/** Options of a webhook receiver. An undefined option counts as left out. */
export interface ReceiverOptions {
  /** Signing secret of what is accepted, `whsec_…`; by default one is made. */
  readonly secret?: string | undefined;
  /**
   * Answers each webhook whose signature is right: a status, or a whole `Response`. Default: 204. What it throws is answered with 500, and
   * thrown again by `close`.
   */
  readonly answer?: ((webhook: ReceivedWebhook) => ReceiverAnswer | Promise<ReceiverAnswer>) | undefined;
}

export type ReceiverAnswer = number | Response | undefined;

/** A webhook whose signature is right. A repeated attempt has the same id. */
export interface ReceivedWebhook {
  /** The header `webhook-id`. */
  readonly id: string;
  /** The body. */
  readonly event: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    readonly data: unknown;
    readonly [field: string]: unknown;
  };
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
  close(): Promise<void>;
}
