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
  /** The request body carries a seed, which may be larger than other bodies. */
  readonly seedBody?: true;
  /** Its answer holds something that is shown once: for a repeat with the same idempotency key it is kept encrypted with that key. */
  readonly sealed?: true;
  /** The entity has a version: answers carry `ETag`, and `If-Match` is honoured. */
  readonly versioned?: true;
}

/** Columns shared by most rows of a kind. */
export const list = { scope: 'read', effect: 'read', by: 'state', source: 'assumed', fact: 'contract 4' } as const;
export const write = { scope: 'write', effect: 'write', by: 'state', source: 'assumed', fact: 'contract 4' } as const;
export const deploy = { ...write, scope: 'deploy', fact: 'contract 6' } as const;
export const admin = { ...write, scope: 'admin' } as const;
