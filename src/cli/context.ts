import type { Client, RawRequest, WireAnswer } from '../client/index.ts';
import type { Door } from '../contract/index.ts';
import type { Project } from '../project/index.ts';
import type { Clock, Environment, FnError } from '../std/index.ts';
import type { CutOff } from './host.ts';
import type { Io } from './io.ts';
import type { Ask } from './terminal/ask.ts';

/** Everything that a command uses. Expensive things are functions, called late. Tests pass in their own (`test/cli/context.ts`). */
export interface Context {
  readonly io: Io;
  /** Asks questions. If nobody can answer, a question is a usage error that names the flag and the variable. */
  readonly ask: Ask;
  readonly clock: Clock;
  readonly env: Environment;
  /** The folder in which the command was started, or the one of `-C`. Absolute. */
  readonly cwd: string;
  /** The folder in which the person started the command: `cwd`, unless `-C` names another folder. */
  readonly startedIn: string;
  /** Version of this package. */
  readonly version: string;
  /** Aborted by the first Ctrl-C or SIGTERM: stop, clean up, return. */
  readonly signal: AbortSignal;
  /** The common flags as given; the variables behind them are in `env`. */
  readonly flags: CommonFlags;
  /** All of standard input, as text. At most `mostBytes` (default 16 MiB). */
  stdin(mostBytes?: number): Promise<string>;
  /** The app around `cwd`; undefined outside an app. Read once. @throws ProjectError for a broken config */
  project(): Promise<Project | undefined>;
  /** The app around `cwd`; local state in it that is not this user's is set aside. @throws ProjectError `project_missing` */
  requireProject(): Promise<Project>;
  /**
   * The door of the command's workspace: the one of a profile or of FN_BASE_URL, or else a running `fn dev` of this app, or
   * else one in this process. Opened once, closed when the command ends.
   */
  door(): Promise<Door>;
  /** The door with details of its workspace. `where` restricts it: `remote` refuses a local workspace, `local` a remote one. */
  target(where?: 'any' | 'remote' | 'local'): Promise<Target>;
  /**
   * Sets the exit code for a second Ctrl-C (or the time limit after the first): 8 while a send has no answer; 130 if
   * undefined.
   */
  ifCutOff(state: CutOff | undefined): void;
  /** Registers a function that is called on an unexpected failure and returns the underlying error, if it knows one. */
  onFailure(explain: () => Promise<FnError | undefined>): void;
  /** Registers a clean-up for the end of the command, however it ends. The last one runs first; after Ctrl-C their time is limited. */
  onEnd(cleanUp: () => Promise<void> | void): void;
}

export interface CommonFlags {
  readonly json: boolean;
  readonly input: boolean;
  readonly debug: boolean;
  readonly profile: string | undefined;
}

export interface Target {
  /** `remote`: a remote workspace. `dev`: a running `fn dev` of this app. `embedded`: in this process. */
  readonly kind: 'remote' | 'dev' | 'embedded';
  readonly slug: string;
  /** Origin and path before `/api/<slug>`; undefined for the embedded one until it listens. */
  readonly baseUrl: string | undefined;
  /** Name of the profile, if one was used. */
  readonly profile: string | undefined;
  readonly door: Door;
  /** The client behind the door of `remote` and `dev`: bytes, streams, answers with their ETag. */
  readonly client: Client | undefined;
  /** Sends a raw request below `/api/<slug>`, for `fn api` and for bytes. Never retried. */
  request(request: RawRequest): Promise<WireAnswer>;
  /** For the embedded one: begins to work on what runs later, and gives a client that can follow it. */
  working?(): Promise<Client>;
  /** For the embedded one: prints the warnings of a function's build. */
  tellBuilt?(name: string): void;
  close(): Promise<void>;
}
