import type { Client, RawRequest, WireAnswer } from '../client/index.ts';
import type { Door } from '../contract/index.ts';
import type { Project } from '../project/index.ts';
import type { Clock, FnError } from '../std/index.ts';
import type { CutOff } from './host.ts';
import type { Io } from './io.ts';
import type { Ask } from './terminal/ask.ts';

/** Everything that a command uses. Expensive things are functions, called late. Tests pass in their own (`test/cli/context.ts`). */
export interface Context {
  readonly io: Io;
  /** Asks questions. If nobody can answer, a question is a usage error that names the flag and the variable. */
  readonly ask: Ask;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
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
  /** The app around `cwd`; undefined outside of one. Read once. @throws ProjectError for a broken config */
  project(): Promise<Project | undefined>;
  /** The app around `cwd`. @throws ProjectError `project_missing` */
  requireProject(): Promise<Project>;
  /**
   * The door of the workspace this command speaks to: the one of a profile or of FN_BASE_URL, else a running `fn dev` of
   * this app, else one in this process. Opened once, closed when the command ends.
   */
  door(): Promise<Door>;
  /** The door with details of its workspace. `where` restricts it: `remote` refuses a local workspace, `local` a remote one. */
  target(where?: 'any' | 'remote' | 'local'): Promise<Target>;
  /**
   * How the process ends when a second Ctrl-C (or the time limit after the first) cuts the command off now: with 8 while a
   * send is out. Undefined: with 130.
   */
  ifCutOff(state: CutOff | undefined): void;
  /** Registers a function that is called on an unexpected failure and says whether an answer from elsewhere is the reason. */
  onFailure(explain: () => Promise<FnError | undefined>): void;
  /** Runs when the command has ended, however it did; last one first; each gets at most a second after Ctrl-C. */
  onEnd(cleanUp: () => Promise<void> | void): void;
}

export interface CommonFlags {
  readonly json: boolean;
  readonly input: boolean;
  readonly debug: boolean;
  readonly profile: string | undefined;
}

export interface Target {
  /** `remote`: a workspace elsewhere. `dev`: a running `fn dev` of this app. `embedded`: in this process. */
  readonly kind: 'remote' | 'dev' | 'embedded';
  readonly slug: string;
  /** Origin and path before `/api/<slug>`; undefined for the embedded one until it is asked to listen. */
  readonly baseUrl: string | undefined;
  /** Name of the profile, when one was used. */
  readonly profile: string | undefined;
  readonly door: Door;
  /** The client behind the door of `remote` and `dev`: bytes, streams, answers with their ETag. */
  readonly client: Client | undefined;
  /** A request below `/api/<slug>` as it stands: for `fn api` and for bytes. Never retried. */
  request(request: RawRequest): Promise<WireAnswer>;
  /** Of the embedded one: warns of what the build of a function showed. */
  tellBuilt?(name: string): void;
  close(): Promise<void>;
}
