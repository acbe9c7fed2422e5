import type { Input } from '../../contract/index.ts';
import { UsageError } from '../../std/index.ts';

/**
 * Parses an assignee: an agent's e-mail address or id, or the id of a workgroup.
 * @throws UsageError assignee_invalid
 */
export function parseAssignee(given: string): NonNullable<Input<'sessions.link'>['assign']> {
  if (given.includes('@')) return { agentEmail: given };
  if (given.startsWith('agt_')) return { agentId: given };
  if (given.startsWith('wgr_')) return { workgroupId: given };
  throw new UsageError('assignee_invalid', `--assign: "${given}" is neither an e-mail address nor an id`, {
    hint: 'Use the e-mail address or id (agt_…) of an agent, or the id (wgr_…) of a workgroup. See: fn api agents.list, fn api workgroups.list',
  });
}
