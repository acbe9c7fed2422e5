import { refusal } from '../../contract/index.ts';
import type { Tx } from '../door/tx.ts';
import { emailOf, tryEmail } from '../identity.ts';
import { pageBy } from '../lists/page.ts';
import { holds } from '../lists/search.ts';
import type { HandlersOf } from './index.ts';

export const agentHandlers: HandlersOf<'agents' | 'workgroups'> = {
  async 'agents.list'(input, tx) {
    const { search } = input;
    const page = await pageBy(
      tx,
      'agents.list',
      input,
      tx.db
        .selectFrom('agent')
        .selectAll()
        .$if(search !== undefined, (query) =>
          query.where((eb) => eb.or([holds('name', search ?? ''), holds('email', search ?? '')])),
        ),
      { by: 'name' },
    );
    const groups = await workgroupsOf(
      tx,
      page.rows.map((row) => row.id),
    );
    const items = page.rows.map((row) => ({ ...row, workgroupIds: groups.get(row.id) ?? [] }));
    return { items, nextCursor: page.nextCursor };
  },

  async 'workgroups.list'(input, tx) {
    const page = await pageBy(tx, 'workgroups.list', input, tx.db.selectFrom('workgroup').select(['id', 'name']), {
      by: 'name',
    });
    return { items: page.rows, nextCursor: page.nextCursor };
  },
};

/** The assignee of a conversation: an agent or a workgroup. */
export interface Assignee {
  readonly agentId: string | null;
  readonly workgroupId: string | null;
}

/** @throws WorkspaceError agent_not_found, workgroup_not_found */
export async function assigneeOf(
  tx: Tx,
  asked: { agentId?: string | undefined; agentEmail?: string | undefined; workgroupId?: string | undefined },
): Promise<Assignee> {
  if (asked.workgroupId !== undefined) {
    const row = await tx.db.selectFrom('workgroup').select('id').where('id', '=', asked.workgroupId).executeTakeFirst();
    if (row === undefined) throw refusal('workgroup_not_found', `There is no workgroup ${asked.workgroupId}`);
    return { agentId: null, workgroupId: row.id };
  }
  const row =
    asked.agentId === undefined
      ? await agentByEmail(tx, asked.agentEmail ?? '')
      : await tx.db.selectFrom('agent').select('id').where('id', '=', asked.agentId).executeTakeFirst();
  if (row === undefined) throw refusal('agent_not_found', `There is no agent ${asked.agentId ?? asked.agentEmail}`);
  return { agentId: row.id, workgroupId: null };
}

async function agentByEmail(tx: Tx, text: string): Promise<{ id: string } | undefined> {
  if (tryEmail(text) === undefined) return undefined;
  return tx.db.selectFrom('agent').select('id').where('email', '=', emailOf(text)).executeTakeFirst();
}

async function workgroupsOf(tx: Tx, agentIds: string[]): Promise<Map<string, string[]>> {
  const groups = new Map<string, string[]>();
  if (agentIds.length === 0) return groups;
  const rows = await tx.db
    .selectFrom('agent_workgroup')
    .selectAll()
    .where('agent_id', 'in', agentIds)
    .orderBy('workgroup_id')
    .execute();
  for (const { agent_id, workgroup_id } of rows) groups.set(agent_id, [...(groups.get(agent_id) ?? []), workgroup_id]);
  return groups;
}
