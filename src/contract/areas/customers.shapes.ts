import { z } from 'zod';
import {
  email,
  fields,
  fieldsInput,
  id,
  identity,
  identityMissing,
  identityRule,
  listOf,
  needsIdentity,
  page,
  phone,
  text,
  timestamp,
} from '../shapes/common.ts';

export const Customer = z.object({
  id: id('cus'),
  name: z.string().nullable(),
  phone: z.string().nullable().describe('E.164'),
  email: z.string().nullable(),
  language: z.string().nullable(),
  fields,
  createdAt: timestamp,
  updatedAt: timestamp,
});

export const customerShapes = {
  'customers.list': {
    input: z.strictObject({
      ...page,
      search: z.string().min(1).max(100).optional().describe('Part of a name, an e-mail address or a phone number'),
    }),
    output: listOf(Customer),
  },
  'customers.find': {
    input: z.strictObject(identity).refine(needsIdentity, identityMissing).describe(identityRule),
    output: Customer,
  },
  'customers.get': { input: z.strictObject({ id: id('cus') }), output: Customer },
  'customers.findOrCreate': {
    input: z
      .strictObject({
        ...identity,
        name: text(200).optional(),
        language: text(35).optional(),
        fields: fieldsInput.optional(),
      })
      .refine(needsIdentity, identityMissing)
      .describe(identityRule),
    output: Customer.extend({ created: z.boolean() }),
  },
  'customers.update': {
    input: z.strictObject({
      id: id('cus'),
      name: text(200).nullable().optional(),
      phone: phone.nullable().optional(),
      email: email.nullable().optional(),
      language: text(35).nullable().optional(),
      fields: fieldsInput.optional().describe('Merged with the existing fields; null removes a field'),
    }),
    output: Customer,
  },
} as const;
