import { sql } from 'kysely';
import { type AppFileKind, isAppFileKind, refusal } from '../../contract/index.ts';
import type { AppFileContent } from '../../contract/shapes/index.ts';
import type { Tx } from '../door/tx.ts';
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

/** Where each is kept, and the column with its name. */
const tables = {
  harness: ['harness', 'name'],
  'mcp-client': ['mcp_client', 'name'],
  workgroup: ['workgroup', 'name'],
  person: ['agent', 'email'],
  template: ['template', 'name'],
} as const satisfies Record<Reference['kind'], readonly [string, string]>;

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
  const [table, column] = tables[kind];
  const found = await db.selectFrom(table).select('id').where(sql.ref(column), '=', name).executeTakeFirst();
  return found !== undefined;
}
