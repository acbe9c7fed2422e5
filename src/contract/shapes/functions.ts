import { z } from 'zod';
import { functionTypeNames } from '../function-types.ts';
import { appName, count, done, flag, functionName, id, listOf, page, sha256, text, timestamp } from './common.ts';
import { json } from './json.ts';

const functionType = z.enum(functionTypeNames);

export const LiveFunction = z.object({
  app: z.string(),
  name: z.string(),
  type: functionType,
  path: z.string().describe('Below functions/, ending in .js'),
  url: z.string().nullable().describe('Endpoint of an exposed Server Side Method'),
  version: z.string().describe('Deployment id, or `local` during development'),
  config: z.record(z.string(), json),
});

export const LogLine = z.object({
  at: timestamp,
  level: z.enum(['debug', 'info', 'warn', 'error']),
  text: z.string(),
});

export const InvocationStatus = z.enum(['ok', 'error', 'timeout', 'memory', 'crashed', 'refused']);
const Trigger = z.enum(['http', 'flow', 'agent', 'mcp', 'cron', 'setup', 'cli', 'method', 'view', 'job', 'event']);

export const Invocation = z.object({
  id: id('inv'),
  app: z.string(),
  function: z.string(),
  type: functionType,
  version: z.string(),
  trigger: Trigger.describe('What started it'),
  caller: z.object({ type: z.string(), id: z.string().nullable() }),
  traceId: z.string().nullable().describe('The trace that it belongs to: 32 hex digits'),
  causeId: z.string().nullable().describe('What caused it: an event, a job, another invocation'),
  status: InvocationStatus,
  startedAt: timestamp,
  wallMs: z.number().describe('Time it took'),
  cpuMs: z.number().describe('Processor time it used'),
  peakMemoryBytes: z.number().int().describe('Most memory it used'),
  error: z
    .object({ code: z.string(), name: z.string(), message: z.string(), stack: z.string().optional() })
    .nullable()
    .describe('With the stack in the author’s own sources'),
});

const InvocationRecord = Invocation.extend({
  input: json.describe('Cut at 64 KiB'),
  result: json.nullable().describe('Cut at 64 KiB'),
  logs: z.array(LogLine),
  calls: z.array(
    z.object({
      kind: z.enum(['sdk', 'fetch']),
      name: z.string(),
      startedMs: z.number(),
      ms: z.number(),
      status: z.string(),
    }),
  ),
  callsLeftOut: z.number().int().optional().describe('Number of further calls that did not fit into 64 KiB'),
});

export const InvokeResult = z.object({
  invocationId: id('inv'),
  result: json,
  logs: z.array(LogLine),
  wallMs: z.number(),
  cpuMs: z.number(),
});

export const ManifestFile = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(/^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)*\.js$/, 'a path below functions/, ending in .js'),
  type: functionType,
  config: z.record(z.string(), json),
  sha256,
  bytes: z.int().min(0),
  sourceMapSha256: sha256.optional(),
  sourceMapBytes: z.int().min(0).optional(),
  cssSha256: sha256.optional().describe('Style sheet of a Custom View'),
  cssBytes: z.int().min(0).optional(),
  settings: z
    .strictObject({
      env: z.record(z.string().max(100), z.string().max(4096)).optional(),
      isolation: z.enum(['fresh', 'warm']).optional(),
      limits: z.record(z.string().max(100), z.int().min(0)).optional(),
      fetch: z.strictObject({ allow: z.array(z.string().max(300)).max(200) }).optional(),
    })
    .optional()
    .describe('Settings from the app’s fn.config.json for all its functions'),
});

const Author = z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() });

export const Deployment = z.object({
  id: id('dpl'),
  app: z.string(),
  fingerprint: sha256.describe('SHA-256 of the manifest as canonical JSON'),
  state: z.enum(['open', 'live', 'superseded', 'expired']),
  baseVersion: z.string().nullable(),
  message: z.string().nullable(),
  commit: z.object({ sha: z.string(), committedAt: z.string() }).nullable(),
  functions: z.number().int(),
  createdBy: Author,
  createdAt: timestamp,
  activatedAt: timestamp.nullable(),
});

export const functionShapes = {
  'functions.list': { input: z.strictObject({ ...page, app: appName }), output: listOf(LiveFunction) },
  'functions.show': { input: z.strictObject({ app: appName, name: functionName }), output: LiveFunction },
  'functions.invoke': {
    input: z.strictObject({
      app: appName,
      name: functionName,
      input: json
        .optional()
        .describe(
          'The body for a Server Side Method, args for an AI Tool, input for a flow node, settings for a setup, …',
        ),
      request: z
        .strictObject({
          method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
          query: z
            .record(z.string(), z.string().or(z.array(z.string()).max(1_000)))
            .optional()
            .describe('For a list, the key is repeated for each value'),
          headers: z.record(z.string(), z.string()).optional(),
        })
        .optional()
        .describe(
          'For a Server Side Method: the HTTP method; default: POST if there is a body, otherwise the first method it exposes',
        ),
      conversationId: id('cnv').optional().describe('The conversation a flow node or an AI Tool works in'),
      variables: z
        .record(z.string().max(100), json)
        .optional()
        .describe('For a flow node: the variables that earlier nodes have set'),
      trigger: Trigger.optional(),
    }),
    output: InvokeResult,
  },
  'functions.logs': {
    input: z.strictObject({ ...page, app: appName, function: functionName.optional(), since: timestamp.optional() }),
    output: listOf(LogLine.extend({ function: z.string(), invocationId: id('inv') })).extend({
      resumeCursor: z
        .string()
        .describe('Pass it as `cursor` later, or to the event stream, to get what comes after this'),
    }),
  },
  'methods.call': {
    input: z.strictObject({
      path: text(200),
      body: json.optional(),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
    }),
    output: z.unknown(),
  },
  'invocations.list': {
    input: z.strictObject({
      ...page,
      app: appName.optional(),
      function: functionName.optional(),
      status: InvocationStatus.optional(),
    }),
    output: listOf(Invocation),
  },
  'invocations.show': { input: z.strictObject({ id: id('inv') }), output: InvocationRecord },

  'deployments.list': {
    input: z.strictObject({ ...page, app: appName }),
    output: listOf(Deployment).extend({ live: z.string().nullable() }),
  },
  'deployments.show': {
    input: z.strictObject({ app: appName, id: text(100).describe('dpl_…, or `live`') }),
    output: Deployment.extend({ manifest: z.array(ManifestFile) }),
  },
  'deployments.create': {
    input: z.strictObject({
      app: appName,
      baseVersion: z.string().max(100).nullable().describe('The live version that the plan is based on; null: none'),
      manifest: z.array(ManifestFile).max(2000).describe('Complete: functions that are not in it will not be live'),
      message: text(1000).optional(),
      commit: z
        .strictObject({ sha: text(64), committedAt: timestamp, ancestors: z.array(text(64)).max(1000).optional() })
        .optional(),
      secrets: z.array(text(100)).max(200).optional().describe('Names of secrets that must have a value'),
      allowOlder: flag.optional(),
    }),
    output: z.object({
      id: id('dpl').nullable().describe('null: the live version already has this manifest'),
      fingerprint: sha256,
      missing: z.array(sha256),
      unchanged: z.boolean(),
    }),
  },
  'deployments.putFile': {
    input: z.strictObject({ app: appName, id: id('dpl'), sha256 }),
    output: z.object({ sha256, bytes: z.number().int() }),
  },
  'deployments.getFile': { input: z.strictObject({ app: appName, id: text(100), sha256 }), output: z.unknown() },
  'deployments.activate': {
    input: z.strictObject({ app: appName, id: id('dpl'), allowOlder: flag.optional() }),
    output: Deployment,
  },
  'deployments.rollback': {
    input: z.strictObject({ app: appName, to: id('dpl').optional().describe('Default: the one before the live one') }),
    output: Deployment,
  },

  'apps.list': {
    input: z.strictObject(page),
    output: listOf(
      z.object({
        app: z.string(),
        installed: z.boolean(),
        builtIn: z.boolean(),
        version: z.string().nullable(),
        functions: z.number().int(),
        settings: z.record(z.string(), json),
        installedAt: timestamp.nullable(),
      }),
    ),
  },
  'apps.install': {
    input: z.strictObject({ app: appName, settings: z.record(z.string(), json).optional() }),
    output: z.object({
      app: z.string(),
      installed: z.boolean(),
      version: z.string().nullable(),
      setup: InvokeResult.nullable(),
    }),
  },
  'apps.uninstall': {
    input: z.strictObject({ app: appName }),
    output: z.object({ app: z.string(), installed: z.boolean(), setup: InvokeResult.nullable() }),
  },
} as const;

export { count, done };
