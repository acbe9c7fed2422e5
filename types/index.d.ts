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
  Assignment,
  Channel,
  Conversation,
  Customer,
  Deployment,
  ErrorCode,
  Invocation,
  InvokeResult,
  Json,
  LiveFunction,
  LogLine,
  Message,
  Operations,
  Page,
  Seed,
  SentTemplate,
  Template,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateVariables,
  Workgroup,
} from './operations.d.ts';

export type {
  Agent,
  Assignment,
  Channel,
  Conversation,
  Customer,
  Deployment,
  ErrorCode,
  Invocation,
  InvokeResult,
  Json,
  LiveFunction,
  LogLine,
  Message,
  Operations,
  Page,
  Seed,
  SentTemplate,
  Template,
  TemplateButton,
  TemplateCard,
  TemplateHeader,
  TemplateVariables,
  Workgroup,
};

// ── config ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** `config` of a Custom Flow Node. A node of a flow with one exit for each outcome. */
export interface CustomFlowNode {
  /** Which of the six types it is. */
  readonly type: 'custom-flow-node';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation begins with new global state; warm: module state may stay; that of the app, else fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; a field that is left out is as fn.config.json says, else the most it can be. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it reads; without it any of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** Its title, for people. */
  readonly title: string;
  /** What the flow hands in. */
  readonly input?: JsonSchema | undefined;
  /** The ways out of the node. */
  readonly outcomes: readonly string[];
}

/** `config` of a Server Side Method. An endpoint under `/api/<slug>/custom-functions/<app>/<path>.js`, once `expose` says so. */
export interface ServerSideMethod {
  /** Which of the six types it is. */
  readonly type: 'server-side-method';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation begins with new global state; warm: module state may stay; that of the app, else fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; a field that is left out is as fn.config.json says, else the most it can be. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it reads; without it any of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** How it is reached from outside; not at all unless said. */
  readonly expose?: false | Expose | undefined;
}

/** `config` of a Custom View. A part of the workspace’s interface, in the browser. */
export interface CustomView {
  /** Which of the six types it is. */
  readonly type: 'custom-view';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation begins with new global state; warm: module state may stay; that of the app, else fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; a field that is left out is as fn.config.json says, else the most it can be. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it reads; without it any of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** Its title, for people. */
  readonly title: string;
  /** Where it is shown. */
  readonly placement: 'conversation' | 'customer' | 'page';
  /** Height of its frame to begin with. */
  readonly height?: number | undefined;
}

/** `config` of a AI Tool. A tool that AI agents call, with schema, permissions and log. */
export interface AiTool {
  /** Which of the six types it is. */
  readonly type: 'ai-tool';
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** Fresh: each invocation begins with new global state; warm: module state may stay; that of the app, else fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What a call may use, and how often it may be called. */
  readonly limits?: ToolLimits | undefined;
  /** The secrets it reads; without it any of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** What the model calls it. */
  readonly name: string;
  /** Its title, for people. */
  readonly title?: string | undefined;
  /** The arguments. */
  readonly input: JsonSchema;
  /** The result. */
  readonly output?: JsonSchema | undefined;
  /** Who may call it and what it may see. */
  readonly permissions?: ToolPermissions | undefined;
  /** Who confirms a call; human for destructive tools unless said, else never. */
  readonly confirm?: 'never' | 'human' | 'customer' | undefined;
  /** What kind of tool it is; not both readOnly and destructive. */
  readonly annotations?: ToolAnnotations | undefined;
  /** What of a call is kept. */
  readonly log?: ToolLog | undefined;
}

/** `config` of a Cron Job. A job that runs by a schedule. */
export interface CronJob {
  /** Which of the six types it is. */
  readonly type: 'cron-job';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation begins with new global state; warm: module state may stay; that of the app, else fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; a field that is left out is as fn.config.json says, else the most it can be. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it reads; without it any of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** When it runs. */
  readonly schedule: string;
  /** The zone of the schedule; that of the app, else UTC. */
  readonly timezone?: string | undefined;
  /** When it is due and still runs; skip unless said. */
  readonly overlap?: 'skip' | 'queue' | undefined;
}

/** `config` of a Custom App Setup. Runs when the app is installed, updated or uninstalled. */
export interface CustomAppSetup {
  /** Which of the six types it is. */
  readonly type: 'custom-app-setup';
  /** What it does, for people. */
  readonly description?: string | undefined;
  /** Fresh: each invocation begins with new global state; warm: module state may stay; that of the app, else fresh. */
  readonly isolation?: 'fresh' | 'warm' | undefined;
  /** What an invocation may use; a field that is left out is as fn.config.json says, else the most it can be. */
  readonly limits?: FunctionLimits | undefined;
  /** The secrets it reads; without it any of its app. */
  readonly secrets?: readonly string[] | undefined;
  /** The settings of the app. */
  readonly settings?: JsonSchema | undefined;
}

/** What one invocation may use. Only lower than the limits of the workspace. */
export interface FunctionLimits {
  /** Time it may take, in ms; 30000 unless said. */
  readonly wallMs?: number | undefined;
  /** Processor time it may use, in ms; 10000 unless said. */
  readonly cpuMs?: number | undefined;
  /** Memory it may use, in MiB; 128 unless said. */
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
  /** Another word for `wallMs`. */
  readonly timeoutMs?: number | undefined;
  /** Calls in one agent run. */
  readonly maxCallsPerRun?: number | undefined;
  /** Calls in a minute. */
  readonly perMinute?: number | undefined;
  /** Largest result that is given to the model, in bytes. */
  readonly maxResultBytes?: number | undefined;
}

/** How a Server Side Method is reached from outside. */
export interface Expose {
  /** The HTTP methods it takes; POST unless said. */
  readonly methods?: readonly HttpMethod[] | undefined;
  /** Who may call it: whoever has an API token (unless said), or anybody. */
  readonly auth?: 'token' | 'public' | undefined;
  /** What the JSON body, or the query of a GET, must fit; else 422, and the function is not run. */
  readonly input?: JsonSchema | undefined;
  /** What it answers, for whoever calls it; not checked. */
  readonly output?: JsonSchema | undefined;
}

/** The HTTP methods that a Server Side Method can take. */
export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** By which a function calls a method of its app. */
export type CallMethod = Exclude<HttpMethod, 'HEAD' | 'OPTIONS'>;

/** Who may call a tool: all, none, or those with these ids. */
export type Callers = 'all' | 'none' | readonly string[];

/** Who may call a tool, and what it may see and change. */
export interface ToolPermissions {
  /** Without callers a tool can be called by no model. */
  readonly callers?: {
    /** AI agents, by id. */
    readonly aiAgents?: Callers | undefined;
    /** AI nodes of flows, by id. */
    readonly aiNodes?: Callers | undefined;
    /** AI harnesses, by id. */
    readonly harnesses?: Callers | undefined;
    /** Functions of the same app. */
    readonly code?: boolean | undefined;
    /** MCP clients. */
    readonly mcp?: boolean | undefined;
  } | undefined;
  /** Paths of the fields of the conversation that it sees and may change. */
  readonly conversation?: {
    readonly read?: readonly string[] | undefined;
    readonly write?: readonly string[] | undefined;
  } | undefined;
}

/** What kind of tool it is, for the model and whoever confirms. */
export interface ToolAnnotations {
  /** It changes nothing. */
  readonly readOnly?: boolean | undefined;
  /** What it does cannot be undone. */
  readonly destructive?: boolean | undefined;
  /** Twice is as once. */
  readonly idempotent?: boolean | undefined;
  /** It reaches systems elsewhere. */
  readonly openWorld?: boolean | undefined;
}

/** What of a call is kept. */
export interface ToolLog {
  /** What the model gave. */
  readonly arguments?: 'full' | 'redacted' | 'none' | undefined;
  /** What the tool answered. */
  readonly result?: 'full' | 'redacted' | 'none' | undefined;
  /** Paths of fields, as `customer.email` or `*.iban`. */
  readonly redact?: readonly string[] | undefined;
}

/** JSON Schema, draft 2020-12. */
export type JsonSchema = boolean | JsonSchemaObject;

export interface JsonSchemaObject {
  readonly type?: JsonSchemaType | readonly JsonSchemaType[];
  readonly title?: string;
  readonly description?: string;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  /** One schema; the list that libraries allow for older drafts is refused when the function is built. */
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly $ref?: string;
  readonly $defs?: { readonly [name: string]: JsonSchema };
  readonly [keyword: string]: unknown;
}

export type JsonSchemaType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

// ── sdk ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** What a Server Side Method is handed. */
export interface MethodSdk extends ServerSdk {
  /**
   * The request as it came: `await sdk.request.json()`, `sdk.request.headers`, … When another function calls, its body is what that
   * one handed over.
   */
  readonly request: Request;
}

/** What a Custom Flow Node is handed. */
export interface FlowNodeSdk<Input = any> extends ServerSdk {
  /** The flow that runs, and this node of it. */
  readonly flow: {
    /** Name of the node. */
    readonly node: string;
    /** What the flow hands in; fits `config.input`. */
    readonly input: Input;
    /** Null where the flow runs without one. */
    readonly conversation: Conversation | null;
    /** Whose conversation it is. */
    readonly customer: Customer | null;
    /** Set by nodes before this one. */
    readonly variables: Record<string, any>;
  };
}

/** What a Custom Flow Node returns. */
export interface FlowNodeResult<Outcome extends string = string> {
  /** One of `config.outcomes`. */
  outcome: Outcome;
  /** JSON for whoever looks at the run. */
  output?: unknown;
  /** For later nodes of the flow. */
  variables?: Record<string, unknown> | undefined;
}

/** What an AI Tool is handed. */
export interface ToolSdk<Args = any> extends ServerSdk {
  /** The call of the tool. */
  readonly tool: {
    /** What the model gave; fits `config.input`. */
    readonly args: Args;
    /** The agent run that calls; null when it is not one. */
    readonly run: { readonly id: string } | null;
    /** On the platform cut to the fields that `config.permissions` names; null outside of a conversation. */
    readonly conversation: Partial<Conversation> | null;
  };
}

/** What a Cron Job is handed. */
export interface CronSdk extends ServerSdk {
  /** This run of the schedule. */
  readonly cron: {
    /** When it was due, RFC 3339 in UTC. */
    readonly scheduledAt: string;
    /** When it last ran; null for the first time. */
    readonly lastRunAt: string | null;
  };
}

/** What a Custom App Setup is handed. */
export interface SetupSdk<Settings = any> extends ServerSdk {
  /** What happens to the app. */
  readonly setup: {
    /** What is being done to the app; after a throw everything stays as it was. */
    readonly phase: 'install' | 'update' | 'uninstall';
    /** Fit `config.settings`. */
    readonly settings: Settings;
    /** The version that was installed before; null at the first installation. */
    readonly fromVersion: string | null;
  };
}

/** What a Custom View is handed. */
export interface ViewSdk extends ClientSdk {
  /** The part of the page that is the view's. */
  readonly view: {
    /** Put the view in here. */
    readonly container: HTMLElement;
    /** What is open now; the same as `sdk.conversation` and `sdk.customer`. */
    readonly context: ViewContext;
    /** `context`: something else is open now. `dispose`: the view is closed. Returns what ends it. */
    on(event: 'context', listener: (context: ViewContext) => unknown): () => void;
    on(event: 'dispose', listener: () => unknown): () => void;
    /**
     * Room for what lies over the view, as a dialog does: the frame is at least so many pixels high until it is called without a height.
     * As high as the container it is by itself.
     */
    resize(height?: number): void;
  };
}

/** What is open beside a view. */
export interface ViewContext {
  /** Null on a page of its own. */
  readonly conversation: Conversation | null;
  /** Whose conversation it is, or who is open; else null. */
  readonly customer: Customer | null;
}

/** Where a function runs. */
export interface FunctionContext {
  /** `slug`: its name in addresses; `url`: its own address. */
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
  /** The clock of the workspace. */
  now(): Date;
}

/** How a call that changes something is made. */
export interface CallOptions {
  /** The same key and input within 24 hours: the first answer again, and nothing is done twice. */
  readonly idempotencyKey?: string | undefined;
  /** Version that must still be there, else `version_conflict`. */
  readonly ifMatch?: string | undefined;
}

/** The workspace said no. Every call of `sdk` throws it. */
export interface SdkError extends Error {
  /** States the fact: decide on this, never on the message. */
  readonly code: ErrorCode | (string & {});
  /** The status it would have over HTTP. */
  readonly status: number;
  /** Id of the request, req_…, for whoever looks into it. */
  readonly requestId?: string;
  /** More than the message says, by code; of `input_invalid` the `errors` with their paths. */
  readonly details?: any;
}

/** What every function but a Custom View is handed. */
export interface ServerSdk {
  /** Where the function runs, and the clock of the workspace. */
  readonly context: FunctionContext;
  /** Kept with the invocation; "fn logs" shows it. */
  readonly log: Log;
  /** Secrets of the app: "fn secret set NAME". */
  readonly secrets: {
    /** Null when it has no value. */
    get(name: string): Promise<string | null>;
  };
  /** Variables of the app, which people may see and change: "fn var set NAME". */
  readonly vars: {
    /** Null when it is not set. */
    get<Value = Json>(name: string): Promise<Value | null>;
    /** Sets it to whatever JSON can hold. */
    set(name: string, value: unknown): Promise<{ name: string; value: Json; updatedAt: string }>;
    /** Refuses with `var_not_found`. */
    delete(name: string): Promise<unknown>;
    /** All of them, by name. */
    list(input?: { limit?: number | undefined; cursor?: string | undefined }): Promise<Page<{ name: string; value: Json; updatedAt: string }>>;
  };
  /** What the app keeps for itself. It outlives invocations and deployments. */
  readonly store: {
    /** Null when there is nothing. */
    get<Value = Json>(key: string): Promise<Value | null>;
    /** For ever, or for a time. Refuses with `store_full`, `store_value_too_large`. */
    set(key: string, value: unknown, options?: { ttlSeconds?: number | undefined }): Promise<StoreEntry>;
    /** Whether there was something. */
    delete(key: string): Promise<boolean>;
    /** Adds to a number, by 1 unless said, atomically; gives the sum. Refuses with `store_not_a_number`. */
    increment(key: string, by?: number): Promise<number>;
    /** Keys that begin with a text, and their values. */
    list(prefix?: string, options?: { limit?: number | undefined; cursor?: string | undefined }): Promise<Page<StoreEntry>>;
  };
  /** Server Side Methods of the same app. */
  readonly methods: {
    /** By path (`api/orders/find`). Refuses with `function_not_found`, `function_failed`, `function_timeout`. */
    call<Result = any>(path: string, body?: unknown, options?: { method?: CallMethod | undefined }): Promise<Result>;
  };
  /** The workspace itself. */
  readonly workspace: {
    /** Show the workspace and the token that asks. */
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
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
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
      /** Merged with the fields there; null removes one */
      fields?: Record<string, unknown> | undefined;
    }, options?: CallOptions): Promise<Customer>;
  };
  /** Conversations of every channel. */
  readonly conversations: {
    /** List conversations of the inbox, the one with the newest activity first. */
    list(input?: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
      /** Default true: what the customer has answered */
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
     * Assign a conversation to an agent (by id or e-mail) or a workgroup, or to nobody.
     * Refuses with `conversation_not_found`, `agent_not_found`, `workgroup_not_found`, `version_conflict`.
     */
    assign(input: {
      id: string;
      /** null: to nobody */
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
  };
  /** Messages of a conversation. */
  readonly messages: {
    /**
     * List the messages of a conversation, oldest first unless asked for otherwise.
     * Refuses with `conversation_not_found`.
     */
    list(input: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
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
      /** Either mediaId or url is given, and not both */
      media?: { mediaId?: string | undefined; url?: string | undefined; fileName?: string | undefined } | undefined;
      /** Answers that the customer can choose from */
      quickReplies?: Array<{ id: string; title: string }> | undefined;
    }, options?: CallOptions): Promise<Message>;
  };
  /** The human agents. */
  readonly agents: {
    /** List the human agents. */
    list(input?: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
      /** Part of a name or an e-mail address */
      search?: string | undefined;
    }): Promise<Page<Agent>>;
  };
  /** Groups of human agents. */
  readonly workgroups: {
    /** List the workgroups. */
    list(input?: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
    }): Promise<Page<Workgroup>>;
  };
  /** Channels, connected or not. */
  readonly channels: {
    /** List the channels, connected or not. */
    list(input?: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
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
      /** Without: the customer’s, else that of the oldest one that is approved */
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
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
      language?: string | undefined;
      name?: string | undefined;
    }): Promise<Page<Template>>;
    /**
     * Get credentials to upload the media of a template header once.
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
     * Get the direct link to the conversation of a customer, creating what is missing.
     * Refuses with `app_not_installed`, `recipient_invalid`, `customer_ambiguous`, `channel_not_found`,
     * `channel_disconnected`, `channel_unreachable`, `agent_not_found`, `workgroup_not_found`.
     */
    link(input: {
      /** Phone number, international form: +4930901820 */
      phone?: string | undefined;
      email?: string | undefined;
      /** Id, kind or name; without: the first connected one that can reach the identity */
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
}

/** One entry of the app's store. */
export interface StoreEntry {
  key: string;
  value: Json;
  /** RFC 3339 in UTC; null: it is kept for ever. */
  expiresAt: string | null;
}

/** Lines of an invocation: texts as they are, anything else as `console` would write it. */
export interface Log {
  /** What only helps to find a mistake. */
  debug(...values: unknown[]): void;
  /** What happened. */
  info(...values: unknown[]): void;
  /** What somebody should look at. */
  warn(...values: unknown[]): void;
  /** What went wrong. */
  error(...values: unknown[]): void;
}

/** What a Custom View is handed: it runs in the browser, with the rights of the agent who looks. */
export interface ClientSdk {
  /** Where the view runs, and the clock of the workspace. */
  readonly context: Omit<FunctionContext, 'invocationId'>;
  /** The agent who looks. */
  readonly user: { readonly id: string; readonly name: string; readonly email: string } | null;
  /** What is open; null on a page of its own. */
  readonly conversation: Conversation | null;
  /** Whose conversation it is, or who is open; else null. */
  readonly customer: Customer | null;
  /** Server Side Methods of the same app: what needs secrets or other systems is done there. */
  readonly methods: {
    /** By path (`api/orders/find`). Refuses with `function_not_found`, `function_failed`, `function_timeout`. */
    call<Result = any>(path: string, body?: unknown, options?: { method?: CallMethod | undefined }): Promise<Result>;
  };
  /** The workspace's interface around the view. */
  readonly ui: {
    /** A short notice. */
    toast(text: string, options?: { kind?: 'info' | 'success' | 'error' | undefined }): Promise<unknown>;
    /** Leads the agent to another conversation. */
    openConversation(id: string): Promise<unknown>;
    /** Asks yes or no. */
    confirm(text: string): Promise<boolean>;
  };
  /** The workspace itself. */
  readonly workspace: {
    /** Show the workspace and the token that asks. */
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
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
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
    /** List conversations of the inbox, the one with the newest activity first. */
    list(input?: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
      /** Default true: what the customer has answered */
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
     * List the messages of a conversation, oldest first unless asked for otherwise.
     * Refuses with `conversation_not_found`.
     */
    list(input: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
      conversationId: string;
      /** `asc`, the default: oldest first; `desc`: newest first */
      order?: 'asc' | 'desc' | undefined;
    }): Promise<Page<Message>>;
  };
  /** The human agents. */
  readonly agents: {
    /** List the human agents. */
    list(input?: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
      /** Part of a name or an e-mail address */
      search?: string | undefined;
    }): Promise<Page<Agent>>;
  };
  /** Groups of human agents. */
  readonly workgroups: {
    /** List the workgroups. */
    list(input?: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
    }): Promise<Page<Workgroup>>;
  };
  /** Channels, connected or not. */
  readonly channels: {
    /** List the channels, connected or not. */
    list(input?: {
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
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
      /** How many; 50 unless said */
      limit?: number | undefined;
      /** `nextCursor` of the page before */
      cursor?: string | undefined;
      language?: string | undefined;
      name?: string | undefined;
    }): Promise<Page<Template>>;
  };
}
