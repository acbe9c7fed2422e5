import { z } from 'zod';
import { appFileKindNames, appFileKinds } from '../app-files.ts';
import { functionTypeNames } from '../function-types.ts';
import { appName, flag, id, listOf, page, sha256, text, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';

const folders = appFileKindNames.map((kind) => appFileKinds[kind].folder).join('|');

export const ManifestFile = z.strictObject({
  path: z
    .string()
    .max(200)
    .regex(
      new RegExp(
        `^(?:[A-Za-z0-9_][\\w.-]*(?:/[A-Za-z0-9_][\\w.-]*)*\\.js|(?:${folders})/[a-z0-9][a-z0-9_-]{0,62}\\.json)$`,
      ),
      'a path below functions/ ending in .js, or such as agents/nora.json',
    ),
  type: z.enum([...functionTypeNames, ...appFileKindNames]),
  config: z.record(z.string(), json),
  sha256,
  bytes: z.int().min(0),
  sourceMapSha256: sha256.optional(),
  sourceMapBytes: z.int().min(0).optional(),
  cssSha256: sha256.optional().describe('Style sheet of a Custom View'),
  cssBytes: z.int().min(0).optional(),
  files: z
    .array(z.strictObject({ path: z.string().max(200), sha256, bytes: z.int().min(0) }))
    .max(20)
    .optional()
    .describe('Files that belong to a JSON file: its instructions, its scripts'),
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

export const deploymentShapes = {
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
} as const;
