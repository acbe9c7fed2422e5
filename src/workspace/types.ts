import type {
  Caller,
  CallOptions,
  EventKind,
  FunctionType,
  Input,
  OperationName,
  Output,
  ParsedInput,
  StateOperation,
} from '../contract/index.ts';
import type { Seed } from '../contract/shapes/index.ts';
import type { Clock } from '../std/index.ts';

/** What a JSON document may hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export interface WorkspaceOptions {
  /** Path of the database file (its folder is made), or `:memory:`. Uploaded files lie beside it, in `files/`. */
  readonly file: string;
  readonly slug: string;
  readonly name?: string;
  /** Address of the API, without a trailing slash; asked late, because the port is known late. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
  /** How long to wait for another process to let go of the file; default 0. */
  readonly waitForOwnerMs?: number;
}

/** What `call` takes besides the contract's options. */
export interface WorkspaceCallOptions extends CallOptions {
  /** Told when the answer is the first one again (`Idempotent-Replayed: true`). */
  readonly onReplay?: () => void;
}

/** The state of one workspace and its rules, behind one door. */
export interface Workspace {
  readonly slug: string;
  /**
   * Carries out an operation on the state: scope, `onlyApp`, input shape, `If-Match`, idempotency, then the handler and
   * its events in one transaction; listeners hear of it after the commit.
   * @throws WorkspaceError when the workspace says no; nothing was changed then
   */
  call<N extends StateOperation>(
    name: N,
    input: Input<N>,
    caller: Caller,
    options?: WorkspaceCallOptions,
  ): Promise<Output<N>>;
  /** The same checks for an operation that a machine carries out: scope and shape. Gives the parsed input. */
  check<N extends OperationName>(name: N, input: unknown, caller: Caller): Promise<ParsedInput<N>>;
  /** The `ETag` of an answer of a versioned operation, with its quotes. */
  etagOf(name: OperationName, output: unknown): string | undefined;
  /** Who sends this `Authorization` header. @throws WorkspaceError token_missing, _malformed, _invalid, _revoked, _foreign */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /**
   * Makes a token of this value known, with all scopes, for the machine the workspace runs on. Idempotent.
   * @param renew called when it was revoked, or is later on: installs another one
   */
  installLocalToken(value: string, renew?: () => Promise<void>): Promise<void>;
  /** Loads what the first call needs, ahead of it. */
  warm(): Promise<void>;
  readonly events: Events;
  readonly invocations: Invocations;
  readonly media: MediaDoor;
  readonly deployments: DeploymentsDoor;
  readonly apps: AppsDoor;
  readonly secrets: {
    /** Values of an app's secrets by name, for the functions of that app and nobody else. */
    ofApp(app: string): Promise<ReadonlyMap<string, string>>;
  };
  readonly idempotency: Idempotency;
  readonly seed: SeedDoor;
  readonly clock: {
    /** How far the workspace clock was turned, as kept over restarts; milliseconds. */
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
}

export type ActorType = 'customer' | 'user' | 'aiAgent' | 'flow' | 'function' | 'api' | 'system';

export interface Events {
  /** The last position; 0 in an empty journal. */
  latest(): Promise<number>;
  /** Events after a position, oldest first. */
  after(seq: number, limit: number): Promise<JournalEvent[]>;
  /** Hears every event after its commit, in order. The answer ends it. */
  subscribe(listener: (event: JournalEvent) => void): () => void;
}

export type InvocationStatus = Output<'invocations.list'>['items'][number]['status'];
export type InvocationTrigger = Output<'invocations.list'>['items'][number]['trigger'];
export type InvocationLog = Output<'invocations.show'>['logs'][number];
export type InvocationCall = Output<'invocations.show'>['calls'][number];

/** One invocation as the emulator saw it, secrets redacted. */
export interface NewInvocation {
  /** `inv_…` */
  readonly id: string;
  readonly app: string;
  readonly function: string;
  readonly type: FunctionType;
  readonly version: string;
  readonly trigger: InvocationTrigger;
  readonly caller: { readonly type: string; readonly id: string | null };
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
  /** JSON text, as it crossed the sandbox's boundary; longer than 64 KiB it is cut. */
  readonly inputJson: string;
  /** JSON text; null when there is none. */
  readonly resultJson: string | null;
  readonly logs: readonly InvocationLog[];
  readonly calls: readonly InvocationCall[];
  /** How many more there were. */
  readonly callsLeftOut?: number;
}

export interface FunctionOfApp {
  readonly app: string;
  readonly function: string;
}

export interface Invocations {
  /** Keeps a record, soon: written in batches, at the latest before the next read and on close. Costs microseconds. */
  record(invocation: NewInvocation): void;
  /**
   * The same, made when it is written: of many in a second only the last ones are kept, and only these are made. What `make` holds
   * on to must be small.
   */
  recordLater(of: FunctionOfApp, make: () => NewInvocation): void;
  flush(): Promise<void>;
}

export interface MediaDoor {
  /** Takes the bytes that credentials were given for; size and type are checked while they arrive. */
  receive(
    input: ParsedInput<'media.upload'>,
    contentType: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Output<'media.upload'>>;
  read(mediaId: string): Promise<{ bytes: Uint8Array; contentType: string; fileName: string }>;
}

/** What is live of an app. */
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
    options?: WorkspaceCallOptions,
  ): Promise<Output<'deployments.activate'>>;
  rollback(
    input: Input<'deployments.rollback'>,
    caller: Caller,
    options?: WorkspaceCallOptions,
  ): Promise<Output<'deployments.rollback'>>;
  /** Which release `activate` would make live; undefined when it is. @throws WorkspaceError what `activate` would throw */
  planActivate(input: ParsedInput<'deployments.activate'>, options: WorkspaceCallOptions): Promise<string | undefined>;
  /** The same of `rollback`. */
  planRollback(input: ParsedInput<'deployments.rollback'>, options: WorkspaceCallOptions): Promise<string | undefined>;
  live(app: string): Promise<LiveRelease | undefined>;
  /** The bytes of a file of any deployment, by hash. */
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
  /** Makes an app known, so that it is listed and can be installed. */
  register(app: string, builtIn: boolean): Promise<void>;
}

/** The answer of a machine operation or a method endpoint, kept for 24 h. */
export interface StoredAnswer {
  readonly status: number;
  readonly statusText?: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes as base64, or text, as the HTTP face likes. */
  readonly body: string;
}

/** Idempotency for what is not one transaction; `call` has its own. */
export interface Idempotency {
  /**
   * @param fingerprint anything that tells one request from another: method, path and body, hashed or not
   * @throws WorkspaceError idempotency_key_reused (other request), idempotency_key_running (the first one is under way)
   */
  begin(key: string, caller: Caller, fingerprint: string): Promise<{ replay?: StoredAnswer }>;
  /** Whether a request with this key was answered, so that what comes is a repeat, or is refused. */
  isAnswered(key: string, caller: Caller): Promise<boolean>;
  finish(key: string, caller: Caller, answer: StoredAnswer): Promise<void>;
  /** Forgets the key: it is certain that nothing was changed. */
  abandon(key: string, caller: Caller): Promise<void>;
}

export interface SeedDoor {
  /** Adds what is not there yet; how many of each kind were made. @throws WorkspaceError seed_invalid */
  apply(seed: Seed): Promise<Record<string, number>>;
  /** Empties the workspace (tokens, secrets, apps and deployments stay) and seeds it anew. */
  reset(seed?: Seed): Promise<void>;
  /** Hears whenever the workspace has been filled or emptied without a word in the journal. Gives back how to stop that. */
  onChange(listener: () => void): () => void;
  isEmpty(): Promise<boolean>;
  default(): Seed;
  /** What a workspace begins with: this seed, or the usual one; one that is silent about channels gets the usual channels. */
  beginning(seed: Seed | undefined): Seed;
}
