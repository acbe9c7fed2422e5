import type { ParsedInput } from '../../contract/index.ts';
import type { FieldProblem } from '../../std/index.ts';
import { seedProblem } from '../door/problems.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { builtInName, dateBuiltIn, fillHarnessSecrets, insertHarness } from '../harnesses/harnesses.ts';
import type { NamedSecrets } from './endpoints.ts';

type Harness = NonNullable<ParsedInput<'workspace.import'>['seed']['harnesses']>[number];

/**
 * Adds the harnesses of a seed that the workspace does not have. One whose secret has no value on this machine is there, and says so.
 * @returns how many were added
 */
export async function addHarnesses(
  tx: Tx,
  harnesses: readonly Harness[],
  secrets: NamedSecrets,
  problems: FieldProblem[],
): Promise<number> {
  await dateBuiltIn(tx);
  let added = 0;
  for (const [index, harness] of harnesses.entries()) {
    const known = await tx.db.selectFrom('harness').select('id').where('name', '=', harness.name).executeTakeFirst();
    if (known !== undefined) continue;
    try {
      await insertHarness(tx, harness);
      added++;
    } catch (error) {
      problems.push(seedProblem(`harnesses[${index}]`, error));
    }
  }
  await fillHarnessSecrets(tx, secrets);
  return added;
}

/** The harnesses as a seed describes them, without keys and secrets: what had one has to be given another. */
export async function exportHarnesses(tx: Tx): Promise<{ harnesses?: Harness[] }> {
  const rows = await tx.db.selectFrom('harness').selectAll().orderBy('created_at').orderBy('id').execute();
  const harnesses = rows
    .filter(({ name }) => name !== builtInName)
    .map(
      (row): Harness => ({
        name: row.name,
        kind: row.kind as Harness['kind'],
        ...(row.provider !== null && { provider: row.provider as NonNullable<Harness['provider']> }),
        ...(row.address !== null && (row.kind === 'custom' ? { endpoint: row.address } : { baseUrl: row.address })),
        ...(row.module !== null && { module: row.module }),
        ...(row.models !== '{}' && { models: fromJson<NonNullable<Harness['models']> & object>(row.models) }),
        ...(row.signed_replies === 1 && { requireSignedReplies: true }),
        ...(row.secret_from !== null && { secretFrom: row.secret_from }),
        ...(row.kind === 'custom' && row.signed === 0 && { unsigned: true }),
      }),
    );
  return harnesses.length === 0 ? {} : { harnesses };
}
