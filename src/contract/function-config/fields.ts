import { type FunctionType, functionTypeNames } from '../function-types.ts';
import { limits } from '../limits.ts';
import { findSubscriptionProblem } from '../webhooks/subscriptions.ts';
import {
  anyOf,
  type Check,
  type Field,
  type Fields,
  fields,
  jsonSchema,
  listOf,
  matching,
  objectSchema,
  oneOf,
  shown,
  text,
  whole,
  yesOrNo,
} from './check.ts';
import { schedule, timezone } from './schedule.ts';

const most = limits.function;

const limit = (least: number, upTo: number, summary: string): Field => ({
  check: whole(least, upTo),
  takes: `${least} to ${upTo}`,
  summary,
});

/** A field that is an object of known fields. */
const object = (holds: Fields, takes: string, summary: string): Field => ({
  check: fields(holds),
  takes,
  summary,
  holds,
});

const functionLimits: Fields = {
  wallMs: limit(1, most.wallMs, 'time it may take, in ms'),
  cpuMs: limit(1, most.cpuMs, 'processor time it may use, in ms'),
  memoryMb: limit(16, most.memoryMb, 'memory it may use, in MiB'),
  bodyBytes: limit(0, most.bodyBytes, 'largest request body, in bytes'),
  resultBytes: limit(0, most.resultBytes, 'largest result, in bytes'),
  logLines: limit(0, most.logLines, 'log lines of one invocation'),
};

const toolLimits: Fields = {
  ...functionLimits,
  timeoutMs: limit(1, most.wallMs, 'the same as wallMs; if both are set, wallMs counts'),
  maxCallsPerRun: limit(1, 1000, 'calls in one agent run'),
  perMinute: limit(1, 100_000, 'calls in a minute'),
  maxResultBytes: limit(1, most.resultBytes, 'largest result that is given to the model, in bytes'),
};

const secretName = matching(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'the name of a secret');

const common: Fields = {
  type: {
    check: oneOf(...functionTypeNames),
    required: true,
    takes: functionTypeNames.map((type) => `'${type}'`).join(' | '),
    summary: 'which of the six types it is',
  },
  description: { check: text(2000), takes: 'text', summary: 'what it does, for people' },
  isolation: {
    check: oneOf('fresh', 'warm'),
    takes: "'fresh' | 'warm'",
    summary:
      'fresh: each invocation starts with new global state; warm: module state may be kept. Default: the app’s setting, otherwise fresh',
  },
  limits: object(
    functionLimits,
    'object',
    'what an invocation may use; the default of each field is the value in fn.config.json, otherwise the maximum',
  ),
  secrets: {
    check: listOf(secretName, { most: 100 }),
    takes: '[names]',
    summary: 'the secrets it may read; default: all secrets of its app',
  },
};

const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const expose: Fields = {
  methods: {
    check: listOf(oneOf(...httpMethods), { least: 1, most: httpMethods.length }),
    takes: `[${httpMethods.join(', ')}]`,
    summary: 'the HTTP methods it accepts; default: POST',
  },
  auth: { check: oneOf('token', 'public'), takes: "'token' | 'public'", summary: 'who may call it; default: token' },
  input: { check: jsonSchema, takes: 'JSON Schema', summary: 'the schema of the JSON body, or of the query of a GET' },
  output: { check: jsonSchema, takes: 'JSON Schema', summary: 'the schema of its answer, for callers; not checked' },
};

const callers = (summary: string): Field => ({
  check: anyOf(
    "'all', 'none' or a list of names",
    oneOf('all', 'none'),
    listOf(matching(/^[\w.:-]{1,100}(\/[\w.:-]{1,100}){0,2}$/, 'a name, or app/NAME'), { most: 100 }),
  ),
  takes: "'all' | 'none' | [names]",
  summary,
});

const fieldPaths = (summary: string): Field => ({
  check: listOf(matching(/^[\w.*-]{1,200}$/, 'the path of a field'), { most: 100 }),
  takes: '[paths]',
  summary,
});

const bool = (summary: string): Field => ({ check: yesOrNo, takes: 'true | false', summary });
const logging = (summary: string): Field => ({
  check: oneOf('full', 'redacted', 'none'),
  takes: "'full' | 'redacted' | 'none'",
  summary,
});

const permissions: Fields = {
  callers: object(
    {
      aiAgents: callers('which AI agents may call it: NAME, or app/NAME of another app'),
      aiNodes: callers('which AI nodes of flows may call it: flow/node'),
      harnesses: callers('with which harnesses a run without an agent may call it'),
      code: bool('whether functions may call it, and callers of the API'),
      mcp: bool('whether MCP hosts may call it'),
    },
    'object',
    'who may call it, besides people; who is left out may not',
  ),
  conversation: object(
    {
      read: fieldPaths('fields it sees; default: id, channel, customerId'),
      write: fieldPaths(
        'what it may change: fields.NAME, assignee, status, messages, notes, customer.NAME; default: nothing',
      ),
    },
    '{read, write}',
    'the fields of the conversation that it sees and may change',
  ),
};

const confirmers = ['never', 'human', 'customer'] as const;

const confirmFields: Fields = {
  by: {
    check: oneOf(...confirmers),
    required: true,
    takes: "'never' | 'human' | 'customer'",
    summary: 'who confirms a call: nobody, a person of the team, or the customer in the conversation',
  },
  expiresAfter: {
    check: matching(/^[1-9]\d{0,5}(s|m|h|d)$/, "a time such as '15m', '2h' or '1d'"),
    takes: "a time such as '15m', '2h', '1d'",
    summary: 'how long it may be answered; default: 15m',
  },
  onExpire: {
    check: oneOf('deny', 'handover'),
    takes: "'deny' | 'handover'",
    summary: 'what happens then; default: in a conversation a person takes over, otherwise the call is denied',
  },
  text: { check: text(1000), takes: 'text', summary: 'the question; default: the title and the arguments' },
  when: {
    check: jsonSchema,
    takes: 'JSON Schema',
    summary: 'only calls whose arguments match it are to be confirmed; default: all',
  },
};

const title: Field = { check: text(100), required: true, takes: 'text', summary: 'its title, for people' };

const eventPattern: Check = (value, path) => {
  const problem = findSubscriptionProblem([String(value)]);
  return problem && { path, message: `is no event: ${shown(value)}`, hint: problem.hint };
};

/** The fields allowed in the `config` of each type. The reference page and the checks are derived from this. */
export const configFields: Readonly<Record<FunctionType, Fields>> = {
  'server-side-method': {
    ...common,
    expose: {
      check: (value, path) => (value === false ? undefined : fields(expose)(value, path)),
      takes: 'false | {methods, auth, input?, output?}',
      summary: 'how it can be called from outside; default: not at all',
      holds: expose,
    },
    events: {
      check: listOf(eventPattern, { least: 1, most: limits.webhooks.maxPatterns }),
      takes: "[kinds of events, groups such as 'message.*', or '*']",
      summary: 'the events that it is called with, exposed or not: the body is the event',
    },
  },
  'custom-flow-node': {
    ...common,
    title,
    input: { check: jsonSchema, takes: 'JSON Schema', summary: 'the schema of its input from the flow' },
    outcomes: {
      check: listOf(matching(/^[A-Za-z][\w-]{0,63}$/, 'a name of letters, digits, _ and -'), { least: 1, most: 20 }),
      required: true,
      takes: '[names]',
      summary: 'the exits of the node',
    },
  },
  'custom-view': {
    ...common,
    title,
    placement: {
      check: oneOf('conversation', 'customer', 'page'),
      required: true,
      takes: "'conversation' | 'customer' | 'page'",
      summary: 'where it is shown',
    },
    height: { check: whole(1, 10_000), takes: 'pixels', summary: 'initial height of its frame' },
  },
  'ai-tool': {
    ...common,
    name: {
      check: matching(/^[A-Za-z0-9_-]{1,64}$/, 'at most 64 letters, digits, _ and -'),
      required: true,
      takes: 'text',
      summary: 'the name by which the model calls it',
    },
    title: { check: text(100), takes: 'text', summary: 'its title, for people' },
    description: {
      check: text(4000),
      required: true,
      takes: 'text',
      summary: 'what it does and when to use it, for the model',
    },
    input: { check: objectSchema, required: true, takes: 'JSON Schema', summary: 'the schema of the arguments' },
    output: { check: jsonSchema, takes: 'JSON Schema', summary: 'the schema of the result' },
    permissions: object(permissions, '{callers, conversation}', 'who may call it and what it may see'),
    confirm: {
      check: (value, path) =>
        typeof value === 'object' ? fields(confirmFields)(value, path) : oneOf(...confirmers)(value, path),
      takes: "'never' | 'human' | 'customer' | {by, expiresAfter?, onExpire?, text?, when?}",
      holds: confirmFields,
      summary: 'who confirms a call; default: human for destructive tools, never for others',
    },
    limits: object(toolLimits, 'object', 'what a call may use, and how often it may be called'),
    annotations: object(
      {
        readOnly: bool('whether it changes nothing'),
        destructive: bool('whether its effect cannot be undone'),
        idempotent: bool('whether calling it twice has the same effect as once'),
        openWorld: bool('whether it uses external systems'),
      },
      'object',
      'properties of the tool; readOnly and destructive exclude each other',
    ),
    log: object(
      {
        arguments: logging('how much of the arguments to record'),
        result: logging('how much of the result to record'),
        redact: fieldPaths('fields to leave out, such as customer.email or *.iban'),
      },
      '{arguments, result, redact}',
      'what to record of a call',
    ),
  },
  'cron-job': {
    ...common,
    schedule: {
      check: schedule,
      required: true,
      takes: "5 or 6 fields, or a name such as '@hourly'",
      summary: 'when it runs',
    },
    timezone: {
      check: timezone,
      takes: "a zone such as 'Europe/Berlin'",
      summary: 'the time zone of the schedule; default: the app’s, otherwise UTC',
    },
    overlap: {
      check: oneOf('skip', 'queue'),
      takes: "'skip' | 'queue'",
      summary: 'what to do if it is due while it is still running; default: skip',
    },
  },
  'custom-app-setup': {
    ...common,
    settings: { check: objectSchema, takes: 'JSON Schema', summary: 'the settings of the app' },
  },
};
