/**
 * The state of one workspace and its rules, behind one door: checks, permission, idempotency, journal. Knows nothing about
 * HTTP, sandboxes or terminals; SQLite and Kysely are used here and nowhere else.
 */
export { checkDatabase } from './database/index.ts';
export { permit } from './door/permission.ts';
export { requireModuleRight } from './harnesses/modules.ts';
export type { FreeWorkers, Job, JobEnd, JobSpec, JobsDoor, WaitingJob } from './jobs/types.ts';
export { openWorkspace } from './open.ts';
export { requireSecretsRight } from './seed/named-secrets.ts';
export type {
  EndedToolCall,
  NewConfirmation,
  NewToolCall,
  ToolOutcome,
  ToolSubject,
} from './tools/types.ts';
export type * from './types.ts';
