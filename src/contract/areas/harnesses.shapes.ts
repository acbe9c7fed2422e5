import { z } from 'zod';
import { harnessKinds, modelProviders } from '../harness-kinds.ts';
import { done, flag, id, listOf, page, secretName, text, timestamp } from '../shapes/common.ts';

/** Names of models. */
export const models = z.strictObject({
  main: text(200).optional(),
  fallback: text(200).optional().describe('Answers when the main one cannot'),
  fast: text(200).optional().describe('For what is asked often and is simple'),
});

const secret = z.string().max(200).describe('Signing secret: `whsec_` and the base64 of 24 to 64 bytes');
const address = z.string().min(1).max(2_100);

const isBelow = (path: string) => !/[\\:]/.test(path) && !path.split('/').some((part) => part === '' || part === '..');
const modulePath = text(300).refine(isBelow, { message: 'is no path below the app, such as agents/bot.js' });

export const harnessName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a harness is named in lower case letters, digits and dashes');

/** What a harness is, without keys and secrets. */
const described = {
  provider: z
    .enum(modelProviders)
    .optional()
    .describe('Of the kinds builtin and openai-agents-sdk: how models are spoken to'),
  baseUrl: address.optional().describe('Of kinds with models: the address of their API, if it is not the usual one'),
  endpoint: address.optional().describe('Of the custom kind: the address of the agent’s server'),
  module: modulePath
    .optional()
    .describe(
      'Of the kind agent-framework: the file of the app that exports the agent. Only the token of this machine may name one',
    ),
  models: models.optional().describe('For agents that name none'),
  requireSignedReplies: flag.optional().describe('Of the custom kind: replies without a signature are refused'),
};
const unsigned = flag.optional().describe('Of the custom kind: requests are not signed');

export const harnessNoteShape = z
  .string()
  .nullable()
  .describe('What must be known of its kind: `not verified against the live service`, or null');

export const Harness = z.object({
  id: id('har'),
  name: z.string(),
  kind: z.enum(harnessKinds),
  note: harnessNoteShape,
  provider: z.enum(modelProviders).nullable(),
  baseUrl: z.string().nullable(),
  endpoint: z.string().nullable().describe('Of the custom kind: the address of the agent’s server'),
  module: z.string().nullable(),
  models: z.object({ main: z.string().nullable(), fallback: z.string().nullable(), fast: z.string().nullable() }),
  hasKey: z.boolean().describe('Whether it has a key for its models'),
  signed: z.boolean().describe('Of the custom kind: whether requests are signed'),
  requireSignedReplies: z.boolean(),
  state: z
    .enum(['ready', 'needsSecret'])
    .describe(
      '`needsSecret`: the key that the seed names has no value, or requests are to be signed and nothing signs',
    ),
  secretFrom: z.string().nullable().describe('The name of the secret on this machine, from the seed'),
  oldSecretUntil: timestamp.nullable().describe('How long the secret before the last rotation still signs'),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** What a seed says of a harness: secrets by name. */
export const seedHarness = z.strictObject({
  name: harnessName,
  kind: z.enum(harnessKinds),
  ...described,
  secretFrom: secretName
    .optional()
    .describe('The name of the key, or of the signing secret of the custom kind: its value stays on the machine'),
  unsigned,
});

export const harnessShapes = {
  'harnesses.list': { input: z.strictObject(page), output: listOf(Harness) },
  'harnesses.show': { input: z.strictObject({ id: text(100).describe('Id or name') }), output: Harness },
  'harnesses.add': {
    input: z
      .strictObject({
        name: harnessName,
        kind: z.enum(harnessKinds),
        ...described,
        apiKey: text(10_000).optional().describe('Key of the models; no operation shows it again'),
        secret: secret.optional().describe('Of the custom kind; made and shown once if left out'),
        unsigned,
      })
      .refine(({ kind, endpoint }) => kind !== 'custom' || endpoint !== undefined, {
        message: 'is missing: where the agent’s server answers',
        path: ['endpoint'],
      })
      .refine(({ kind, endpoint }) => kind === 'custom' || endpoint === undefined, {
        message: 'belongs to the kind custom; others have baseUrl',
        path: ['endpoint'],
      })
      .refine(({ kind, secret }) => kind === 'custom' || secret === undefined, {
        message: 'belongs to the kind custom; others have apiKey',
        path: ['secret'],
      }),
    output: Harness.extend({
      secret: z.string().nullable().describe('Shown once, if it was made here; null otherwise'),
    }),
  },
  'harnesses.update': {
    input: z.strictObject({
      id: text(100).describe('Id or name'),
      name: harnessName.optional(),
      ...described,
      apiKey: text(10_000).nullable().optional().describe('null: none any more'),
    }),
    output: Harness,
  },
  'harnesses.remove': { input: z.strictObject({ id: text(100).describe('Id or name') }), output: done },
  'harnesses.rotateSecret': {
    input: z.strictObject({ id: text(100).describe('Id or name'), secret: secret.optional() }),
    output: z.object({
      id: id('har'),
      secret: z.string().describe('Shown once'),
      oldSecretUntil: timestamp.nullable(),
    }),
  },
  'harnesses.check': {
    input: z.strictObject({
      id: text(100).describe('Id or name'),
      scenario: text(100)
        .optional()
        .describe('Of the kind custom: plays this scenario with its server, signed with its secret; it asks the agent'),
    }),
    output: z.object({
      ok: z.boolean(),
      note: harnessNoteShape,
      problems: z.array(z.object({ code: z.string(), message: z.string(), fix: z.string() })),
      scenario: z
        .object({
          name: z.string(),
          rule: z.string().describe('What a server must do'),
          status: z.enum(['passed', 'failed', 'skipped']),
          message: z.string().nullable().describe('What it did, or why the scenario was left out'),
          ms: z.number(),
        })
        .nullable(),
    }),
  },
} as const;
