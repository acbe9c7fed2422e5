import type { Selectable } from 'kysely';
import type { Output } from '../../contract/index.ts';
import { newId, toTimestamp } from '../../std/index.ts';
import type { Tables } from '../database/index.ts';
import type { Tx } from '../door/tx.ts';
import { pageBy } from '../lists/page.ts';
import { conversationRow } from './conversations.ts';
import type { HandlersOf } from './index.ts';
import { authorOf } from './store-message.ts';

type Note = Output<'notes.add'>;

export const noteHandlers: HandlersOf<'notes'> = {
  async 'notes.add'({ conversationId, text }, tx, caller) {
    await conversationRow(tx, conversationId);
    return addNote(tx, conversationId, authorOf(caller), text);
  },

  async 'notes.list'(input, tx) {
    await conversationRow(tx, input.conversationId);
    const page = await pageBy(
      tx,
      'notes.list',
      input,
      tx.db.selectFrom('note').selectAll().where('conversation_id', '=', input.conversationId),
      { by: 'created_at' },
    );
    return { items: page.rows.map(noteOf), nextCursor: page.nextCursor };
  },
};

/** Leaves a note on a conversation, which the customer never sees. */
export async function addNote(tx: Tx, conversationId: string, author: Note['author'], text: string): Promise<Note> {
  const row = {
    id: newId('nte', tx.now),
    conversation_id: conversationId,
    author_type: author.type,
    author_id: author.id,
    text,
    created_at: tx.now,
  };
  await tx.db.insertInto('note').values(row).execute();
  const note = noteOf(row);
  await tx.announce({ type: 'note.created', conversationId, data: { note } });
  return note;
}

function noteOf(row: Selectable<Tables['note']>): Note {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    author: { type: row.author_type as Note['author']['type'], id: row.author_id },
    text: row.text,
    createdAt: toTimestamp(row.created_at),
  };
}
