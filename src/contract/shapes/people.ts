import { z } from 'zod';
import { channelKinds } from '../channel-kinds.ts';
import { assignee, count, email, fields, flag, id, listOf, page, phone, text, timestamp } from './common.ts';
import { json } from './json.ts';

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

export const Assignment = z.object({ agentId: id('agt').nullable(), workgroupId: id('wgr').nullable() });

export const Conversation = z.object({
  id: id('cnv'),
  url: z.string().describe('Direct link'),
  customerId: id('cus'),
  channelId: id('chn'),
  status: z.enum(['open', 'closed']),
  inbox: z.boolean().describe('Whether it is listed in the inbox; false until the customer writes'),
  assignee: Assignment.describe('Who is responsible for it'),
  fields,
  createdAt: timestamp,
  updatedAt: timestamp,
  lastMessageAt: timestamp.nullable().describe('RFC 3339 in UTC; null without messages'),
});

const media = z.object({
  mediaId: id('med').optional(),
  url: z.string().optional(),
  type: z.string(),
  fileName: z.string().optional(),
});
const QuickReply = z.object({ id: z.string(), title: z.string() });

export const Message = z.object({
  id: id('msg'),
  conversationId: id('cnv'),
  direction: z.enum(['in', 'out']).describe('`in`: from the customer'),
  author: z.object({ type: z.enum(['customer', 'agent', 'function', 'api', 'system']), id: z.string().nullable() }),
  text: z.string().nullable(),
  media: media.nullable().describe('Image, video or document'),
  template: z
    .object({ name: z.string(), language: z.string(), rendered: json.describe('As the customer sees it') })
    .nullable()
    .describe('For a message that was sent as a message template'),
  quickReplies: z.array(QuickReply).describe('Answers that the customer can choose from'),
  status: z.enum(['sent', 'delivered', 'read', 'failed', 'received']).describe('`received`: from the customer'),
  createdAt: timestamp,
});

export const Agent = z.object({
  id: id('agt'),
  name: z.string(),
  email: z.string(),
  workgroupIds: z.array(z.string()),
});
export const Workgroup = z.object({ id: id('wgr'), name: z.string() });

export const Channel = z.object({
  id: id('chn'),
  kind: z.enum(channelKinds),
  name: z.string(),
  reaches: z.array(z.enum(['phone', 'email'])).describe('The identities by which it can reach a customer'),
  connected: z.boolean(),
  createdAt: timestamp,
});

const identity = { phone: phone.optional(), email: email.optional() };
const needsIdentity = (value: { phone?: unknown; email?: unknown }) =>
  value.phone !== undefined || value.email !== undefined;
const identityRule = 'At least one of phone and email is given';
const identityMissing = { message: 'give a phone number or an e-mail address' };
const fieldsInput = z.record(z.string().min(1).max(100), json);

export const peopleShapes = {
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
  'conversations.list': {
    input: z.strictObject({
      ...page,
      inbox: z
        .union([flag, z.literal('all')])
        .optional()
        .describe('Default true: conversations in which the customer has written'),
      status: z.enum(['open', 'closed']).optional(),
      customerId: id('cus').optional(),
      channelId: id('chn').optional(),
      agentId: id('agt').optional(),
      workgroupId: id('wgr').optional(),
    }),
    output: listOf(Conversation),
  },
  'conversations.get': { input: z.strictObject({ id: id('cnv') }), output: Conversation },
  'conversations.assign': {
    input: z.strictObject({ id: id('cnv'), assign: assignee.nullable().describe('null: nobody') }),
    output: Conversation,
  },
  'conversations.close': { input: z.strictObject({ id: id('cnv') }), output: Conversation },
  'conversations.reopen': { input: z.strictObject({ id: id('cnv') }), output: Conversation },
  'conversations.link': {
    input: z
      .strictObject({
        ...identity,
        channel: text(100).optional(),
        name: text(200).optional(),
        assign: assignee.optional(),
      })
      .refine(needsIdentity, identityMissing)
      .describe(identityRule),
    output: z.object({
      conversationId: id('cnv'),
      url: z.string(),
      customerId: id('cus'),
      created: z.object({ customer: z.boolean(), conversation: z.boolean() }),
    }),
  },
  'messages.list': {
    input: z.strictObject({
      ...page,
      conversationId: id('cnv'),
      order: z.enum(['asc', 'desc']).optional().describe('`asc`, the default: oldest first; `desc`: newest first'),
    }),
    output: listOf(Message),
  },
  'messages.send': {
    input: z
      .strictObject({
        conversationId: id('cnv'),
        text: text(4096).optional(),
        media: z
          .strictObject({
            mediaId: id('med').optional(),
            url: z
              .url({ protocol: /^https$/ })
              .max(2048)
              .optional(),
            fileName: text(255).optional(),
          })
          .refine((value) => (value.mediaId === undefined) !== (value.url === undefined), {
            message: 'give mediaId or url',
          })
          .describe('Give either mediaId or url, but not both')
          .optional(),
        quickReplies: z
          .array(z.strictObject({ id: text(100), title: text(25) }))
          .max(10)
          .optional()
          .describe('Answers that the customer can choose from'),
      })
      .refine((value) => value.text !== undefined || value.media !== undefined, { message: 'give a text or media' })
      .describe('Give text, media or both'),
    output: Message,
  },
  'messages.receive': {
    input: z
      .strictObject({
        conversationId: id('cnv').optional(),
        ...identity,
        channel: text(100).optional(),
        name: text(200).optional(),
        text: text(4096),
      })
      .refine((value) => value.conversationId !== undefined || needsIdentity(value), {
        message: 'give conversationId, or the phone number or e-mail address of the customer who writes',
      })
      .describe('Give at least one of conversationId, phone and email'),
    output: Message,
  },
  'agents.list': {
    input: z.strictObject({
      ...page,
      search: z.string().max(100).optional().describe('Part of a name or an e-mail address'),
    }),
    output: listOf(Agent),
  },
  'workgroups.list': { input: z.strictObject(page), output: listOf(Workgroup) },
  'channels.list': { input: z.strictObject(page), output: listOf(Channel) },
  'channels.connect': {
    input: z.strictObject({ kind: z.enum(channelKinds), name: text(100).optional() }),
    output: Channel,
  },
  'channels.disconnect': { input: z.strictObject({ id: id('chn') }), output: Channel },
} as const;

export { count };
