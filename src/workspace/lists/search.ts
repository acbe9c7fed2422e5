import { sql } from 'kysely';
import { folded } from '../database/index.ts';

/** Whether a column contains the text. SQLite's own LIKE ignores case in ASCII only. */
export function holds(column: string, text: string) {
  return sql<boolean>`folded(${sql.ref(column)}) LIKE ${`%${plain(folded(text))}%`} ESCAPE '!'`;
}

/** Escapes the characters that are special to LIKE. */
function plain(text: string): string {
  return text.replace(/[%_!]/g, '!$&');
}
