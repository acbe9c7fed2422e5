/**
 * The state of one workspace and its rules, behind one door: checks, permission, idempotency, journal. Knows nothing of
 * HTTP, sandboxes or terminals; SQLite and Kysely live here and nowhere else.
 */
export { checkDatabase } from './database/index.ts';
export { openWorkspace } from './open.ts';
export { permit } from './permission.ts';
export type * from './types.ts';
