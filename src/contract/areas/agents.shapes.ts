import { z } from 'zod';
import { id, listOf, page } from '../shapes/common.ts';

export const Agent = z.object({
  id: id('agt'),
  name: z.string(),
  email: z.string(),
  workgroupIds: z.array(z.string()),
});

export const Workgroup = z.object({ id: id('wgr'), name: z.string() });

export const agentShapes = {
  'agents.list': {
    input: z.strictObject({
      ...page,
      search: z.string().max(100).optional().describe('Part of a name or an e-mail address'),
    }),
    output: listOf(Agent),
  },
  'workgroups.list': { input: z.strictObject(page), output: listOf(Workgroup) },
} as const;
