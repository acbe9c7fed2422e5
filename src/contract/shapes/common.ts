import { z } from 'zod';
import { functionTypeNames } from '../function-types.ts';
import { limits } from '../limits.ts';
import { json } from './json.ts';

/** A phone number as people write it; normalised to E.164 by the workspace. */
export const phone = z.string().min(1).max(40).describe('Phone number, international form: +4930901820');
export const email = z.string().min(1).max(254).describe('E-mail address');
export const id = (prefix: string) => z.string().min(1).max(100).describe(`Id, ${prefix}_…`);
/**
 * Text that is stored. A lone surrogate, as left over when an emoji is cut in two, has no UTF-8 form: it becomes U+FFFD here, as in a
 * URL or a `fetch`, so that the answer equals what is stored.
 */
export const text = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .overwrite((value) => value.toWellFormed());
export const timestamp = z.iso.datetime().describe('RFC 3339 in UTC');
export const appName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'an app is named in lower case letters, digits and dashes');
/** A function's name: its path below functions/, without the extension. */
export const functionName = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)*$/, 'a function is named by its path below functions/');
export const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lower case hex');
export const fields = z.record(z.string().max(100), json).describe('Fields of your own');
/** Fields to change: they are merged with the existing ones, and null removes one. */
export const fieldsInput = z.record(z.string().min(1).max(100), json);

/** A number that may arrive as text, in a query or by `fn api -f`: only as decimal digits, and never as true, null or a list. */
export const numeric = <T extends z.ZodType>(shape: T) =>
  z.preprocess((value) => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value), shape);
export const count = (least: number, most: number) => numeric(z.number().int().min(least).max(most));
/** A yes or no that may arrive as text in a query. */
export const flag = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]);

export const page = {
  limit: count(1, limits.list.most).optional().describe(`How many; default ${limits.list.default}`),
  cursor: z.string().min(1).max(500).optional().describe('`nextCursor` of the previous page'),
};
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe('Pass it as `cursor` to get the next page; null at the end'),
  });
export const nothing = z.strictObject({});
export const done = z.object({});

/** The assignment of a conversation: at most one of the three. */
export const assignee = z
  .strictObject({
    agentId: id('agt').optional(),
    agentEmail: email.optional(),
    workgroupId: id('wgr').optional(),
  })
  .refine((value) => Object.values(value).filter((part) => part !== undefined).length === 1, {
    message: 'give exactly one of agentId, agentEmail and workgroupId',
  })
  .meta({
    description: 'Exactly one of agentId, agentEmail and workgroupId is given',
    minProperties: 1,
    maxProperties: 1,
  });

/** Maximum days of one pack and of one booking. */
export const mostDays = 10_000;

export const functionType = z.enum(functionTypeNames);
/** The name of a secret or a variable of an app. */
export const secretName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'letters, digits and underscores, not beginning with a digit');

/** A customer is identified by a phone number, an e-mail address, or both. */
export const identity = { phone: phone.optional(), email: email.optional() };
export const needsIdentity = (value: { phone?: unknown; email?: unknown }) =>
  value.phone !== undefined || value.email !== undefined;
export const identityRule = 'At least one of phone and email is given';
export const identityMissing = { message: 'give a phone number or an e-mail address' };
