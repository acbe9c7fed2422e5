import type { FunctionType, OperationName } from '../contract/index.ts';
import type { ExampleCall, LocalEvent } from '../emulator/index.ts';
import type { FnError } from '../std/index.ts';
import type { AgentRun, FlowRun } from './runs.ts';

/** A function as `ready` names it. `url`: the endpoint of an exposed method, or the page of a view. */
export interface ReadyFunction {
  readonly name: string;
  readonly type?: FunctionType;
  readonly url?: string;
  readonly methods?: readonly string[];
  readonly auth?: 'token' | 'public';
  readonly problem?: FnError;
}

/** A flow as `ready` names it. */
export interface ReadyFlow {
  readonly name: string;
  /** What starts it: `message.received`. */
  readonly trigger: string;
}

/** The workspace answers requests; its functions are not known yet. */
export interface Listening {
  readonly type: 'listening';
  readonly url: string;
  /** The address to open in a browser: it signs the browser in, once. */
  readonly openUrl: string;
  readonly port: number;
  /** With `--host`: the addresses at which other machines reach it. */
  readonly beyond?: readonly string[];
  /** The requested port, if it was busy and another one was taken. */
  readonly busyPort?: number;
  readonly app: string;
  readonly workspace: { readonly slug: string; readonly url: string };
  readonly token: string;
  readonly inspectPort?: number;
  /** For a workspace for practice: the file of its token, to log in with. */
  readonly practice?: { readonly tokenFile: string };
}

/** All functions are known and answer. */
export type Ready = Omit<Listening, 'type'> & {
  readonly type: 'ready';
  readonly functions: readonly ReadyFunction[];
  readonly flows: readonly ReadyFlow[];
  /** Its AI agents. */
  readonly agents: readonly { readonly name: string }[];
  readonly example?: ExampleCall;
  /** Milliseconds since the process started. */
  readonly ms: number;
};

/** An event of a running `fn dev`. One dispatch (`cli/dev/dispatch`) routes it; a new kind must be routed to compile. */
export type DevEvent =
  | Listening
  | Ready
  | LocalEvent
  | { type: 'reloaded'; what: 'config' | 'seed'; made?: Readonly<Record<string, number>> }
  | { type: 'reload-failed'; what: 'config' | 'seed' | 'functions'; error: FnError }
  /** With `--relay`: a write that a function asked for and that the remote workspace never saw. */
  | { type: 'held'; operation: OperationName; input: unknown; atMs: number }
  | { type: 'setup-failed'; error: FnError }
  /** A run of a flow or of an AI agent waits, or has ended. */
  | { type: 'flow-run'; run: FlowRun }
  | { type: 'agent-run'; run: AgentRun }
  /** Secrets of fn.config.json without a value in this workspace. */
  | { type: 'secrets-missing'; names: readonly string[] }
  /** AI agents whose harnesses load packages of the app, which nobody trusts yet. */
  | { type: 'trust-missing'; folder: string; agents: readonly string[] }
  /** Some changes go unseen when they happen; the next request notices them. */
  | { type: 'watch-failed'; error: FnError }
  | { type: 'stopped' };
