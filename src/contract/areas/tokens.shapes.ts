import { z } from 'zod';
import { scopes } from '../scopes.ts';
import { id, listOf, page, text, timestamp } from '../shapes/common.ts';

const tokenScopes = z.array(z.enum(scopes)).min(1);

export const Token = z.object({
  id: id('tok'),
  name: z.string(),
  scopes: z.array(z.string()),
  agentId: id('agt').nullable().optional().describe('The person as whom it acts'),
  createdAt: timestamp,
  lastUsedAt: timestamp.nullable(),
  revokedAt: timestamp.nullable(),
});

export const tokenShapes = {
  'tokens.list': { input: z.strictObject(page), output: listOf(Token) },
  'tokens.create': {
    input: z.strictObject({
      name: text(100),
      scopes: tokenScopes.optional().describe('Default: read, write, send'),
      agentId: id('agt').optional().describe('The person as whom it always acts'),
    }),
    output: z.object({
      id: id('tok'),
      name: z.string(),
      token: z.string().describe('Shown once'),
      scopes: z.array(z.string()),
      agentId: id('agt').nullable().optional().describe('The person as whom it acts'),
    }),
  },
  'tokens.revoke': { input: z.strictObject({ id: id('tok') }), output: Token },
} as const;
