import { z } from 'zod';
import { mcpClientStates, mcpTransports } from '../mcp/clients.ts';
import { count, done, flag, id, listOf, page, secretName, sha256, text, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';
import { toolCallAnswer } from './tools.shapes.ts';

const idOrName = text(100).describe('Id or name');

const mcpClientName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'an MCP client is named in lower case letters, digits and dashes');

const url = z.string().min(1).max(2_100).describe('Endpoint of the server');

/** How the server is told who connects. */
const auth = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('basic'), user: text(200), secret: text(10_000).describe('The password') }),
    z.strictObject({ kind: z.literal('bearer'), secret: text(10_000).describe('The token') }),
  ])
  .describe('Without it: no authentication. No operation shows the secret again');

const confirm = z.enum(['never', 'human', 'customer']);
const policy = z.strictObject({
  confirm: confirm.optional().describe('Default: `human` if the server calls the tool destructive, otherwise `never`'),
  limits: z
    .strictObject({
      timeoutMs: count(1, 300_000).optional(),
      maxCallsPerRun: count(1, 1_000).optional(),
      perMinute: count(1, 10_000).optional(),
    })
    .optional()
    .describe('Default: 30 s, 20 calls a run, 60 a minute'),
  log: z.enum(['full', 'redacted', 'none']).optional().describe('What the log of calls keeps of arguments and results'),
});

/** What a seed says of an MCP client: secrets by name. Which of its tools are accepted stays with the workspace, or in the lock file. */
export const seedMcpClient = z.strictObject({
  name: mcpClientName,
  url,
  auth: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('basic'), user: text(200), secretFrom: secretName.optional() }),
      z.strictObject({ kind: z.literal('bearer'), secretFrom: secretName.optional() }),
    ])
    .optional()
    .describe(
      'Without it: no authentication. `secretFrom`: the name of the password or token; its value stays on the machine',
    ),
  code: flag.optional().describe('Whether functions and API tokens may call its tools'),
  tools: z.record(z.string().min(1).max(128), policy).optional().describe('Policies by name of the tool'),
});

export const McpClient = z.object({
  id: id('mcp'),
  name: z.string(),
  url: z.string(),
  auth: z.object({ kind: z.enum(['none', 'basic', 'bearer']), user: z.string().nullable() }),
  code: z
    .boolean()
    .describe('Whether functions and API tokens may call its tools; agents and nodes name the tools themselves'),
  state: z
    .enum(mcpClientStates)
    .describe(
      '`idle`: not connected, which happens at the first need; `cut`: the server has ended the connection; `waiting`: it is tried again at `retryAt`; `needsSecret`: the seed names one without a value',
    ),
  reason: z.string().nullable().describe('Why it is cut, waiting or failed'),
  retryAt: timestamp.nullable(),
  transport: z
    .enum(mcpTransports)
    .nullable()
    .describe('How the server was spoken to; null before the first connection'),
  protocolVersion: z.string().nullable(),
  server: z.object({ name: z.string(), version: z.string() }).nullable().describe('What the server calls itself'),
  tools: z.object({ available: z.number().int(), withheld: z.number().int() }),
  listedAt: timestamp.nullable(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** What events say of a client: its address may hold something secret. */
export const McpClientInEvent = z.object({
  id: id('mcp'),
  name: z.string(),
  origin: z.string(),
  transport: z.enum(mcpTransports).nullable(),
  tools: z.object({ available: z.number().int(), withheld: z.number().int() }),
  error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Of `mcpClient.failed`'),
  changed: z
    .array(z.string())
    .describe('Of `mcpClient.toolsChanged`: names of the tools that are new, different or gone'),
});

const hint = z.boolean().nullable();
const definition = {
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: z.record(z.string(), json),
  outputSchema: z.record(z.string(), json).nullable(),
  annotations: z.object({ readOnly: hint, destructive: hint, idempotent: hint, openWorld: hint }),
};

/** A tool of somebody else’s server. Its texts are untrusted. */
export const McpTool = z.object({
  name: z.string(),
  ...definition,
  hash: z.string().describe('SHA-256 of name, title, description, schemas and annotations'),
  modelName: z.string().describe('What models call it'),
  state: z.enum(['available', 'withheld']),
  reason: z.enum(['new', 'changed', 'unusable']).nullable().describe('Why it is withheld'),
  problem: z.string().nullable().describe('Why it is unusable'),
  warnings: z.array(z.string()).describe('What is suspicious about its texts; nothing is withheld for it'),
  confirm,
  limits: z.object({ timeoutMs: z.number(), maxCallsPerRun: z.number(), perMinute: z.number() }),
  log: z.enum(['full', 'redacted', 'none']),
  acceptedHash: z.string().nullable(),
  accepted: z
    .object(definition)
    .nullable()
    .describe('What was accepted, if it differs and is known; from a lock file only the hash is'),
});

export const mcpClientShapes = {
  'mcpClients.list': { input: z.strictObject(page), output: listOf(McpClient) },
  'mcpClients.show': { input: z.strictObject({ id: idOrName }), output: McpClient },
  'mcpClients.add': {
    input: z.strictObject({ name: mcpClientName, url, auth: auth.optional(), code: flag.optional() }),
    output: McpClient,
  },
  'mcpClients.update': {
    input: z.strictObject({
      id: idOrName,
      name: mcpClientName.optional(),
      url: url.optional(),
      auth: auth.optional(),
      code: flag.optional(),
      tools: z.record(z.string().min(1).max(128), policy.nullable()).optional().describe('By name; null: as at first'),
    }),
    output: McpClient,
  },
  'mcpClients.remove': { input: z.strictObject({ id: idOrName }), output: done },
  'mcpClients.tools': {
    input: z.strictObject({ id: idOrName, refresh: flag.optional().describe('true: ask the server now') }),
    output: z.object({
      items: z.array(McpTool),
      gone: z
        .record(z.string(), z.string())
        .describe('Hashes of accepted tools that the server no longer lists, by name'),
    }),
  },
  'mcpClients.call': {
    input: z.strictObject({
      id: idOrName,
      tool: text(128),
      arguments: json.optional().describe('What the tool gets; {} if left out'),
    }),
    output: toolCallAnswer,
  },
  'mcpClients.check': {
    input: z
      .strictObject({ id: idOrName.optional(), url: url.optional(), auth: auth.optional() })
      .refine((value) => (value.id === undefined) !== (value.url === undefined), { message: 'give id or url' })
      .refine((value) => value.id === undefined || value.auth === undefined, {
        message: 'belongs to url; a client has its own',
        path: ['auth'],
      })
      .describe('Give either id or url, but not both'),
    output: z.object({
      ok: z.boolean(),
      transport: z.enum(mcpTransports).nullable(),
      protocolVersion: z.string().nullable(),
      server: z.object({ name: z.string(), version: z.string() }).nullable(),
      tools: z.number().int(),
      problems: z.array(
        z.object({
          code: z.string(),
          tool: z.string().nullable(),
          message: z.string(),
          fix: z.string(),
          level: z.enum(['error', 'warning']),
        }),
      ),
    }),
  },
  'mcpClients.accept': {
    input: z.strictObject({
      id: idOrName,
      tools: z
        .record(z.string().min(1).max(128), sha256)
        .optional()
        .describe('Hashes by name, as they were shown; all tools as they were last listed if left out'),
      exactly: flag
        .optional()
        .describe('true: accept these hashes and no others, listed or not: what a lock file says'),
    }),
    output: z.object({
      accepted: z.array(z.string()).describe('Names of the tools that were withheld before'),
      client: McpClient,
    }),
  },
} as const;
