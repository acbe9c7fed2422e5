import { z } from 'zod';
import { assignee, email, id, phone, text } from '../shapes/common.ts';

const link = z
  .strictObject({
    phone: phone.optional(),
    email: email.optional(),
    channel: text(100)
      .optional()
      .describe('Id, kind or name; default: the first connected channel that can reach the identity'),
    name: text(200).optional(),
    assign: assignee.optional(),
  })
  .refine((given) => (given.phone === undefined) !== (given.email === undefined), {
    message: 'give either a phone number or an e-mail address',
  })
  .describe('Give either phone or email, but not both');

const Link = z.object({
  conversationId: id('cnv'),
  url: z.string().describe('Direct link'),
  customerId: id('cus'),
  created: z.object({ customer: z.boolean(), conversation: z.boolean() }),
});

export const sessionShapes = {
  'sessions.link': { input: link, output: Link },
} as const;
