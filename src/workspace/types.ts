import type {
  ActorType,
  Caller,
  CallOptions,
  EventKind,
  FunctionType,
  HarnessKind,
  Input,
  ModelProvider,
  OperationName,
  Output,
  ParsedInput,
  StateOperation,
  Trace,
} from '../contract/index.ts';
import type { Flow, Seed } from '../contract/shapes/index.ts';
import type { Clock } from '../std/index.ts';
import type { Job, JobSpec, JobsDoor } from './jobs/types.ts';
import type { ToolsDoor } from './tools/types.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface WorkspaceOptions {
  /** Path of the database file (its folder is created), or `:memory:`. Uploaded files are beside it, in `files/`. */
  readonly file: string;
  readonly slug: string;
  readonly name?: string;
  /** Address of the API, without a trailing slash; a function, because the port is known late. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  /** Values of the secrets that a seed may name (`secretFrom`), by name. */
  readonly namedSecrets?: (() => Promise<Readonly<Record<string, string>>>) | undefined;
  /** Asked while another process holds the file: whether to wait any longer. Default: no. */
  readonly waitForOwner?: (() => boolean) | undefined;
}

/** The state of one workspace and its rules, behind one door. */
export interface Workspace {
  readonly slug: string;
  /**
   * Carries out an operation on the state: scope, `onlyApp`, input shape, `If-Match`, idempotency, then the handler and
   * its events in one transaction; listeners are called after the commit.
   * @throws WorkspaceError when the workspace refuses; nothing was changed then
   */
  call<N extends StateOperation>(name: N, input: Input<N>, caller: Caller, options?: CallOptions): Promise<Output<N>>;
  /** Makes the same checks for an operation that a machine carries out: scope and shape. Returns the parsed input. */
  check<N extends OperationName>(name: N, input: unknown, caller: Caller): Promise<ParsedInput<N>>;
  /** The `ETag` of a versioned operation's answer, with its quotes. */
  etagOf(name: OperationName, output: unknown): string | undefined;
  /**
   * Finds the caller of an `Authorization` header; `actingAs` is the person that the token of this machine acts as.
   * @throws WorkspaceError token_missing, _malformed, _invalid, _revoked, _foreign
   */
  authenticate(authorization: string | undefined, actingAs?: string): Promise<Caller>;
  /** Somebody at this machine as a person of the team. @throws WorkspaceError operation_not_allowed for everybody else, and without such a person */
  actAs(caller: Caller, agentId: string): Promise<Caller>;
  /**
   * Registers a token of this value, with all scopes, for the machine that the workspace runs on. Idempotent.
   * @param renew called if it was revoked or when it gets revoked; installs another one
   */
  installLocalToken(value: string, renew?: () => Promise<void>): Promise<void>;
  /** Loads in advance what the first call needs. */
  warm(): Promise<void>;
  readonly events: Events;
  readonly jobs: JobsDoor;
  readonly webhooks: WebhooksDoor;
  readonly flows: FlowsDoor;
  readonly harnesses: HarnessesDoor;
  readonly runs: RunsDoor;
  readonly mcpClients: McpClientsDoor;
  readonly tools: ToolsDoor;
  readonly invocations: Invocations;
  readonly media: MediaDoor;
  readonly deployments: DeploymentsDoor;
  readonly apps: AppsDoor;
  readonly secrets: {
    /** Values of an app's secrets by name, only for the functions of that app. */
    ofApp(app: string): Promise<ReadonlyMap<string, string>>;
    /** Values that nobody reads: those of webhook endpoints and whatever else belongs to the workspace. Records are redacted of them. */
    ofOwners(): Promise<readonly string[]>;
    /** Calls the listener with each of them that is added. Returns a function that unsubscribes. */
    onOwnerSecret(listener: (value: string) => void): () => void;
  };
  readonly idempotency: Idempotency;
  readonly seed: SeedDoor;
  readonly clock: {
    /** The stored offset of the workspace clock, which survives restarts; milliseconds. */
    keptOffset(): Promise<number>;
    keepOffset(offsetMs: number): Promise<void>;
  };
  close(): Promise<void>;
}

/** One thing that happened, written in the transaction of the change itself. */
export interface JournalEvent {
  /** Position in the journal of this workspace; never reused. */
  readonly seq: number;
  readonly id: string;
  readonly type: EventKind;
  /** RFC 3339, by the workspace clock. */
  readonly timestamp: string;
  readonly actor: { readonly type: ActorType; readonly id: string | null };
  readonly conversationId: string | null;
  /** Counts the events of one conversation from 1; null outside conversations. */
  readonly sequence: number | null;
  /** The full object as the API shows it, under its name: `{message: {…}}`; over 20 kB `{message: {id, truncated: true}}`. */
  readonly data: { readonly [name: string]: Json };
  /** Old values of the fields that changed. */
  readonly previous: { readonly [name: string]: Json } | null;
  readonly operation: string;
  /** The invocation that called, if a function did. */
  readonly invocationId: string | null;
  /** 32 hex digits; null for events from before traces were kept. */
  readonly traceId: string | null;
  /** The id of what caused it directly: another event, a job, an invocation; null where a trace begins. */
  readonly causeId: string | null;
  /** How many deliveries and background invocations led here. */
  readonly depth: number;
  /** Made to try out what receives it. */
  readonly synthetic?: true;
}

export interface Events {
  /** The last position; 0 in an empty journal. */
  latest(): Promise<number>;
  /** Events after a position, oldest first. */
  after(seq: number, limit: number): Promise<JournalEvent[]>;
  /**
   * Where a reader of the journal begins: behind a cursor, at a time, or now.
   * @throws WorkspaceError cursor_invalid, cursor_expired, event_unknown
   */
  begin(from: { cursor?: string | undefined; since?: string | undefined; type?: string | undefined }): Promise<number>;
  /** The next events from there, as the API shows them, each with its cursor; and the place behind them. */
  next(
    seq: number,
    filter: { type?: string | undefined; conversationId?: string | undefined },
  ): Promise<{ events: { event: Output<'events.show'>; cursor: string }[]; seq: number; more: boolean }>;
  /** Calls the listener with every event after its commit, in order. Returns a function that unsubscribes. */
  subscribe(listener: (event: JournalEvent) => void): () => void;
}

export type InvocationStatus = Output<'invocations.list'>['items'][number]['status'];
export type InvocationTrigger = Output<'invocations.list'>['items'][number]['trigger'];
export type InvocationLog = Output<'invocations.show'>['logs'][number];
export type InvocationCall = Output<'invocations.show'>['calls'][number];

/** One invocation as the emulator recorded it, with secrets redacted. */
export interface NewInvocation {
  /** `inv_…` */
  readonly id: string;
  readonly app: string;
  readonly function: string;
  readonly type: FunctionType;
  readonly version: string;
  readonly trigger: InvocationTrigger;
  readonly caller: { readonly type: string; readonly id: string | null };
  readonly trace: Trace;
  readonly status: InvocationStatus;
  /** Milliseconds by the workspace clock. */
  readonly startedAt: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly peakMemoryBytes: number;
  readonly error: {
    readonly code: string;
    readonly name: string;
    readonly message: string;
    readonly stack?: string | undefined;
  } | null;
  /** JSON text as it crossed the sandbox's boundary; cut at 64 KiB. */
  readonly inputJson: string;
  /** JSON text; null when there is none. */
  readonly resultJson: string | null;
  readonly logs: readonly InvocationLog[];
  readonly calls: readonly InvocationCall[];
  /** The number of further calls that are not listed. */
  readonly callsLeftOut?: number;
}

export interface FunctionOfApp {
  readonly app: string;
  readonly function: string;
}

export interface Invocations {
  /** Queues a record: it is written in a batch, at the latest before the next read and on close. Takes microseconds. */
  record(invocation: NewInvocation): void;
  /**
   * Like `record`, but the record is made when it is written: of many in a second only the last ones are kept, and only these are made.
   * `make` must not hold on to much memory.
   */
  recordLater(of: FunctionOfApp, make: () => NewInvocation): void;
  flush(): Promise<void>;
}

/** A delivery that is due, with what sending it needs. */
export interface LoadedDelivery {
  readonly eventId: string;
  readonly kind: 'url' | 'function';
  /** The address, or app and path of a function. */
  readonly target: string;
  /** The text that is signed and sent. */
  readonly body: string;
  /** Its trace, with the delivery as the cause. */
  readonly trace: Trace;
  /** The new one first; none for a function. */
  readonly secrets: readonly string[];
}

/** A function that subscribes to events by its config. */
export interface AppEndpoint {
  /** App and path: `order-desk/api/on-message`. */
  readonly target: string;
  readonly events: readonly string[];
}

/** One attempt, as the log keeps it. `startedAtMs` is the machine's time. */
export interface DeliveryAttempt {
  readonly startedAtMs: number;
  readonly ms: number;
  readonly target: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly status?: number | undefined;
  readonly answer?:
    | { readonly headers: Readonly<Record<string, string>>; readonly body: string; readonly truncated: boolean }
    | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  readonly invocationId?: string | undefined;
}

export interface DeliveryOutcome {
  readonly job: Job;
  readonly deliveryId: string;
  readonly attempt: DeliveryAttempt;
  readonly decision: {
    readonly state: 'waiting' | 'delivered' | 'failed' | 'aborted';
    /** Until the next attempt, if it waits for one. */
    readonly delayMs?: number | undefined;
    readonly reason: string;
    /** Set if its endpoint is to be disabled. */
    readonly disables?: string | undefined;
  };
}

/** What a listener is to get: events behind its place, and what is sent to it again. */
export interface ListenerPage {
  readonly events: readonly {
    readonly event: Output<'events.show'>;
    readonly cursor: string;
    /** How many deliveries have led to this one. */
    readonly depth: number;
  }[];
  readonly resends: readonly {
    readonly deliveryId: string;
    readonly event: Output<'events.show'>;
    readonly depth: number;
    /** When that was asked for; another time for the same delivery is another wish. */
    readonly at: number;
  }[];
  /** The place behind these events. */
  readonly seq: number;
  readonly more: boolean;
}

/** The workspace's webhooks, for whoever delivers. */
export interface WebhooksDoor {
  /** undefined: there is nothing to deliver any more. */
  load(deliveryId: string): Promise<LoadedDelivery | undefined>;
  /**
   * Ends a try with all its effects, in one transaction: attempt, delivery, job, endpoint, event.
   * @returns false if the job is no longer this process's: nothing was changed
   */
  record(outcome: DeliveryOutcome): Promise<boolean>;
  /** Ends the job that disables an endpoint after days of failures. */
  expire(job: Job, endpointId: string): Promise<boolean>;
  /**
   * Keeps the endpoints of apps in step with the `config.events` of their functions.
   * @param unknown functions of which nobody knows at the moment: theirs stay as they are
   */
  keepAppEndpoints(wanted: readonly AppEndpoint[], unknown: ReadonlySet<string>): Promise<void>;
  /**
   * What a listener is to get next.
   * @param from where its stream has got to; undefined: at its cursor
   * @throws WorkspaceError listener_not_found, cursor_expired
   */
  nextForListener(id: string, from: number | undefined): Promise<ListenerPage>;
  /** Calls the listener when something is sent to a listener again, or one is removed. Returns a function that unsubscribes. */
  onResend(listener: () => void): () => void;
}

/** What the last list of a server says of one tool; see the room `mcp`. */
export interface ListedMcpTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>> | null;
  readonly annotations: {
    readonly readOnly: boolean | null;
    readonly destructive: boolean | null;
    readonly idempotent: boolean | null;
    readonly openWorld: boolean | null;
  };
  readonly hash: string;
  readonly problem: string | null;
  readonly warnings: readonly string[];
}

/** What `mcpClients.update` has changed about one tool. */
export type McpToolPolicy = NonNullable<NonNullable<ParsedInput<'mcpClients.update'>['tools']>[string]>;

/** A tool of a client with its state and policy, as `mcpClients.tools` shows it. */
export type McpToolOfClient = Output<'mcpClients.tools'>['items'][number];

export interface ListedMcpServer {
  readonly transport: 'sse' | 'streamable-http';
  readonly protocolVersion: string;
  readonly server: { readonly name: string; readonly version: string };
  readonly tools: readonly ListedMcpTool[];
}

/** A client with what connecting needs. */
export interface LoadedMcpClient {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly auth: 'none' | 'basic' | 'bearer';
  readonly user: string | null;
  readonly secret: string | undefined;
  /** The name of the secret's value on this machine, from a seed. */
  readonly secretFrom: string | null;
  readonly code: boolean;
  /** How the server was spoken to within the last day. */
  readonly transport: 'sse' | 'streamable-http' | null;
  readonly isListed: boolean;
  readonly tools: readonly McpToolOfClient[];
  /** Hashes of accepted tools that are no longer listed, by name. */
  readonly gone: Readonly<Record<string, string>>;
}

/** The workspace's MCP clients, for whoever connects. */
export interface McpClientsDoor {
  /** @param asked id or name */
  load(asked: string): Promise<LoadedMcpClient | undefined>;
  /** Names of all, oldest first. */
  names(): Promise<string[]>;
  /** Keeps what a server lists, with its events. @returns the client as it is then; undefined if it was removed meanwhile */
  recordListed(id: string, listed: ListedMcpServer): Promise<LoadedMcpClient | undefined>;
  recordFailed(id: string, error: { readonly code: string; readonly message: string }): Promise<void>;
}

/** A flow of an app as it is to go live. */
export interface NewFlow {
  readonly name: string;
  readonly definition: Flow;
  /** A hash of its file: the version counts up when it changes. */
  readonly content: string;
}

/** Where a run is, as the interpreter keeps it; nothing here knows more of it than this. */
export interface FlowRunState {
  readonly node: string;
  readonly seq: number;
  readonly variables: { readonly [name: string]: unknown };
  readonly queue: readonly { readonly [name: string]: unknown }[];
}

/** A run of a flow that is under way. */
export interface FlowRunUnderWay {
  readonly id: string;
  readonly definition: Flow;
  /** undefined before its first step. */
  readonly state: unknown;
  readonly beginning: FlowBeginning;
  readonly waitingFor: 'message' | 'time' | 'run' | null;
}

/** What a run begins with. */
export interface FlowBeginning {
  readonly message: Output<'messages.send'> | null;
  /** Of a rerun: the node at which it begins, and what the run before had done until then. */
  readonly from?: { readonly node: string; readonly steps: readonly Pick<FlowStepRecord, FlowStepFact>[] } | undefined;
}

type FlowStepFact = 'node' | 'outcome' | 'output' | 'variables' | 'message';

/** What can start a flow or go on with one, with everything that decides. */
export interface FlowSchedule {
  readonly app: string;
  readonly name: string;
  /** Five or six fields, as of a Cron Job. */
  readonly schedule: string;
  /** IANA name. */
  readonly timezone: string;
}

export interface FlowSituation {
  /** The kinds of triggers that it is. */
  readonly triggers: readonly string[];
  readonly message: Output<'messages.send'> | null;
  /** Of a schedule: when it was due. */
  readonly input: Json;
  readonly surroundings: FlowRunSurroundings;
  /** In the order in which they began. */
  readonly runs: readonly FlowRunUnderWay[];
  /** Those that may start, in their order. */
  readonly flows: readonly {
    readonly id: string;
    readonly app: string;
    readonly name: string;
    readonly definition: Flow;
    readonly vars: { readonly [name: string]: Json };
  }[];
}

/** What a run can see of the workspace. */
export interface FlowRunSurroundings {
  readonly conversation: Output<'conversations.get'> | null;
  /** The kind of its channel. */
  readonly channel: string | null;
  readonly customer: Output<'customers.get'> | null;
  readonly workspace: { readonly slug: string; readonly name: string };
}

export interface LoadedFlowRun extends FlowRunUnderWay {
  readonly flowId: string;
  readonly app: string;
  readonly flow: string;
  /** What happened to it, as it was told to `wake`. */
  readonly event: unknown;
  readonly input: Json;
  readonly vars: { readonly [name: string]: Json };
  readonly surroundings: FlowRunSurroundings;
  /** Its trace, with the run as the cause. */
  readonly trace: Trace;
}

export interface FlowStepRecord {
  readonly seq: number;
  readonly node: string;
  readonly type: string;
  readonly outcome: string;
  readonly output?: unknown;
  readonly variables?: { readonly [name: string]: unknown } | undefined;
  readonly message?: unknown;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
  /** The invocation or run that it made; a message is added here. */
  readonly ref?: string | undefined;
  readonly ms: number;
}

/** A change of the conversation, made in the transaction of the step. */
export type FlowChange =
  | { readonly type: 'sendMessage'; readonly message: object }
  | { readonly type: 'sendTemplate'; readonly template: object }
  | {
      readonly type: 'assign';
      readonly to: { readonly workgroup: string } | { readonly agent: string };
      readonly note?: string | undefined;
      readonly pausesAi: boolean;
    }
  | { readonly type: 'closeConversation' };

/** What became of a run by one event. */
export interface FlowRecord {
  readonly runId: string;
  /** The number of steps before; another one means that it went on elsewhere. */
  readonly seq: number;
  readonly state: FlowRunState;
  readonly step: FlowStepRecord | undefined;
  readonly changes: readonly FlowChange[];
  readonly next:
    | { readonly type: 'go' }
    | { readonly type: 'wait'; readonly for: 'message' | 'time'; readonly ms: number }
    /** The run of an AI agent starts in this transaction; its end lets the flow go on. */
    | { readonly type: 'startRun'; readonly run: Omit<NewRun, 'source' | 'next'> }
    | { readonly type: 'end'; readonly status: 'completed' }
    | {
        readonly type: 'end';
        readonly status: 'failed';
        readonly error: { readonly code: string; readonly message: string };
      };
}

export type FlowRecorded =
  | { readonly is: 'recorded' }
  /** It was cancelled, or went on elsewhere: nothing was written. */
  | { readonly is: 'stale' }
  /** The workspace refuses a change: nothing was written. */
  | { readonly is: 'refused'; readonly error: { readonly code: string; readonly message: string } };

/** The workspace's flows, for whoever runs them. Each member is one transaction, and all but `publish` and `load` end the job that they are given. */
export interface FlowsDoor {
  /** Makes the flows of an app those; others of the app are gone. What has not changed keeps its version. */
  publish(app: string, flows: readonly NewFlow[]): Promise<void>;
  /** What has happened, and who may care. undefined: there is nothing to do any more, and the job has ended. */
  situation(job: Job): Promise<FlowSituation | undefined>;
  /** The live flows that start on a schedule, whether enabled or not. */
  scheduled(): Promise<readonly FlowSchedule[]>;
  /** Starts flows; one that runs in the conversation already is left out. */
  begin(job: Job, flowIds: readonly string[]): Promise<void>;
  /**
   * Takes a message to a run that is at work: it is kept, or what the AI agent at work says of new messages happens.
   * @param state with the message in its queue; undefined if too many wait
   */
  keep(job: Job, runId: string, message: object, state: FlowRunState | undefined): Promise<void>;
  /** Goes on with a run that waits. @param at where it must still wait; anywhere if left out */
  wake(job: Job, runId: string, event: object, at?: number): Promise<void>;
  /** Ends a run that cannot go on as failed; the job stays as it is. One that has ended stays as it ended. */
  fail(job: Job, runId: string, message: string): Promise<void>;
  /** A version of a flow; undefined if there is none. */
  definition(flowId: string, version: number): Promise<Flow | undefined>;
  /** A run whose turn it is. undefined: there is nothing to do any more, and the job has ended. */
  load(job: Job, runId: string): Promise<LoadedFlowRun | undefined>;
  /** Writes one step with its changes; ends the job unless it goes on. */
  record(job: Job, record: FlowRecord): Promise<FlowRecorded>;
}

export interface MediaDoor {
  /** Receives the bytes of an upload under its credentials; size and type are checked while they arrive. */
  receive(
    input: ParsedInput<'media.upload'>,
    contentType: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Output<'media.upload'>>;
  read(mediaId: string): Promise<{ bytes: Uint8Array; contentType: string; fileName: string }>;
}

/** A harness with its secrets, for the machine that speaks to it. */
export interface LoadedHarness {
  readonly id: string;
  readonly kind: HarnessKind;
  readonly name: string;
  readonly provider: ModelProvider | undefined;
  readonly baseUrl: string | undefined;
  readonly module: string | undefined;
  readonly models: RunModels;
  readonly apiKey: string | undefined;
  /** The new one first. */
  readonly secrets: readonly string[];
  readonly requireSignedReplies: boolean;
  /** It lacks the key that the seed names, or the secret that signs. */
  readonly needsSecret: boolean;
}

export interface HarnessesDoor {
  /** @param asked id or name @throws WorkspaceError harness_not_found */
  load(asked: string): Promise<LoadedHarness>;
}

interface RunModels {
  readonly main?: string | undefined;
  readonly fallback?: string | undefined;
  readonly fast?: string | undefined;
}

/** What a run may use. */
export interface RunBudget {
  readonly maxCostUsd?: number | undefined;
  readonly maxTokens: number;
  readonly maxModelCalls: number;
  readonly maxToolCalls: number;
  readonly maxSeconds: number;
}

/** What a run is asked, and how it may go about it; kept with the run, so that it goes on after a restart as it began. */
export interface RunSpec {
  /** The app whose scripts of models and tools it uses. */
  readonly app: string | null;
  readonly title: string | null;
  readonly instructions: string;
  readonly models: RunModels & { readonly main: string };
  readonly input: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly tools: readonly string[];
  readonly mcp: readonly {
    readonly client: string;
    readonly tools?: readonly string[] | undefined;
    readonly required?: boolean | undefined;
  }[];
  readonly budget: RunBudget;
  /** Of a run whose flow's node shares its budget among several: the whole, of which `budget` was left. A rerun has it all. */
  readonly nodeBudget?: RunBudget | undefined;
  readonly allowUnknownPrice: boolean;
  readonly history: {
    readonly maxMessages: number;
    readonly maxTokens?: number | undefined;
    /** Whether the fast model sums up what is left out. */
    readonly summary?: 'fast' | undefined;
  };
  readonly maxReplies: number;
  /** What a model is told of the surroundings, by paths. */
  readonly context: { readonly customer: readonly string[]; readonly conversation: readonly string[] };
  /** Whether its answer is sent to the conversation. */
  readonly sends: boolean;
  /** What a message of the customer does that comes while it works for a flow; `keep` if left out. */
  readonly onNewMessage?: 'keep' | 'interrupt' | 'reject' | undefined;
  /** The AI node of a flow that asks: tools permit it by its name. */
  readonly node?: { readonly app: string; readonly flow: string; readonly node: string } | undefined;
  readonly metadata: { readonly [name: string]: Json };
}

export type RunSource = Output<'aiAgentRuns.show'>['source'];

/** A run to start. */
export interface NewRun {
  readonly spec: RunSpec;
  readonly source?: Partial<RunSource>;
  /** @param content a hash: the version counts up when it changes */
  readonly agent?:
    | {
        readonly app: string;
        readonly name: string;
        readonly content: string;
        readonly caps?:
          | { readonly perDay?: number | undefined; readonly perConversation?: number | undefined }
          | undefined;
      }
    | undefined;
  /** Id or name. */
  readonly harness: string;
  readonly conversationId?: string | undefined;
  readonly rerunOf?: string | undefined;
  /** What happened before, taken from another run. */
  readonly events?: readonly RunEventRecord[];
  /** Enqueued in the transaction of the run's end; its payload gets `runId` and `status`. */
  readonly next?: Omit<JobSpec, 'trace' | 'causeId'> | undefined;
  /** Milliseconds by the workspace clock; now if left out. */
  readonly due?: number | undefined;
}

/** One thing that happened in a run, as its adapter told it. */
export interface RunEventRecord {
  /** Counts from 1 in a run. */
  readonly seq: number;
  /** Milliseconds of the workspace clock. */
  readonly at: number;
  readonly event: { readonly type: string; readonly [name: string]: unknown };
}

export type RunUsage = Output<'aiAgentRuns.show'>['usage'];

/** A run that somebody works on. */
export interface LoadedRun {
  readonly id: string;
  readonly status: Output<'aiAgentRuns.show'>['status'];
  readonly spec: RunSpec;
  readonly agent: { readonly id: string; readonly name: string } | null;
  /** Undefined if it was removed since. */
  readonly harness: LoadedHarness | undefined;
  /** History and input, oldest first. */
  readonly messages: readonly RunInputMessage[];
  /** The newest of the messages that it does not see, oldest first, if they are to be summed up. */
  readonly leftOut: readonly RunInputMessage[];
  readonly events: readonly RunEventRecord[];
  readonly usage: RunUsage;
  readonly state: unknown;
  readonly conversation: Output<'conversations.get'> | null;
  /** The kind of its channel. */
  readonly channel: string | null;
  readonly customer: Output<'customers.get'> | null;
  readonly trace: Trace;
}

export interface RunInputMessage {
  readonly role: 'user' | 'assistant';
  readonly id: string;
  readonly content: string;
  readonly author: 'customer' | 'agent' | 'aiAgent' | 'flow' | 'system';
  readonly sentAt: string;
}

/** What is written down of a run while it works. */
export interface RunChange {
  readonly events: readonly RunEventRecord[];
  readonly usage: RunUsage;
}

/** How a run ends, or stops until a person has answered. */
export interface RunEnd extends RunChange {
  readonly status: 'completed' | 'handedOver' | 'waiting' | 'failed' | 'cancelled';
  /** What is said to the customer, in order; those that were said before are not said again. */
  readonly texts: readonly string[];
  readonly error: { readonly code: string; readonly message: string; readonly hint: string } | null;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly handover: {
    readonly team: string | null;
    readonly reason: string | null;
    readonly summary: string | null;
  } | null;
  readonly waitingFor: Output<'aiAgentRuns.show'>['waitingFor'];
  readonly state: unknown;
}

/** The workspace's runs, for whoever works on them. */
export interface RunsDoor {
  /** Gives a file of an AI agent its id and version. */
  knowAgents(
    agents: readonly { readonly app: string; readonly name: string; readonly content: string }[],
  ): Promise<{ id: string; version: number }[]>;
  /** @throws WorkspaceError harness_not_found, conversation_not_found, ai_paused, ai_cap_reached, run_depth */
  create(run: NewRun, caller: Caller): Promise<Output<'aiAgentRuns.show'>>;
  /** Begins a run, or takes one over. undefined: there is nothing to do any more, and its job has ended. */
  begin(job: Job, runId: string): Promise<LoadedRun | undefined>;
  /** @returns false if the run is no longer this process's, or was cancelled: nothing was written */
  record(job: Job, runId: string, change: RunChange): Promise<boolean>;
  /** Ends a try with all its effects, in one transaction: run, job, messages, assignment, events. @returns as `record` */
  end(job: Job, runId: string, end: RunEnd): Promise<boolean>;
  /** What still came of a run after it was cancelled: its use is counted, everything else is dropped. */
  recordLate(runId: string, change: RunChange): Promise<void>;
  /** Lets a run go on that has waited too long for an answer to a question of its agent. */
  expire(job: Job, runId: string): Promise<void>;
  /** The next events of a run. */
  eventsAfter(runId: string, seq: number, limit: number): Promise<RunEventRecord[]>;
  /** Calls the listener after a commit that cancelled a run. Returns a function that unsubscribes. */
  onCancel(listener: (runId: string) => void): () => void;
}

/** The live deployment of an app. */
export interface LiveRelease {
  /** `dpl_…` */
  readonly id: string;
  readonly app: string;
  readonly fingerprint: string;
  readonly activatedAt: string;
  readonly manifest: Output<'deployments.show'>['manifest'];
}

export interface DeploymentsDoor {
  putFile(
    input: ParsedInput<'deployments.putFile'>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Output<'deployments.putFile'>>;
  getFile(input: ParsedInput<'deployments.getFile'>): Promise<Uint8Array>;
  activate(
    input: Input<'deployments.activate'>,
    caller: Caller,
    options?: CallOptions,
  ): Promise<Output<'deployments.activate'>>;
  rollback(
    input: Input<'deployments.rollback'>,
    caller: Caller,
    options?: CallOptions,
  ): Promise<Output<'deployments.rollback'>>;
  /** The release that `activate` would make live; undefined if it already is. @throws WorkspaceError what `activate` would throw */
  planActivate(input: ParsedInput<'deployments.activate'>, options: CallOptions): Promise<string | undefined>;
  /** The same for `rollback`. */
  planRollback(input: ParsedInput<'deployments.rollback'>, options: CallOptions): Promise<string | undefined>;
  live(app: string): Promise<LiveRelease | undefined>;
  /** The bytes of any deployment's file, by hash. */
  blob(sha256: string): Promise<Uint8Array>;
  /** Apps that have a live deployment. */
  apps(): Promise<string[]>;
}

export interface AppState {
  readonly installed: boolean;
  readonly settings: Record<string, Json>;
  readonly version: string | null;
}

export interface AppsDoor {
  /** Every app the workspace knows, installed or not. */
  known(): Promise<string[]>;
  state(app: string): Promise<AppState>;
  installed(
    app: string,
    state: { settings: Record<string, unknown>; version: string | null },
    caller: Caller,
  ): Promise<void>;
  uninstalled(app: string, caller: Caller): Promise<void>;
  /** Registers an app, so that it is listed and can be installed. */
  register(app: string, builtIn: boolean): Promise<void>;
}

/** The answer of a machine operation or a method endpoint, kept for 24 h. */
export interface StoredAnswer {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes as base64, or text; the HTTP face decides. */
  readonly body: string;
  /** The body is kept encrypted with the key of its request. */
  readonly sealed?: true;
}

/** Idempotency for work that is not one transaction; `call` has its own. */
export interface Idempotency {
  /**
   * @param fingerprint anything that distinguishes requests: method, path and body, hashed or not
   * @throws WorkspaceError idempotency_key_reused (other request), idempotency_key_running (the first one is under way)
   */
  begin(key: string, caller: Caller, fingerprint: string): Promise<{ replay?: StoredAnswer }>;
  /** Whether a request with this key was answered, so that another one is a repeat or is refused. */
  isAnswered(key: string, caller: Caller): Promise<boolean>;
  finish(key: string, caller: Caller, answer: StoredAnswer): Promise<void>;
  /** Forgets the key, so that a repeat is carried out: nothing was changed, or what was changed is not changed twice. */
  abandon(key: string, caller: Caller): Promise<void>;
}

export interface SeedDoor {
  /** Adds what is missing. @returns how many of each kind were created. @throws WorkspaceError seed_invalid */
  apply(seed: Seed): Promise<Record<string, number>>;
  /** Empties the workspace (tokens, secrets, apps and deployments stay) and applies a seed. */
  reset(seed?: Seed): Promise<void>;
  /** Calls the listener when the workspace was filled or emptied without journal events. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Gives what the seed has added without a secret the value that it has by now. */
  fillSecrets(): Promise<void>;
  isEmpty(): Promise<boolean>;
  default(): Seed;
  /** The seed that a workspace starts with: the given or the default one; without channels it gets the default channels. */
  beginning(seed: Seed | undefined): Seed;
}
