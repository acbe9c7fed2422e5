import type { Selectable } from 'kysely';
import { languageOf } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import { fromJson, type Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import { type Template, type TemplateDefinition, variablesOf } from '../templates/index.ts';
import type { HandlersOf } from './index.ts';

export type TemplateRow = Selectable<Tables['template']>;

export const templateHandlers: HandlersOf<'messageTemplates'> = {
  async 'messageTemplates.list'(input, tx) {
    const page = await pageBy(
      tx,
      'messageTemplates.list',
      input,
      tx.db
        .selectFrom('template')
        .selectAll()
        .where('status', '=', 'approved')
        .$if(input.name !== undefined, (query) => query.where('name', '=', input.name ?? ''))
        .$if(input.language !== undefined, (query) => query.where('language', '=', languageOf(input.language ?? ''))),
      { by: 'name', tie: 'language' },
    );
    return { items: page.rows.map(templateOf), nextCursor: page.nextCursor };
  },
};

export function definitionOf(row: TemplateRow): TemplateDefinition {
  return fromJson<TemplateDefinition>(row.definition);
}

function templateOf(row: TemplateRow): Template {
  const definition = definitionOf(row);
  return {
    id: row.id,
    ...definition,
    variables: variablesOf(definition),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

/** Stores a validated template. An existing one (same name and language) is replaced. */
export async function saveTemplate(tx: Tx, given: TemplateDefinition): Promise<'created' | 'changed' | 'unchanged'> {
  const definition = { ...given, language: languageOf(given.language) };
  const { name, language, category, status } = definition;
  const text = JSON.stringify(definition);
  const known = await tx.db
    .selectFrom('template')
    .select(['id', 'definition'])
    .where('name', '=', name)
    .where('language', '=', language)
    .executeTakeFirst();
  if (known?.definition === text) return 'unchanged';
  const columns = { name, language, category, status, definition: text, updated_at: tx.now };
  if (known !== undefined) {
    await tx.db.updateTable('template').set(columns).where('id', '=', known.id).execute();
    return 'changed';
  }
  await tx.db
    .insertInto('template')
    .values({ id: newId('tpl', tx.now), ...columns, created_at: tx.now })
    .execute();
  return 'created';
}
