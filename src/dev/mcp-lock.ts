import type { Door } from '../contract/index.ts';
import { type Project, readMcpLock } from '../project/index.ts';
import { WorkspaceError } from '../std/index.ts';

/**
 * Makes the workspace accept exactly the tools of MCP servers that the app's lock file names; clients that it lacks are left out.
 * @throws ProjectError for a lock file that cannot be read
 */
export async function applyMcpLock(project: Project, door: Door): Promise<void> {
  const lock = await readMcpLock(project);
  for (const [id, { tools }] of Object.entries(lock ?? {})) {
    try {
      await door('mcpClients.accept', { id, tools, exactly: true });
    } catch (error) {
      if (!(error instanceof WorkspaceError && error.code === 'mcp_client_not_found')) throw error;
    }
  }
}
