import type { ErrorCode } from './error-codes.ts';
import type { EventKind } from './events.ts';
import type { Scope } from './scopes.ts';

/** The ways to reach an operation: over HTTP, from a function, from a Custom View, by a command of its own. */
export type Face = 'rest' | 'sdk' | 'client' | 'cli';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One thing a workspace can do: a row in `areas/NAME.ts`, its shapes in `areas/NAME.shapes.ts` beside it, and a handler. Every face is
 * derived from them. What is special about an operation is a column here, never a list of names elsewhere.
 */
export interface Operation {
  /** Method and path below `/api/<slug>`; `:name` is one segment, percent-encoded. null: not available over HTTP. */
  readonly route: `${Method} /${string}` | null;
  /** `documented`: stated by the platform's developer interface. `assumed`: our decision; a profile may override its route. */
  readonly source: 'documented' | 'assumed';
  /** Where the fact comes from: a section of the developer interface, or of docs/platform. */
  readonly fact: string;
  readonly faces: readonly Face[];
  readonly scope: Scope;
  readonly effect: 'read' | 'write';
  /** `state`: a handler on the database. `machine`: it needs a sandbox, a stream or the clock, so the emulator does it. */
  readonly by: 'state' | 'machine';
  /** One sentence for help and reference. */
  readonly summary: string;
  /** Refusals beyond the common ones (token, scope, input, limits). */
  readonly errors?: readonly ErrorCode[];
  readonly emits?: readonly EventKind[];
  /** HTTP status of success; 200 by default. */
  readonly status?: 201 | 202 | 204;
  /** Only functions of this app may call it. */
  readonly onlyApp?: string;
  /** Exists in a local workspace only. */
  readonly localOnly?: true;
  /** The request body is bytes, not JSON. */
  readonly rawBody?: true;
  /** The answer is bytes, not JSON. */
  readonly rawAnswer?: true;
  /** The request body carries a seed, which may be larger than other bodies. */
  readonly seedBody?: true;
  /** The entity has a version, made of its content or its id: answers carry it as `ETag`, and `If-Match` is honoured. */
  readonly versioned?: 'content' | 'id';
  /** Also an event stream over HTTP, to those who ask for one; or nothing else. Handlers in `emulator/http/streams.ts`. */
  readonly eventStream?: 'offered' | 'only';
  /** No token is asked: the address, which the workspace has signed, is the credential. */
  readonly credential?: 'signed-address';
  /** For functions only; this is the operation that does the same for other callers. */
  readonly outside?: `${string}.${string}`;
  /** The function of a built-in app that carries it out. The app must be installed, and who runs the function by its name needs the scope of this row. */
  readonly builtIn?: { readonly app: string; readonly name: string };
  /** It runs the function that its input names, whose failure it reports. */
  readonly runsFunction?: true;
  /** The field of a function's `config` that lists the names it may ask for; without the field it may ask for any. */
  readonly declaredIn?: 'secrets';
  /**
   * What it changes of a conversation or a customer that is there: an AI Tool needs a path for each, in its own conversation. `by`: the
   * fields of the input that say which one. `path` may end in `.*`: one for each name that the input has there. `if`: only with this field.
   */
  readonly changes?: readonly {
    readonly of: 'conversation' | 'customer';
    readonly by: Readonly<Partial<Record<'id' | 'phone' | 'email', string>>>;
    readonly path: string;
    readonly if?: string;
  }[];
  /** The record of an invocation names it among the calls of the function, without input and answer, which would show a secret. */
  readonly recorded?: 'name-only';
  /** The answer contains something that is shown once: it is kept encrypted for a repeat, never in clear text. */
  readonly sealed?: true;
  /**
   * How an operation by the machine changes the workspace, if it is not a run with steps of its own.
   * - `whole`: it is one transaction, as operations on the state are, whatever follows it.
   * - `last`: one transaction ends it, and keeps the answer for a repeat with the same idempotency key.
   */
  readonly transaction?: 'whole' | 'last';
  /** It reads nothing of what a seed brings, so it need not wait until the seed is loaded. */
  readonly withoutSeed?: true;
  /** It reads records of invocations, which are written a little later than they are made: those first. */
  readonly readsInvocations?: true;
  /** After the handler on the state, the machine completes the answer or what it keeps in memory: `emulator/handlers/follow-ups.ts`. */
  readonly followUp?: true;
  /** Before the handler on the state, the machine checks what only it knows, such as functions: `emulator/handlers/first-checks.ts`. */
  readonly firstCheck?: true;
  /**
   * Members of the answer that a client relies on: without them it is not this workspace that answered, but a portal or another API.
   * The shapes would say it more exactly, but a one-line command does not load them. What is called `….list` needs `items` anyway.
   */
  readonly needs?: Readonly<Record<string, 'text' | 'list' | 'any'>>;
  /**
   * What else is known about a second attempt, while the outcome of the first is unknown; GET, PUT and DELETE may be repeated anyway.
   * - `harmless`: by itself it changes nothing that anybody sees: what is not used afterwards expires.
   * - `missing-is-done`: if what was to be deleted is missing, the first attempt has deleted it.
   */
  readonly repeat?: 'harmless' | 'missing-is-done';
  /**
   * What a relay (local code with the data of a remote workspace) does with it, other than to let reads pass and hold back writes.
   * - `local`: it belongs to the running code, as do operations without a route, so the local workspace carries it out.
   * - `simulated`: when it is held back, `client/simulations.ts` gives the answer that the workspace would have given.
   */
  readonly relay?: 'local' | 'simulated';
}

/** Columns shared by most rows of a kind. */
export const list = { scope: 'read', effect: 'read', by: 'state', source: 'assumed', fact: 'contract 4' } as const;
export const write = { scope: 'write', effect: 'write', by: 'state', source: 'assumed', fact: 'contract 4' } as const;
export const deploy = { ...write, scope: 'deploy', fact: 'contract 6' } as const;
export const admin = { ...write, scope: 'admin' } as const;
