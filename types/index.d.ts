/// <reference path="./assets.d.ts" />
// Made by "npm run generate": what is about the platform comes from the contract table, the rest from
// scripts/generate/authors.d.ts.txt. Do not edit.

/**
 * Types for custom functions. In JavaScript:
 *
 *     /** @type {import('convo-fn').ServerSideMethod} *\/
 *     export const config = { type: 'server-side-method', expose: { methods: ['POST'], auth: 'token' } };
 *
 *     /** @param {import('convo-fn').MethodSdk} sdk *\/
 *     export default async function (sdk) { … }
 */
import type {
  Agent,
  AiAgentRun,
  AiAgentRunInList,
  Assignment,
  Build,
  Channel,
  Confirmation,
  Conversation,
  Customer,
  Delivery,
  Deployment,
  ErrorCode,
  Event,
  EventData,
  EventKind,
  Flow,
  FlowRun,
  FlowStep,
  Harness,
  Invocation,
  InvokeResult,
  Job,
  Json,
  Listener,
  LiveFunction,
  LogLine,
  McpClient,
  McpTool,
  Message,
  Note,
  Operations,
  Page,
  Seed,
  SentTemplate,
  Span,
  Template,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateVariables,
  Tool,
  ToolCall,
  ToolError,
  WebhookEndpoint,
  WebhookEvent,
  Workgroup,
} from './operations.d.ts';

export type {
  Agent,
  AiAgentRun,
  AiAgentRunInList,
  Assignment,
  Build,
  Channel,
  Confirmation,
  Conversation,
  Customer,
  Delivery,
  Deployment,
  ErrorCode,
  Event,
  EventData,
  EventKind,
  Flow,
  FlowRun,
  FlowStep,
  Harness,
  Invocation,
  InvokeResult,
  Job,
  Json,
  Listener,
  LiveFunction,
  LogLine,
  McpClient,
  McpTool,
  Message,
  Note,
  Operations,
  Page,
  Seed,
  SentTemplate,
  Span,
  Template,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateVariables,
  Tool,
  ToolCall,
  ToolError,
  WebhookEndpoint,
  WebhookEvent,
  Workgroup,
};

// ── config ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** `config` of a Custom Flow Node. A node of a flow with one exit for each outcome. */
export interface CustomFlowNode {
  /** Which of the six types it is. */
  readonly type: 'custom-flow-node';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation starts with new global state; warm: module state may be kept. Default: the app’s setting, otherwise fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; the default of each field is the value in fn.config.json, otherwise the maximum. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it may read; default: all secrets of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** Its title, for people. */
  readonly title: string;
  /** The schema of its input from the flow. */
  readonly input?: JsonSchema | undefined;
  /** The exits of the node. */
  readonly outcomes: readonly string[];
}

/** `config` of a Server Side Method. An endpoint at `/api/<slug>/custom-functions/<app>/<path>.js`, if `expose` is set. */
export interface ServerSideMethod {
  /** Which of the six types it is. */
  readonly type: 'server-side-method';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation starts with new global state; warm: module state may be kept. Default: the app’s setting, otherwise fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; the default of each field is the value in fn.config.json, otherwise the maximum. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it may read; default: all secrets of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** How it can be called from outside; default: not at all. */
  readonly expose?: false | Expose | undefined;
  /** The events that it is called with, exposed or not: the body is the event. */
  readonly events?: readonly string[] | undefined;
}

/** `config` of a Custom View. A part of the workspace’s interface, in the browser. */
export interface CustomView {
  /** Which of the six types it is. */
  readonly type: 'custom-view';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation starts with new global state; warm: module state may be kept. Default: the app’s setting, otherwise fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; the default of each field is the value in fn.config.json, otherwise the maximum. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it may read; default: all secrets of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** Its title, for people. */
  readonly title: string;
  /** Where it is shown. */
  readonly placement: 'conversation' | 'customer' | 'page';
  /** Initial height of its frame. */
  readonly height?: number | undefined;
}

/** `config` of an AI Tool. A tool that AI agents call, with schema, permissions and log. */
export interface AiTool {
  /** Which of the six types it is. */
  readonly type: 'ai-tool';
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** Fresh: each invocation starts with new global state; warm: module state may be kept. Default: the app’s setting, otherwise fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What a call may use, and how often it may be called. */
  readonly limits?: ToolLimits | undefined;
  /** The secrets it may read; default: all secrets of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** The name by which the model calls it. */
  readonly name: string;
  /** Its title, for people. */
  readonly title?: string | undefined;
  /** The schema of the arguments. */
  readonly input: JsonSchema;
  /** The schema of the result. */
  readonly output?: JsonSchema | undefined;
  /** Who may call it and what it may see. */
  readonly permissions?: ToolPermissions | undefined;
  /** Who confirms a call; default: human for destructive tools, never for others. */
  readonly confirm?: Confirmer | ToolConfirmation | undefined;
  /** Properties of the tool; readOnly and destructive exclude each other. */
  readonly annotations?: ToolAnnotations | undefined;
  /** What to record of a call. */
  readonly log?: ToolLog | undefined;
}

/** `config` of a Cron Job. A job that runs on a schedule. */
export interface CronJob {
  /** Which of the six types it is. */
  readonly type: 'cron-job';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation starts with new global state; warm: module state may be kept. Default: the app’s setting, otherwise fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; the default of each field is the value in fn.config.json, otherwise the maximum. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it may read; default: all secrets of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** When it runs. */
  readonly schedule: string;
  /** The time zone of the schedule; default: the app’s, otherwise UTC. */
  readonly timezone?: string | undefined;
  /** What to do if it is due while it is still running; default: skip. */
  readonly overlap?: 'skip' | 'queue' | undefined;
}

/** `config` of a Custom App Setup. Runs when the app is installed, updated or uninstalled. */
export interface CustomAppSetup {
  /** Which of the six types it is. */
  readonly type: 'custom-app-setup';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation starts with new global state; warm: module state may be kept. Default: the app’s setting, otherwise fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; the default of each field is the value in fn.config.json, otherwise the maximum. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it may read; default: all secrets of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** The settings of the app. */
  readonly settings?: JsonSchema | undefined;
}

/** What one invocation may use. Values can only lower the workspace's limits. */
export interface FunctionLimits {
  /** Time it may take, in ms; default 30000. */
  readonly wallMs?: number | undefined;
  /** Processor time it may use, in ms; default 10000. */
  readonly cpuMs?: number | undefined;
  /** Memory it may use, in MiB; default 128. */
  readonly memoryMb?: number | undefined;
  /** Largest request body, in bytes. */
  readonly bodyBytes?: number | undefined;
  /** Largest result, in bytes. */
  readonly resultBytes?: number | undefined;
  /** Log lines of one invocation. */
  readonly logLines?: number | undefined;
}

/** What one call of a tool may use, and how often it may be called. */
export interface ToolLimits extends FunctionLimits {
  /** An alias of `wallMs`. */
  readonly timeoutMs?: number | undefined;
  /** Calls per agent run. */
  readonly maxCallsPerRun?: number | undefined;
  /** Calls per minute. */
  readonly perMinute?: number | undefined;
  /** Largest result to pass to the model, in bytes. */
  readonly maxResultBytes?: number | undefined;
}

/** How a Server Side Method can be called from outside. */
export interface Expose {
  /** The HTTP methods it accepts; default: POST. */
  readonly methods?: readonly HttpMethod[] | undefined;
  /** Who may call it: anyone with an API token (default), or anybody. */
  readonly auth?: 'token' | 'public' | undefined;
  /** Schema of the JSON body, or of the query of a GET. Input that does not match is refused with 422, and the function does not run. */
  readonly input?: JsonSchema | undefined;
  /** Schema of its answer, for callers; not checked. */
  readonly output?: JsonSchema | undefined;
}

/** The HTTP methods that a Server Side Method can accept. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** The HTTP methods with which a function can call a method of its app. */
export type CallMethod = Exclude<HttpMethod, 'HEAD' | 'OPTIONS'>;

/** Who may call a tool: all, none, or those with these names. */
export type Callers = 'all' | 'none' | readonly string[];

/** Who may call a tool, and what it may see and change. */
export interface ToolPermissions {
  /** Who is left out here may not call the tool. People always may: in the console, and with `fn tool call`. */
  readonly callers?: {
    /** AI agents: `nora`, or `app/nora` of another app. */
    readonly aiAgents?: Callers | undefined;
    /** AI nodes of flows: `flow/node`, or `app/flow/node`. */
    readonly aiNodes?: Callers | undefined;
    /** Harnesses, for runs without an agent, by name. */
    readonly harnesses?: Callers | undefined;
    /** Functions (`sdk.tools.call`), and callers of the API. */
    readonly code?: boolean | undefined;
    /** MCP hosts. */
    readonly mcp?: boolean | undefined;
  } | undefined;
  /** The conversation that the tool is called in. */
  readonly conversation?: {
    /**
     * Paths of what `sdk.tool.conversation` holds: fields of a Conversation, `channel` (its kind), `customer.*`. Default: `id`, `channel`,
     * `customerId`.
     */
    readonly read?: readonly string[] | undefined;
    /**
     * What it may change of this conversation and its customer: `fields.NAME`, `assignee`, `status`, `messages`, `notes`, `customer.NAME`.
     * Default: nothing. Any other change is refused with `tool_forbidden`.
     */
    readonly write?: readonly string[] | undefined;
  } | undefined;
}

/** Properties of the tool, for the model and for the person who confirms a call. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readonly readOnly?: boolean | undefined;
  /** Its effect cannot be undone. */
  readonly destructive?: boolean | undefined;
  /** Calling it twice has the same effect as calling it once. */
  readonly idempotent?: boolean | undefined;
  /** It uses external systems. */
  readonly openWorld?: boolean | undefined;
}

/** Who confirms a call: nobody, a person of the team, or the customer in the conversation. */
export type Confirmer = 'never' | 'human' | 'customer';

/** How a call of a tool is confirmed. */
export interface ToolConfirmation {
  /** Who confirms it. */
  readonly by: Confirmer;
  /** How long it may be answered: `30s`, `15m`, `2h`, `1d`. Default: `15m`. */
  readonly expiresAfter?: string | undefined;
  /** What happens then. Default: in a conversation a person takes over, otherwise the call is denied. */
  readonly onExpire?: 'deny' | 'handover' | undefined;
  /** The question. Default: the title and the arguments. */
  readonly text?: string | undefined;
  /** Only calls whose arguments match this schema are to be confirmed. Default: all. */
  readonly when?: JsonSchema | undefined;
}

/** What to record of a call. What is hidden here is in no log, no event and no record of the invocation. */
export interface ToolLog {
  /** The arguments: as they are, without the fields in `redact` (the default), or not at all. */
  readonly arguments?: 'full' | 'redacted' | 'none' | undefined;
  /** The tool's result, likewise. */
  readonly result?: 'full' | 'redacted' | 'none' | undefined;
  /** Paths of fields to leave out: `customer.email`; `*.iban` is every field of that name. */
  readonly redact?: readonly string[] | undefined;
}

/** JSON Schema, draft 2020-12. */
export type JsonSchema = boolean | JsonSchemaObject | (JsonSchemaObject & { readonly [keyword: string]: unknown });

/** The keywords that editors complete. It has no others, or the interfaces of libraries such as valibot would not fit. */
export interface JsonSchemaObject {
  readonly type?: JsonSchemaType | readonly JsonSchemaType[] | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly properties?: { readonly [name: string]: JsonSchema } | undefined;
  readonly required?: readonly string[] | undefined;
  /** One schema; a list, which the types of some libraries allow, is refused when the function is built. */
  readonly additionalProperties?: JsonSchema | readonly JsonSchema[] | undefined;
  /** One schema; a list, which libraries allow for older drafts, is refused when the function is built. */
  readonly items?: JsonSchema | readonly JsonSchema[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: unknown;
  readonly format?: string | undefined;
  readonly pattern?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly oneOf?: readonly JsonSchema[] | undefined;
  readonly allOf?: readonly JsonSchema[] | undefined;
  readonly $ref?: string | undefined;
  readonly $defs?: { readonly [name: string]: JsonSchema } | undefined;
}

export type JsonSchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

// ── sdk ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What a Server Side Method receives. */
export interface MethodSdk extends ServerSdk {
  /**
   * The request: `await sdk.request.json()`, `sdk.request.headers`, … If another function makes the call, the body is the value that it
   * passed.
   */
  readonly request: Request;
}

/** What a Custom Flow Node receives. */
export interface FlowNodeSdk<Input = any> extends ServerSdk {
  /** The running flow, and this node of it. */
  readonly flow: {
    /** Name of the node. */
    readonly node: string;
    /** The input from the flow; matches `config.input`. */
    readonly input: Input;
    /** Null if the flow runs without a conversation. */
    readonly conversation: Conversation | null;
    /** The customer of the conversation. */
    readonly customer: Customer | null;
    /** Variables that earlier nodes have set. */
    readonly variables: Record<string, any>;
  };
}

/** What a Custom Flow Node returns. */
export interface FlowNodeResult<Outcome extends string = string> {
  /** One of `config.outcomes`. */
  outcome: Outcome;
  /** JSON to show with the run. */
  output?: unknown;
  /** Variables for later nodes of the flow. */
  variables?: Record<string, unknown> | undefined;
}

/** What an AI Tool receives. */
export interface ToolSdk<Args = any> extends ServerSdk {
  /** The call of the tool. */
  readonly tool: {
    /** The arguments from the model; match `config.input`. */
    readonly args: Args;
    /** The agent run that makes the call; null if it is not an agent run. */
    readonly run: { readonly id: string } | null;
    /** The conversation, with the fields that `config.permissions` lets it read; null outside a conversation. */
    readonly conversation: (Pick<Conversation, 'id'> & Partial<Conversation> & { readonly channel?: string; readonly customer?: Partial<Customer> }) | null;
  };
}

/** What a Cron Job receives. */
export interface CronSdk extends ServerSdk {
  /** This run of the schedule. */
  readonly cron: {
    /** When it was due, RFC 3339 in UTC. */
    readonly scheduledAt: string;
    /** When it last ran; null the first time. */
    readonly lastRunAt: string | null;
  };
}

/** What a Custom App Setup receives. */
export interface SetupSdk<Settings = any> extends ServerSdk {
  /** What is happening to the app. */
  readonly setup: {
    /** What is happening to the app; if the function throws, everything stays as it was. */
    readonly phase: 'install' | 'update' | 'uninstall';
    /** The settings; match `config.settings`. */
    readonly settings: Settings;
    /** The version that was installed before; null at the first installation. */
    readonly fromVersion: string | null;
  };
}

/** What a Custom View receives. */
export interface ViewSdk extends ClientSdk {
  /** The view's part of the page. */
  readonly view: {
    /** Draw the view into this element. */
    readonly container: HTMLElement;
    /** What is open now; the same as `sdk.conversation` and `sdk.customer`. */
    readonly context: ViewContext;
    /** `context`: another conversation or customer is open now. `dispose`: the view is closed. Returns a function that unsubscribes. */
    on(event: 'context', listener: (context: ViewContext) => unknown): () => void;
    on(event: 'dispose', listener: () => unknown): () => void;
    /**
     * Makes room for something drawn over the view, such as a dialog: the frame is at least this many pixels tall until you call it without
     * a height. By default the frame is as tall as the container.
     */
    resize(height?: number): void;
  };
}

/** What is open next to a view. */
export interface ViewContext {
  /** Null if the view has its own page. */
  readonly conversation: Conversation | null;
  /** The customer of the conversation, or the open customer; otherwise null. */
  readonly customer: Customer | null;
}

/** Where a function runs. */
export interface FunctionContext {
  /** `slug`: its name in addresses; `url`: its address. */
  readonly workspace: { readonly slug: string; readonly url: string };
  /** Name of the app. */
  readonly app: string;
  /** Path of the function below `functions/`, without ending. */
  readonly function: string;
  /** Id of the deployment, or `local`. */
  readonly version: string;
  /** Id of this invocation, inv_…: "fn logs" shows it. */
  readonly invocationId: string;
  /** `local`: on a developer's machine. */
  readonly environment: 'local' | 'workspace';
  /** For a call by `sdk.methods.enqueue`, or of an event: the number of this try, counted from 1. */
  readonly attempt?: number;
  /** The clock of the workspace. */
  now(): Date;
}

/** Options of a call that changes something. */
export interface CallOptions {
  /** Within 24 hours, the same key and input return the first answer again, and nothing is done twice. */
  readonly idempotencyKey?: string | undefined;
  /** The version that must still be current; otherwise `version_conflict`. */
  readonly ifMatch?: string | undefined;
}

/** The workspace refused the call. Every call of `sdk` may throw it. */
export interface SdkError extends Error {
  /** States the fact. Branch on this, never on the message. */
  readonly code: ErrorCode | (string & {});
  /** The corresponding HTTP status. */
  readonly status: number;
  /** Id of the request, req_…, for troubleshooting. */
  readonly requestId?: string;
  /** Further details, depending on the code; for `input_invalid`, the `errors` with their paths. */
  readonly details?: any;
}

/** What every function except a Custom View receives. */
export interface ServerSdk {
  /** Where the function runs, and the clock of the workspace. */
  readonly context: FunctionContext;
  /** Writes log lines, which are recorded with the invocation; "fn logs" shows them. */
  readonly log: Log;
  /** Secrets of the app: "fn secret set NAME". */
  readonly secrets: {
    /** Returns null if it has no value. */
    get(name: string): Promise<string | null>;
  };
  /** Variables of the app, which people can see and change: "fn var set NAME". */
  readonly vars: {
    /** Returns null if it is not set. */
    get<Value = Json>(name: string): Promise<Value | null>;
    /** Sets it to any JSON value. */
    set(name: string, value: unknown): Promise<{ name: string; value: Json; updatedAt: string }>;
    /** Refuses with `var_not_found`. */
    delete(name: string): Promise<unknown>;
    /** All of them, by name. */
    list(input?: { limit?: number | undefined; cursor?: string | undefined }): Promise<Page<{ name: string; value: Json; updatedAt: string }>>;
  };
  /** The app's own data. It outlives invocations and deployments. */
  readonly store: {
    /** Returns null if there is no value. */
    get<Value = Json>(key: string): Promise<Value | null>;
    /** Stores a value, for a limited time or indefinitely. Refuses with `store_full`, `store_value_too_large`. */
    set(key: string, value: unknown, options?: { ttlSeconds?: number | undefined }): Promise<StoreEntry>;
    /** Returns whether there was a value. */
    delete(key: string): Promise<boolean>;
    /** Adds to a number atomically (1 by default) and returns the sum. Refuses with `store_not_a_number`. */
    increment(key: string, by?: number): Promise<number>;
    /** Lists the keys with this prefix, and their values. */
    list(prefix?: string, options?: { limit?: number | undefined; cursor?: string | undefined }): Promise<Page<StoreEntry>>;
  };
  /** Server Side Methods of the same app. */
  readonly methods: {
    /** By path (`api/orders/find`). Refuses with `function_not_found`, `function_failed`, `function_timeout`. */
    call<Result = any>(path: string, body?: unknown, options?: { method?: CallMethod | undefined }): Promise<Result>;
    /**
     * Calls it later, in the background, with what is committed: it survives a restart, and is tried again when it throws, reaches a limit, or
     * answers 429 or from 500 on. The body may have 64 KiB. While a job with the same `key` waits or runs, and 24 h after its end, that job
     * answers instead. Refuses with `function_not_found`, `function_type_mismatch`, `body_too_large`.
     */
    enqueue(
      path: string,
      body?: unknown,
      options?: {
        delayMs?: number | undefined;
        /** RFC 3339; instead of `delayMs`. */
        runAt?: string | undefined;
        key?: string | undefined;
        /** How often it is tried; 6 if left out, at most 10. */
        attempts?: number | undefined;
      },
    ): Promise<{ id: string; created: boolean }>;
  };
  /** The workspace itself. */
  readonly workspace: {
    /** Show the workspace and the current token. */
    show(): Promise<{
      slug: string;
      name: string;
      /** The workspace’s own address */
      url: string;
      apiUrl: string;
      environment: 'local' | 'workspace';
      token: { id: string; name: string; scopes: string[] } | null;
      /** RFC 3339 in UTC */
      now: string;
    }>;
  };
  /** Customers, identified by a phone number or an e-mail address. */
  readonly customers: {
    /** List customers, newest first. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Part of a name, an e-mail address or a phone number */
      search?: string | undefined;
    }): Promise<Page<Customer>>;
    /**
     * Find the customer with a phone number or an e-mail address.
     * Refuses with `customer_not_found`, `recipient_invalid`, `customer_ambiguous`.
     */
    find(input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
    }): Promise<Customer>;
    /**
     * Read a customer.
     * Refuses with `customer_not_found`.
     */
    get(input: { id: string }): Promise<Customer>;
    /**
     * Find the customer with a phone number or an e-mail address, or create it.
     * Refuses with `recipient_invalid`, `customer_ambiguous`.
     */
    findOrCreate(input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
      name?: string | undefined;
      language?: string | undefined;
      fields?: Record<string, unknown> | undefined;
    }, options?: CallOptions): Promise<Customer & { created: boolean }>;
    /**
     * Change fields of a customer.
     * Refuses with `customer_not_found`, `recipient_invalid`, `customer_exists`, `version_conflict`.
     */
    update(input: {
      id: string;
      name?: string | null | undefined;
      /** Phone number, international form: +4930901820 */
      phone?: string | null | undefined;
      email?: string | null | undefined;
      language?: string | null | undefined;
      /** Merged with the existing fields; null removes a field */
      fields?: Record<string, unknown> | undefined;
    }, options?: CallOptions): Promise<Customer>;
  };
  /** Conversations of every channel. */
  readonly conversations: {
    /** List the conversations of the inbox, most recent activity first. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Default true: conversations in which the customer has written */
      inbox?: boolean | 'all' | undefined;
      status?: 'open' | 'closed' | undefined;
      customerId?: string | undefined;
      channelId?: string | undefined;
      agentId?: string | undefined;
      workgroupId?: string | undefined;
    }): Promise<Page<Conversation>>;
    /**
     * Read a conversation with its direct link.
     * Refuses with `conversation_not_found`.
     */
    get(input: { id: string }): Promise<Conversation>;
    /**
     * Change fields of a conversation.
     * Refuses with `conversation_not_found`, `version_conflict`.
     */
    update(input: {
      id: string;
      /** A field that is null is removed */
      fields: Record<string, unknown>;
    }, options?: CallOptions): Promise<Conversation>;
    /**
     * Assign a conversation to an agent (by id or e-mail), a workgroup, or nobody.
     * Refuses with `conversation_not_found`, `agent_not_found`, `workgroup_not_found`, `version_conflict`.
     */
    assign(input: {
      id: string;
      /** null: nobody */
      assign: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | null;
    }, options?: CallOptions): Promise<Conversation>;
    /**
     * Close a conversation.
     * Refuses with `conversation_not_found`, `version_conflict`.
     */
    close(input: { id: string }, options?: CallOptions): Promise<Conversation>;
    /**
     * Reopen a closed conversation.
     * Refuses with `conversation_not_found`, `version_conflict`.
     */
    reopen(input: { id: string }, options?: CallOptions): Promise<Conversation>;
    /**
     * Pause the AI in a conversation; a run that is under way there is cancelled.
     * Refuses with `conversation_not_found`.
     */
    pauseAi(input: { id: string; reason?: string | undefined }, options?: CallOptions): Promise<Conversation>;
    /**
     * Hand a conversation back to the AI.
     * Refuses with `conversation_not_found`.
     */
    resumeAi(input: {
      id: string;
      /** true: the AI answers the last message now; default: if the customer spoke last */
      answer?: boolean | undefined;
    }, options?: CallOptions): Promise<Conversation>;
  };
  /** Messages of a conversation. */
  readonly messages: {
    /**
     * List the messages of a conversation, oldest first by default.
     * Refuses with `conversation_not_found`.
     */
    list(input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      conversationId: string;
      /** `asc`, the default: oldest first; `desc`: newest first */
      order?: 'asc' | 'desc' | undefined;
    }): Promise<Page<Message>>;
    /**
     * Send a message to the customer of a conversation.
     * Refuses with `conversation_not_found`, `conversation_closed`, `media_not_found`, `channel_disconnected`.
     */
    send(input: {
      conversationId: string;
      text?: string | undefined;
      /** Give either mediaId or url, but not both */
      media?: { mediaId?: string | undefined; url?: string | undefined; fileName?: string | undefined } | undefined;
      /** Answers that the customer can choose from */
      quickReplies?: Array<{ id: string; title: string }> | undefined;
    }, options?: CallOptions): Promise<Message>;
  };
  /** Notes of the team on a conversation, which the customer never sees. */
  readonly notes: {
    /**
     * Write a note on a conversation, which the customer never sees.
     * Refuses with `conversation_not_found`.
     */
    add(input: { conversationId: string; text: string }, options?: CallOptions): Promise<Note>;
    /**
     * List the notes of a conversation, oldest first.
     * Refuses with `conversation_not_found`.
     */
    list(input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      conversationId: string;
    }): Promise<Page<Note>>;
  };
  /** The human agents. */
  readonly agents: {
    /** List the human agents. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Part of a name or an e-mail address */
      search?: string | undefined;
    }): Promise<Page<Agent>>;
  };
  /** Groups of human agents. */
  readonly workgroups: {
    /** List the workgroups. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    }): Promise<Page<Workgroup>>;
  };
  /** Channels, connected or not. */
  readonly channels: {
    /** List the channels, connected or not. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    }): Promise<Page<Channel>>;
  };
  /** The Template API app: message templates of the messaging-app channel. */
  readonly templates: {
    /**
     * Send an approved message template to a number.
     * Refuses with `app_not_installed`, `recipient_invalid`, `template_not_found`, `template_not_approved`,
     * `template_language_unknown`, `variables_invalid`, `variable_missing`, `media_not_found`,
     * `channel_unreachable`, `agent_not_found`, `workgroup_not_found`.
     */
    send(input: {
      /** Phone number, international form: +4930901820 */
      to: string;
      /** Name of the message template */
      template: string;
      /** Default: the customer’s language, otherwise that of the oldest approved template */
      language?: string | undefined;
      variables?: TemplateVariables | undefined;
      /** Exactly one of agentId, agentEmail and workgroupId is given */
      assign?: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | undefined;
    }, options?: CallOptions): Promise<SentTemplate>;
    /**
     * List the approved message templates.
     * Refuses with `app_not_installed`.
     */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      language?: string | undefined;
      name?: string | undefined;
    }): Promise<Page<Template>>;
    /**
     * Get credentials for one upload of template header media.
     * Refuses with `app_not_installed`, `media_type_unsupported`, `media_too_large`.
     */
    uploadCredentials(input: { fileName: string; contentType: string; bytes: number }, options?: CallOptions): Promise<{
      /** Id, med_… */
      mediaId: string;
      uploadUrl: string;
      method: 'PUT';
      headers: Record<string, string>;
      /** RFC 3339 in UTC */
      expiresAt: string;
      maxBytes: number;
    }>;
  };
  /** The Session Link app: direct links to conversations. */
  readonly sessions: {
    /**
     * Get the direct link to a customer’s conversation, creating customer and conversation if necessary.
     * Refuses with `app_not_installed`, `recipient_invalid`, `customer_ambiguous`, `channel_not_found`,
     * `channel_disconnected`, `channel_unreachable`, `agent_not_found`, `workgroup_not_found`.
     */
    link(input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
      /** Id, kind or name; default: the first connected channel that can reach the identity */
      channel?: string | undefined;
      name?: string | undefined;
      /** Exactly one of agentId, agentEmail and workgroupId is given */
      assign?: {
        agentId?: string | undefined;
        agentEmail?: string | undefined;
        workgroupId?: string | undefined;
      } | undefined;
    }, options?: CallOptions): Promise<{
      /** Id, cnv_… */
      conversationId: string;
      /** Direct link */
      url: string;
      /** Id, cus_… */
      customerId: string;
      created: { customer: boolean; conversation: boolean };
    }>;
  };
  /** Flows: what happens in a conversation. */
  readonly flows: {
    /**
     * Start a flow whose trigger is manual or code.
     * Refuses with `flow_not_found`, `flow_ambiguous`, `flow_disabled`, `flow_trigger_mismatch`,
     * `flow_input_invalid`, `flow_running`, `body_too_large`, `conversation_not_found`, `loop_detected`.
     */
    run(input: {
      /** Id, or name: `support`, or `app/support` where several apps have one */
      id: string;
      conversationId?: string | undefined;
      /** What the flow gets as `input`; at most 64 KiB */
      input?: unknown;
    }, options?: CallOptions): Promise<FlowRun>;
  };
  /** Runs of AI agents. */
  readonly aiAgentRuns: {
    /**
     * Start a run of an AI agent, or of a harness alone.
     * Refuses with `ai_agent_not_found`, `ai_agent_ambiguous`, `ai_agent_broken`, `harness_not_found`,
     * `harness_needs_secret`, `conversation_not_found`, `ai_paused`, `ai_cap_reached`, `budget_price_unknown`,
     * `run_depth`, `loop_detected`.
     */
    create(input?: {
      /** Name of an AI agent: `nora`, or `app/nora` */
      agent?: string | undefined;
      /** Name of a harness, for a run without an agent */
      harness?: string | undefined;
      /** Instead of those of the agent */
      instructions?: string | undefined;
      /** Instead of those of agent and harness */
      models?: {
        main?: string | undefined;
        /** Answers when the main one cannot */
        fallback?: string | undefined;
        /** For what is asked often and is simple */
        fast?: string | undefined;
      } | undefined;
      /** What the agent is asked: a text, or messages. May be left out in a conversation, whose last message it answers then */
      input?: string | Array<{ role: 'user' | 'assistant'; content: string }> | undefined;
      /** Its history comes first, and the answer is sent there */
      conversationId?: string | undefined;
      /** Instead of those of the agent */
      tools?: string[] | undefined;
      mcp?: Array<{
        /** Name of an MCP client */
        client: string;
        /** All of its tools if left out */
        tools?: string[] | undefined;
        /** A run without it does not start */
        required?: boolean | undefined;
      }> | undefined;
      /** Overrides that of the agent, field by field */
      budget?: {
        /** US dollars; without it, money is not limited */
        maxCostUsd?: number | undefined;
        /** Default 50,000 */
        maxTokens?: number | undefined;
        /** Default 12 */
        maxModelCalls?: number | undefined;
        /** Default 20 */
        maxToolCalls?: number | undefined;
        /** Working time; default 120 */
        maxSeconds?: number | undefined;
        /** With maxCostUsd: also models whose price is unknown */
        allowUnknownPrice?: boolean | undefined;
      } | undefined;
      /** Kept with the run */
      metadata?: Record<string, unknown> | undefined;
    }, options?: CallOptions): Promise<AiAgentRun>;
    /**
     * Show a run with its model calls, tool calls and use of the budget; or follow it as it goes.
     * Refuses with `run_not_found`.
     */
    show(input: {
      id: string;
      /** As an event stream: only events behind this one */
      after?: number | undefined;
    }): Promise<AiAgentRun>;
    /**
     * Cancel a run; one that has ended stays as it is.
     * Refuses with `run_not_found`.
     */
    cancel(input: { id: string }, options?: CallOptions): Promise<AiAgentRun>;
  };
  /** The AI Tools of this app and others, called through the same gate as by an AI agent. */
  readonly tools: {
    /**
     * Call an AI Tool; what the gate refuses and what fails is part of the answer.
     * Refuses with `conversation_not_found`.
     */
    call(input: {
      /** Name of the tool; where two have it, with its app or client: app/NAME */
      name: string;
      /** What the tool gets; {} if left out */
      arguments?: unknown;
      /** The conversation that it works in */
      conversationId?: string | undefined;
    }, options?: CallOptions): Promise<{
      status: 'ok' | 'error';
      /** Id, tlc_… */
      callId: string;
      result?: Json;
      error?: ToolError;
      /** With `tool_confirmation_required`: what has to be answered first */
      confirmationId?: string;
    }>;
  };
}

/** One entry of the app's store. */
export interface StoreEntry {
  key: string;
  value: Json;
  /** RFC 3339 in UTC; null: never. */
  expiresAt: string | null;
}

/** Log lines of an invocation: strings as they are, anything else as `console` would print it. */
export interface Log {
  /** Details that help to find a bug. */
  debug(...values: unknown[]): void;
  /** What happened. */
  info(...values: unknown[]): void;
  /** Something that needs attention. */
  warn(...values: unknown[]): void;
  /** What went wrong. */
  error(...values: unknown[]): void;
}

/** What a Custom View receives. It runs in the browser, with the rights of the agent who views it. */
export interface ClientSdk {
  /** Where the view runs, and the clock of the workspace. */
  readonly context: Omit<FunctionContext, 'invocationId'>;
  /** The agent who views it. */
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null;
  /** The open conversation; null if the view has its own page. */
  readonly conversation: Conversation | null;
  /** The customer of the conversation, or the open customer; otherwise null. */
  readonly customer: Customer | null;
  /** Server Side Methods of the same app, for anything that needs secrets or other systems. */
  readonly methods: {
    /** By path (`api/orders/find`). Refuses with `function_not_found`, `function_failed`, `function_timeout`. */
    call<Result = any>(path: string, body?: unknown, options?: { method?: CallMethod | undefined }): Promise<Result>;
  };
  /** The workspace's interface around the view. */
  readonly ui: {
    /** Shows a short notice. */
    toast(text: string, options?: { kind?: 'info' | 'success' | 'error' | undefined }): Promise<unknown>;
    /** Opens another conversation for the agent. */
    openConversation(id: string): Promise<unknown>;
    /** Asks a yes-or-no question. */
    confirm(text: string): Promise<boolean>;
  };
  /** The workspace itself. */
  readonly workspace: {
    /** Show the workspace and the current token. */
    show(): Promise<{
      slug: string;
      name: string;
      /** The workspace’s own address */
      url: string;
      apiUrl: string;
      environment: 'local' | 'workspace';
      token: { id: string; name: string; scopes: string[] } | null;
      /** RFC 3339 in UTC */
      now: string;
    }>;
  };
  /** Customers, identified by a phone number or an e-mail address. */
  readonly customers: {
    /** List customers, newest first. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Part of a name, an e-mail address or a phone number */
      search?: string | undefined;
    }): Promise<Page<Customer>>;
    /**
     * Find the customer with a phone number or an e-mail address.
     * Refuses with `customer_not_found`, `recipient_invalid`, `customer_ambiguous`.
     */
    find(input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
    }): Promise<Customer>;
    /**
     * Read a customer.
     * Refuses with `customer_not_found`.
     */
    get(input: { id: string }): Promise<Customer>;
  };
  /** Conversations of every channel. */
  readonly conversations: {
    /** List the conversations of the inbox, most recent activity first. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Default true: conversations in which the customer has written */
      inbox?: boolean | 'all' | undefined;
      status?: 'open' | 'closed' | undefined;
      customerId?: string | undefined;
      channelId?: string | undefined;
      agentId?: string | undefined;
      workgroupId?: string | undefined;
    }): Promise<Page<Conversation>>;
    /**
     * Read a conversation with its direct link.
     * Refuses with `conversation_not_found`.
     */
    get(input: { id: string }): Promise<Conversation>;
  };
  /** Messages of a conversation. */
  readonly messages: {
    /**
     * List the messages of a conversation, oldest first by default.
     * Refuses with `conversation_not_found`.
     */
    list(input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      conversationId: string;
      /** `asc`, the default: oldest first; `desc`: newest first */
      order?: 'asc' | 'desc' | undefined;
    }): Promise<Page<Message>>;
  };
  /** Notes of the team on a conversation, which the customer never sees. */
  readonly notes: {
    /**
     * List the notes of a conversation, oldest first.
     * Refuses with `conversation_not_found`.
     */
    list(input: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      conversationId: string;
    }): Promise<Page<Note>>;
  };
  /** The human agents. */
  readonly agents: {
    /** List the human agents. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** Part of a name or an e-mail address */
      search?: string | undefined;
    }): Promise<Page<Agent>>;
  };
  /** Groups of human agents. */
  readonly workgroups: {
    /** List the workgroups. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    }): Promise<Page<Workgroup>>;
  };
  /** Channels, connected or not. */
  readonly channels: {
    /** List the channels, connected or not. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
    }): Promise<Page<Channel>>;
  };
  /** The Template API app: message templates of the messaging-app channel. */
  readonly templates: {
    /**
     * List the approved message templates.
     * Refuses with `app_not_installed`.
     */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      language?: string | undefined;
      name?: string | undefined;
    }): Promise<Page<Template>>;
  };
  /** Runs of AI agents. */
  readonly aiAgentRuns: {
    /**
     * Show a run with its model calls, tool calls and use of the budget; or follow it as it goes.
     * Refuses with `run_not_found`.
     */
    show(input: {
      id: string;
      /** As an event stream: only events behind this one */
      after?: number | undefined;
    }): Promise<AiAgentRun>;
  };
  /** Questions whether a tool may be called. */
  readonly confirmations: {
    /** List the confirmations that were asked for, newest first. */
    list(input?: {
      /** How many; default 50 */
      limit?: number | undefined;
      /** `nextCursor` of the previous page */
      cursor?: string | undefined;
      /** true: only those that wait for an answer */
      open?: boolean | undefined;
      conversationId?: string | undefined;
      runId?: string | undefined;
    }): Promise<Page<Confirmation>>;
    /**
     * Show a confirmation: while it is open, with all arguments; afterwards, with what came of the call.
     * Refuses with `confirmation_not_found`.
     */
    show(input: { id: string }): Promise<Confirmation & {
      /** What came of the call; null before */
      outcome: {
        status: 'ok' | 'error' | 'denied' | 'timeout' | 'cancelled';
        result?: Json;
        error?: ToolError;
      } | null;
    }>;
    /**
     * Allow or deny a call of a tool that waits for a person.
     * Refuses with `confirmation_not_found`, `confirmation_answered`, `confirmation_expired`,
     * `tool_invalid_arguments`.
     */
    answer(input: {
      id: string;
      answer: 'allow' | 'deny';
      /** Why not; the model reads it */
      reason?: string | undefined;
      /** With `allow`: other arguments than those asked for */
      arguments?: unknown;
    }, options?: CallOptions): Promise<Confirmation>;
  };
}
