import { sql } from 'kysely';
import { folded } from './database/index.ts';

/** Whether a column holds the text. SQLite's own LIKE knows the cases of ASCII only. */
export function holds(column: string, text: string) {
  return sql<boolean>`folded(${sql.ref(column)}) LIKE ${`%${plain(folded(text))}%`} ESCAPE '!'`;
}

/** Signs that mean something to LIKE, as themselves. */
function plain(text: string): string {
  return text.replace(/[%_!]/g, '!$&');
}
