import type { z } from 'zod';
import { isNestedDeeper } from '../../std/index.ts';
import type { AppFileKind } from '../app-files.ts';
import { limits } from '../limits.ts';
import { agentFile } from './agent-file.ts';
import { type Checked, checkShape } from './check.ts';

/** The shape of each kind of file; the compiler names a missing one. */
export const appFileShapes = {
  'ai-agent': agentFile,
} as const satisfies Readonly<Record<AppFileKind, z.ZodType>>;

/** A file of an app, by its kind, with what it leaves out filled in. */
export type AppFileContent<K extends AppFileKind = AppFileKind> = z.output<(typeof appFileShapes)[K]>;

/** Checks the content of a file of an app against its shape. */
export function checkAppFile<K extends AppFileKind>(kind: K, given: unknown): Checked<AppFileContent<K>> {
  const most = limits.request.jsonDepth;
  // The schema check is recursive: deeper nesting would exhaust the stack.
  if (isNestedDeeper(given, most))
    return { fits: false, problems: [{ path: '', message: `is nested more than ${most} levels deep` }] };
  return checkShape(appFileShapes[kind] as unknown as z.ZodType<AppFileContent<K>>, given);
}
