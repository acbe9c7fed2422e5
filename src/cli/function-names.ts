import { listFunctionFiles } from '../project/index.ts';
import type { Context } from './context.ts';

/** Names of the functions here, for completion. */
export async function functionNames(context: Context): Promise<string[]> {
  const project = await context.project();
  return project ? (await listFunctionFiles(project)).map(({ name }) => name) : [];
}
