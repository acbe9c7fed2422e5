import { z } from 'zod';
import { limits } from '../limits.ts';
import { scopes } from '../scopes.ts';
import { appName, count, done, id, listOf, mostDays, nothing, numeric, page, text, timestamp } from './common.ts';
import { json } from './json.ts';
import { seed } from './seed.ts';

const secretName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'letters, digits and underscores, not beginning with a digit');
const key = z.string().min(1).max(limits.store.keyLength);
const tokenScopes = z.array(z.enum(scopes)).min(1);

export const Token = z.object({
  id: id('tok'),
  name: z.string(),
  scopes: z.array(z.string()),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});

const Variable = z.object({ name: z.string(), value: json, updatedAt: timestamp });
const Entry = z.object({ key: z.string(), value: json.nullable(), expiresAt: timestamp.nullable() });
const Clock = z.object({ now: timestamp, offsetMs: z.number() });
const TurnedClock = Clock.extend({
  fired: z.number().int(),
  /** true: something that fell due had not ended after 60 s. */
  stillRunning: z.boolean().optional(),
});
const Pack = z.object({
  id: id('pck'),
  name: z.string(),
  days: z.number(),
  daysLeft: z.number(),
  createdAt: timestamp,
});
/** Days are booked in quarters. */
const days = numeric(z.number().positive().max(mostDays).multipleOf(0.25));

export const keepingShapes = {
  'workspace.show': {
    input: nothing,
    output: z.object({
      slug: z.string(),
      name: z.string(),
      url: z.string().describe('The workspace’s own address'),
      apiUrl: z.string(),
      environment: z.enum(['local', 'workspace']),
      token: z.object({ id: z.string(), name: z.string(), scopes: z.array(z.string()) }).nullable(),
      now: timestamp,
    }),
  },
  'secrets.list': {
    input: z.strictObject({ ...page, app: appName }),
    output: listOf(z.object({ name: z.string(), updatedAt: timestamp })),
  },
  'secrets.set': {
    input: z.strictObject({ app: appName, name: secretName, value: z.string().min(1).max(65_536) }),
    output: z.object({ name: z.string(), updatedAt: timestamp }),
  },
  'secrets.delete': { input: z.strictObject({ app: appName, name: secretName }), output: done },
  'secrets.get': { input: z.strictObject({ name: secretName }), output: z.object({ value: z.string().nullable() }) },
  'vars.list': { input: z.strictObject({ ...page, app: appName }), output: listOf(Variable) },
  'vars.get': { input: z.strictObject({ app: appName, name: secretName }), output: Variable },
  'vars.set': { input: z.strictObject({ app: appName, name: secretName, value: json }), output: Variable },
  'vars.delete': { input: z.strictObject({ app: appName, name: secretName }), output: done },
  'store.get': { input: z.strictObject({ key }), output: z.object({ value: json.nullable() }) },
  'store.list': {
    input: z.strictObject({ ...page, prefix: z.string().max(limits.store.keyLength).optional() }),
    output: listOf(Entry),
  },
  'store.set': {
    input: z.strictObject({
      key,
      value: json,
      ttlSeconds: z
        .number()
        .positive()
        .max(10 * 365 * 86_400)
        .optional(),
    }),
    output: Entry,
  },
  'store.delete': { input: z.strictObject({ key }), output: z.object({ deleted: z.boolean() }) },
  'store.increment': {
    input: z.strictObject({ key, by: z.number().optional() }),
    output: z.object({ value: z.number() }),
  },

  'tokens.list': { input: z.strictObject(page), output: listOf(Token) },
  'tokens.create': {
    input: z.strictObject({ name: text(100), scopes: tokenScopes.optional().describe('Default: read, write, send') }),
    output: z.object({
      id: id('tok'),
      name: z.string(),
      token: z.string().describe('Shown once'),
      scopes: z.array(z.string()),
    }),
  },
  'tokens.revoke': { input: z.strictObject({ id: id('tok') }), output: Token },

  'packs.list': { input: z.strictObject(page), output: listOf(Pack) },
  'packs.balance': { input: nothing, output: z.object({ days: z.number(), used: z.number(), left: z.number() }) },
  'packs.history': {
    input: z.strictObject(page),
    output: listOf(
      z.object({
        id: z.string(),
        kind: z.enum(['added', 'used']),
        days: z.number(),
        note: z.string().nullable(),
        packs: z.array(z.object({ id: z.string(), days: z.number() })),
        balanceAfter: z.number(),
        at: timestamp,
      }),
    ),
  },
  'packs.add': { input: z.strictObject({ days, name: text(100).optional() }), output: Pack },
  'packs.use': {
    input: z.strictObject({ days, note: text(500).optional() }),
    output: z.object({
      id: z.string(),
      days: z.number(),
      note: z.string().nullable(),
      packs: z.array(z.object({ id: z.string(), days: z.number() })),
      left: z.number(),
    }),
  },

  'clock.show': { input: nothing, output: Clock },
  'clock.set': { input: z.strictObject({ now: timestamp.or(z.literal('system')) }), output: TurnedClock },
  'clock.advance': {
    input: z.strictObject({ ms: count(1, 366 * 86_400_000) }),
    output: TurnedClock,
  },
  'workspace.openUrl': {
    // A path on this workspace, never an address elsewhere.
    input: z.strictObject({
      path: z
        .string()
        .max(1_000)
        .regex(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/)
        .optional(),
    }),
    output: z.object({ url: z.string() }),
  },
  'workspace.reset': {
    input: z.strictObject({
      seed: seed.optional().describe('Default: the app’s `seed.json`, otherwise a small made-up company'),
    }),
    output: done,
  },
  'workspace.export': { input: nothing, output: seed },
  'workspace.import': {
    input: z.strictObject({ seed }),
    output: z.object({ created: z.record(z.string(), z.number().int()) }),
  },
} as const;
