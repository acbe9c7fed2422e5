import { z } from 'zod';
import { channelKinds } from '../channel-kinds.ts';
import { id, listOf, page, text, timestamp } from '../shapes/common.ts';

export const Channel = z.object({
  id: id('chn'),
  kind: z.enum(channelKinds),
  name: z.string(),
  reaches: z.array(z.enum(['phone', 'email'])).describe('The identities by which it can reach a customer'),
  connected: z.boolean(),
  createdAt: timestamp,
});

export const channelShapes = {
  'channels.list': { input: z.strictObject(page), output: listOf(Channel) },
  'channels.connect': {
    input: z.strictObject({ kind: z.enum(channelKinds), name: text(100).optional() }),
    output: Channel,
  },
  'channels.disconnect': { input: z.strictObject({ id: id('chn') }), output: Channel },
} as const;
