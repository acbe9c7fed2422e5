import { z } from 'zod';
import { id, identity, listOf, needsIdentity, page, text, timestamp } from '../shapes/common.ts';
import { json } from '../shapes/json.ts';
import { SentTemplate, sendTemplateInput } from './templates.shapes.ts';

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
  author: z.object({
    type: z.enum(['customer', 'agent', 'aiAgent', 'flow', 'function', 'api', 'mcp', 'system']),
    id: z.string().nullable(),
  }),
  text: z.string().nullable(),
  media: media.nullable().describe('Image, video or document'),
  template: z
    .object({ name: z.string(), language: z.string(), rendered: json.describe('As the customer sees it') })
    .nullable()
    .describe('For a message that was sent as a message template'),
  quickReplies: z.array(QuickReply).describe('Answers that the customer can choose from'),
  status: z.enum(['sent', 'delivered', 'read', 'failed', 'received']).describe('`received`: from the customer'),
  quickReplyId: z.string().nullable().describe('The quick reply that the customer tapped'),
  error: z.string().nullable().describe('Why it failed, in the words of the channel'),
  createdAt: timestamp,
});

const givenMedia = z
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
  .describe('Give either mediaId or url, but not both');

export const messageShapes = {
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
        media: givenMedia.optional(),
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
  'messages.sendTemplate': { input: sendTemplateInput, output: SentTemplate },
  'messages.receive': {
    input: z
      .strictObject({
        conversationId: id('cnv').optional(),
        ...identity,
        channel: text(100).optional(),
        name: text(200).optional(),
        text: text(4096).optional(),
        media: givenMedia.optional(),
        quickReplyId: text(100).optional().describe('The quick reply of the last message that the customer taps'),
      })
      .refine((value) => value.text !== undefined || value.media !== undefined || value.quickReplyId !== undefined, {
        message: 'give a text, media or a quick reply',
      })
      .refine((value) => value.conversationId !== undefined || needsIdentity(value), {
        message: 'give conversationId, or the phone number or e-mail address of the customer who writes',
      })
      .describe('Give at least one of conversationId, phone and email'),
    output: Message,
  },
  'messages.updateStatus': {
    input: z.strictObject({
      id: id('msg'),
      status: z.enum(['delivered', 'read', 'failed']),
      error: text(1000).optional().describe('Why it failed, in the words of the channel'),
    }),
    output: Message,
  },
} as const;
