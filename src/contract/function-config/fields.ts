import { type FunctionType, functionTypeNames } from '../function-types.ts';
import { limits } from '../limits.ts';
import {
  anyOf,
  type Field,
  type Fields,
  fields,
  jsonSchema,
  listOf,
  matching,
  objectSchema,
  oneOf,
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
  timeoutMs: limit(1, most.wallMs, 'another word for wallMs'),
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
      'fresh: each invocation begins with new global state; warm: module state may stay; that of the app, else fresh',
  },
  limits: object(
    functionLimits,
    'object',
    'what an invocation may use; a field that is left out is as fn.config.json says, else the most it can be',
  ),
  secrets: {
    check: listOf(secretName, { most: 100 }),
    takes: '[names]',
    summary: 'the secrets it reads; without it any of its app',
  },
};

const httpMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const expose: Fields = {
  methods: {
    check: listOf(oneOf(...httpMethods), { least: 1, most: httpMethods.length }),
    takes: `[${httpMethods.join(', ')}]`,
    summary: 'the HTTP methods it takes; POST unless said',
  },
  auth: { check: oneOf('token', 'public'), takes: "'token' | 'public'", summary: 'who may call it; token unless said' },
  input: { check: jsonSchema, takes: 'JSON Schema', summary: 'what the JSON body, or the query of a GET, must fit' },
  output: { check: jsonSchema, takes: 'JSON Schema', summary: 'what it answers, for whoever calls it; not checked' },
};

const callers = (summary: string): Field => ({
  check: anyOf(
    "'all', 'none' or a list of names",
    oneOf('all', 'none'),
    listOf(matching(/^[\w.:-]{1,100}$/, 'an id or name'), { most: 100 }),
  ),
  takes: "'all' | 'none' | [ids]",
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
      aiAgents: callers('which AI agents may call it'),
      aiNodes: callers('which AI nodes of flows may call it'),
      harnesses: callers('which AI harnesses may call it'),
      code: bool('whether functions of the same app may call it'),
      mcp: bool('whether MCP clients may call it'),
    },
    'object',
    'who may call it; without it no model may',
  ),
  conversation: object(
    { read: fieldPaths('fields it sees'), write: fieldPaths('fields it may change') },
    '{read, write}',
    'fields of the conversation it sees and may change',
  ),
};

const title: Field = { check: text(100), required: true, takes: 'text', summary: 'its title, for people' };

/** The fields allowed in the `config` of each type. The reference page and the checks are derived from this. */
export const configFields: Readonly<Record<FunctionType, Fields>> = {
  'server-side-method': {
    ...common,
    expose: {
      check: (value, path) => (value === false ? undefined : fields(expose)(value, path)),
      takes: 'false | {methods, auth, input?, output?}',
      summary: 'how it is reached from outside; not at all unless said',
      holds: expose,
    },
  },
  'custom-flow-node': {
    ...common,
    title,
    input: { check: jsonSchema, takes: 'JSON Schema', summary: 'what the flow hands in' },
    outcomes: {
      check: listOf(matching(/^[A-Za-z][\w-]{0,63}$/, 'a name of letters, digits, _ and -'), { least: 1, most: 20 }),
      required: true,
      takes: '[names]',
      summary: 'the ways out of the node',
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
    height: { check: whole(1, 10_000), takes: 'pixels', summary: 'height of its frame to begin with' },
  },
  'ai-tool': {
    ...common,
    name: {
      check: matching(/^[A-Za-z0-9_-]{1,64}$/, 'at most 64 letters, digits, _ and -'),
      required: true,
      takes: 'text',
      summary: 'what the model calls it',
    },
    title: { check: text(100), takes: 'text', summary: 'its title, for people' },
    description: {
      check: text(4000),
      required: true,
      takes: 'text',
      summary: 'what it does and when to use it, for the model',
    },
    input: { check: objectSchema, required: true, takes: 'JSON Schema', summary: 'the arguments' },
    output: { check: jsonSchema, takes: 'JSON Schema', summary: 'the result' },
    permissions: object(permissions, '{callers, conversation}', 'who may call it and what it may see'),
    confirm: {
      check: oneOf('never', 'human', 'customer'),
      takes: "'never' | 'human' | 'customer'",
      summary: 'who confirms a call; human for destructive tools unless said, else never',
    },
    limits: object(toolLimits, 'object', 'what a call may use, and how often it may be called'),
    annotations: object(
      {
        readOnly: bool('changes nothing'),
        destructive: bool('what it does cannot be undone'),
        idempotent: bool('twice is as once'),
        openWorld: bool('reaches systems elsewhere'),
      },
      'object',
      'what kind of tool it is; not both readOnly and destructive',
    ),
    log: object(
      {
        arguments: logging('how much of the arguments is kept'),
        result: logging('how much of the result is kept'),
        redact: fieldPaths('fields that are left out, as customer.email or *.iban'),
      },
      '{arguments, result, redact}',
      'what of a call is kept',
    ),
  },
  'cron-job': {
    ...common,
    schedule: {
      check: schedule,
      required: true,
      takes: "5 or 6 fields, or a name as '@hourly'",
      summary: 'when it runs',
    },
    timezone: {
      check: timezone,
      takes: "a zone as 'Europe/Berlin'",
      summary: 'the zone of the schedule; that of the app, else UTC',
    },
    overlap: {
      check: oneOf('skip', 'queue'),
      takes: "'skip' | 'queue'",
      summary: 'when it is due and still runs; skip unless said',
    },
  },
  'custom-app-setup': {
    ...common,
    settings: { check: objectSchema, takes: 'JSON Schema', summary: 'the settings of the app' },
  },
};
