import { z } from 'zod';
import { id, listOf, page, text, timestamp } from '../shapes/common.ts';
import { Message } from './messages.shapes.ts';

export const Note = z.object({
  id: id('nte'),
  conversationId: id('cnv'),
  author: Message.shape.author,
  text: z.string(),
  createdAt: timestamp,
});

export const noteShapes = {
  'notes.add': { input: z.strictObject({ conversationId: id('cnv'), text: text(10_000) }), output: Note },
  'notes.list': { input: z.strictObject({ ...page, conversationId: id('cnv') }), output: listOf(Note) },
} as const;
