import type { FunctionType, OperationName } from '../contract/index.ts';
import type { ExampleCall, LocalEvent } from '../emulator/index.ts';
import type { FnError } from '../std/index.ts';

/** A function as `ready` names it. `url`: the endpoint of an exposed method, or the page of a view. */
export interface ReadyFunction {
  readonly name: string;
  readonly type?: FunctionType;
  readonly url?: string;
  readonly methods?: readonly string[];
  readonly auth?: 'token' | 'public';
  readonly problem?: FnError;
}

/** The workspace answers; what it serves is not known yet. */
export interface Listening {
  readonly type: 'listening';
  readonly url: string;
  /** The address to open in a browser: it signs the browser in, once. */
  readonly openUrl: string;
  readonly port: number;
  /** The port that was asked for, when another one was taken because it was busy. */
  readonly busyPort?: number;
  readonly app: string;
  readonly workspace: { readonly slug: string; readonly url: string };
  readonly token: string;
  readonly inspectPort?: number;
}

/** Everything is known and answers. */
export type Ready = Omit<Listening, 'type'> & {
  readonly type: 'ready';
  readonly functions: readonly ReadyFunction[];
  readonly example?: ExampleCall;
  /** Since the process began. */
  readonly ms: number;
};

/** What happens while `fn dev` runs. One dispatch (`cli/dev/dispatch`) says who hears it; a new kind must be routed to compile. */
export type DevEvent =
  | Listening
  | Ready
  | LocalEvent
  | { type: 'reloaded'; what: 'config' | 'seed'; made?: Readonly<Record<string, number>> }
  | { type: 'reload-failed'; what: 'config' | 'seed' | 'functions'; error: FnError }
  /** With `--relay`: a write that a function asked for and that the workspace elsewhere never saw. */
  | { type: 'held'; operation: OperationName; input: unknown; atMs: number }
  | { type: 'setup-failed'; error: FnError }
  /** Not every change is seen when it happens; the next request sees it. */
  | { type: 'watch-failed'; error: FnError }
  | { type: 'stopped' };
