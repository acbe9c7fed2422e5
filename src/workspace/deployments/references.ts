import { sql } from 'kysely';
import { type AppFileKind, isAppFileKind, refusal } from '../../contract/index.ts';
import type { AppFileContent } from '../../contract/shapes/index.ts';
import type { Tx } from '../door/tx.ts';
import { nameKey } from '../handlers/channels.ts';
import { tryEmail } from '../identity.ts';
import { type DeploymentRow, manifestOf } from './rows.ts';

/** What a file names of the workspace that it is deployed to. */
interface Reference {
  readonly kind: 'harness' | 'mcp-client' | 'workgroup' | 'person' | 'template';
  readonly name: string;
}

/** What each kind of file names that belongs to the workspace and comes with no deployment; the compiler names a missing kind. */
const referencesOf: { readonly [K in AppFileKind]: (config: AppFileContent<K>) => readonly Reference[] } = {
  'ai-agent': ({ harness = 'builtin', mcp = [] }) => [
    { kind: 'harness', name: harness },
    ...mcp.filter(({ required }) => required).map(({ client }): Reference => ({ kind: 'mcp-client', name: client })),
  ],
  flow: ({ nodes }) => Object.values(nodes).flatMap(referencesOfNode),
};

function referencesOfNode(node: AppFileContent<'flow'>['nodes'][string]): Reference[] {
  switch (node.type) {
    case 'message':
      return node.template ? [{ kind: 'template', name: node.template.name }] : [];
    case 'handover':
    case 'assign': {
      const { workgroup, agent } = node.to;
      return workgroup === undefined
        ? [{ kind: 'person', name: agent ?? '' }]
        : [{ kind: 'workgroup', name: workgroup }];
    }
    case 'ai':
    case 'ai-agent':
      return [
        ...(node.harness === undefined ? [] : [{ kind: 'harness' as const, name: node.harness }]),
        ...(node.mcp ?? []).map(({ client }) => ({ kind: 'mcp-client' as const, name: client })),
      ];
    default:
      return [];
  }
}

const asWritten = (name: string): string => name;

/** Where each is kept, the column by which it is found, and a name as that column has it: as a run compares it. */
const tables = {
  harness: ['harness', 'name', asWritten],
  'mcp-client': ['mcp_client', 'name', asWritten],
  workgroup: ['workgroup', 'name_key', nameKey],
  person: ['agent', 'email', tryEmail],
  template: ['template', 'name', asWritten],
} as const satisfies Record<Reference['kind'], readonly [string, string, (name: string) => string | undefined]>;

/** @throws WorkspaceError references_missing with everything that the workspace lacks; then nothing is switched */
export async function requireReferences(tx: Tx, row: DeploymentRow): Promise<void> {
  const missing: (Reference & { readonly file: string })[] = [];
  for (const { path, type, config } of manifestOf(row)) {
    if (!isAppFileKind(type)) continue;
    for (const reference of referencesIn(type, config)) {
      if (!(await isThere(tx, reference))) missing.push({ ...reference, file: path });
    }
  }
  if (missing.length === 0) return;
  const named = missing.map(({ kind, name, file }) => `${kind} ${name} (${file})`).join(', ');
  throw refusal('references_missing', `This workspace lacks what the deployment names: ${named}`, {
    details: { missing },
    hint: 'Add it to the workspace first, or change the files. Nothing was switched.',
  });
}

function referencesIn<K extends AppFileKind>(kind: K, config: unknown): readonly Reference[] {
  // It was checked when the deployment was made.
  return referencesOf[kind](config as AppFileContent<K>);
}

async function isThere({ db }: Tx, { kind, name }: Reference): Promise<boolean> {
  const [table, column, keyOf] = tables[kind];
  const key = keyOf(name);
  if (key === undefined) return false;
  const found = await db.selectFrom(table).select('id').where(sql.ref(column), '=', key).executeTakeFirst();
  return found !== undefined;
}
