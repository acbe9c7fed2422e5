import { join } from 'node:path';
import { isRecord, ProjectError, replaceFile } from '../std/index.ts';
import type { Project } from './project.ts';
import { readJsonFile } from './read-file.ts';

/** The file at the root of an app that says which tools of MCP servers were accepted. */
export const mcpLockFile = 'mcp.lock.json';

const maxBytes = 4 * 1024 * 1024;

/** By the name of the MCP client: its address, and the hash of each accepted tool. */
export type McpLock = Readonly<
  Record<string, { readonly url: string; readonly tools: Readonly<Record<string, string>> }>
>;

/**
 * Reads the lock file of an app; undefined without one.
 * @throws ProjectError json_broken, file_outside_app, mcp_lock_invalid
 */
export async function readMcpLock(project: Project): Promise<McpLock | undefined> {
  const read = await readJsonFile(join(project.root, mcpLockFile), mcpLockFile, maxBytes, project.root);
  if (read === undefined) return undefined;
  const { value } = read;
  if (!isRecord(value) || value['version'] !== 1 || !isLock(value['clients'])) {
    throw new ProjectError('mcp_lock_invalid', `${mcpLockFile} is not a lock file of this version of fn`, {
      hint: 'Write it again: fn mcp lock',
    });
  }
  return value['clients'];
}

function isLock(value: unknown): value is McpLock {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (client) =>
        isRecord(client) &&
        typeof client['url'] === 'string' &&
        isRecord(client['tools']) &&
        Object.values(client['tools']).every((hash) => typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash)),
    )
  );
}

/** Writes the lock file: sorted, so that a diff shows what has changed. @throws MachineError file_unwritable */
export function writeMcpLock(project: Project, lock: McpLock): void {
  const sorted = (fields: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
  const clients = Object.fromEntries(
    Object.entries(lock)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { url, tools }]) => [name, { url, tools: sorted(tools) }]),
  );
  replaceFile(join(project.root, mcpLockFile), `${JSON.stringify({ version: 1, clients }, null, 2)}\n`, 0o644);
}
