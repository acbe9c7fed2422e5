export type { Connection, Pool } from './connection.ts';
export { machineFailure } from './failure.ts';
export { folded } from './folded.ts';
export { checkDatabase, type Database, openDatabase } from './open.ts';
export { giveBackSpace } from './space.ts';
export type { Tables } from './tables.ts';
