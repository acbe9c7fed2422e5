import { type AppFileKind, isAppFileKind, refusal } from '../../contract/index.ts';
import type { AppFileContent } from '../../contract/shapes/index.ts';
import type { Tx } from '../door/tx.ts';
import { type DeploymentRow, manifestOf } from './rows.ts';

/** What a file names of the workspace that it is deployed to. */
interface Reference {
  readonly kind: 'harness' | 'mcp-client';
  readonly name: string;
}

/** What each kind of file names that belongs to the workspace and comes with no deployment; the compiler names a missing kind. */
const referencesOf: { readonly [K in AppFileKind]: (config: AppFileContent<K>) => readonly Reference[] } = {
  'ai-agent': ({ harness = 'builtin', mcp = [] }) => [
    { kind: 'harness', name: harness },
    ...mcp.filter(({ required }) => required).map(({ client }): Reference => ({ kind: 'mcp-client', name: client })),
  ],
};

const tables = { harness: 'harness', 'mcp-client': 'mcp_client' } as const satisfies Record<Reference['kind'], string>;

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
  const found = await db.selectFrom(tables[kind]).select('id').where('name', '=', name).executeTakeFirst();
  return found !== undefined;
}
