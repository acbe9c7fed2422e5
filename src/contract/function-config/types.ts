import type { FunctionType } from '../function-types.ts';

/** A JSON Schema (draft 2020-12) as an author writes it. It is compiled at its first use and not trusted before. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };

/** Limits of an invocation; they can only lower the workspace's limits. */
export interface FunctionLimits {
  readonly wallMs?: number;
  readonly cpuMs?: number;
  readonly memoryMb?: number;
  readonly bodyBytes?: number;
  readonly resultBytes?: number;
  readonly logLines?: number;
}

export interface ToolLimits extends FunctionLimits {
  /** Alias of `wallMs`. */
  readonly timeoutMs?: number;
  readonly maxCallsPerRun?: number;
  readonly perMinute?: number;
  readonly maxResultBytes?: number;
}

interface Common<T extends FunctionType> {
  readonly type: T;
  readonly description?: string;
  readonly isolation?: 'fresh' | 'warm';
  readonly limits?: FunctionLimits;
  /** Names of the secrets that the function may read; by default all of its app's. */
  readonly secrets?: readonly string[];
}

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** How a Server Side Method can be called from outside. */
export interface Expose {
  readonly methods: readonly HttpMethod[];
  /** `public`: no token is required; the guard against foreign web pages remains. */
  readonly auth: 'token' | 'public';
  /** Schema of the JSON body, or of the query of a GET. */
  readonly input?: JsonSchema;
  readonly output?: JsonSchema;
}

export interface MethodConfig extends Common<'server-side-method'> {
  readonly expose: false | Expose;
  /** Kinds of events, groups and `*`: it is called with each such event, exposed or not. */
  readonly events?: readonly string[];
}

export interface FlowNodeConfig extends Common<'custom-flow-node'> {
  readonly title: string;
  readonly input?: JsonSchema;
  readonly outcomes: readonly string[];
}

export interface ViewConfig extends Common<'custom-view'> {
  readonly title: string;
  readonly placement: 'conversation' | 'customer' | 'page';
  /** Initial height of its frame, in pixels. */
  readonly height?: number;
}

type Callers = 'all' | 'none' | readonly string[];

export interface ToolPermissions {
  /** Who may call the tool; by default only people. */
  readonly callers?: {
    readonly aiAgents?: Callers;
    readonly aiNodes?: Callers;
    readonly harnesses?: Callers;
    readonly code?: boolean;
    readonly mcp?: boolean;
  };
  /** Fields of the conversation that it may read and change. */
  readonly conversation?: { readonly read?: readonly string[]; readonly write?: readonly string[] };
}

export type Confirmer = 'never' | 'human' | 'customer';

/** Who confirms a call. */
export type ConfirmConfig =
  | Confirmer
  | {
      readonly by: Confirmer;
      /** `15m`, `2h`, `1d`. */
      readonly expiresAfter?: string;
      readonly onExpire?: 'deny' | 'handover';
      /** The question. */
      readonly text?: string;
      /** Only calls whose arguments match this schema need it. */
      readonly when?: JsonSchema;
    };

export interface ToolConfig extends Common<'ai-tool'> {
  /** The name that the model uses: letters, digits, `_` and `-`, at most 64 characters. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  readonly permissions?: ToolPermissions;
  readonly confirm: ConfirmConfig;
  readonly limits?: ToolLimits;
  readonly annotations?: {
    readonly readOnly?: boolean;
    readonly destructive?: boolean;
    readonly idempotent?: boolean;
    readonly openWorld?: boolean;
  };
  readonly log?: {
    readonly arguments?: 'full' | 'redacted' | 'none';
    readonly result?: 'full' | 'redacted' | 'none';
    readonly redact?: readonly string[];
  };
}

export interface CronConfig extends Common<'cron-job'> {
  /** Five or six fields, or a nickname such as `@hourly`. */
  readonly schedule: string;
  /** A zone of the time zone database. */
  readonly timezone: string;
  /** What happens when the job is due while it is still running. */
  readonly overlap: 'skip' | 'queue';
}

export interface SetupConfig extends Common<'custom-app-setup'> {
  /** Schema of the app's settings. */
  readonly settings?: JsonSchema;
}

/** The exported `config` of a function, checked, with its defaults. */
export type FunctionConfig = MethodConfig | FlowNodeConfig | ViewConfig | ToolConfig | CronConfig | SetupConfig;
