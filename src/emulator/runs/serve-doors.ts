import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openMcpHttp } from '../../mcp/index.ts';
import { WorkspaceError } from '../../std/index.ts';
import { type GuardOptions, guard } from '../http/guard.ts';
import { ownHosts } from '../http/listen.ts';
import { servedRunTools } from '../mcp/run-tools.ts';
import { packageVersion } from '../mcp/version.ts';
import { callbackPath, mcpPath, RunDoors } from './run-doors.ts';

const maxBatchBytes = 5 * 1024 * 1024;

export interface ServedDoors extends AsyncDisposable {
  readonly doors: Pick<RunDoors, 'open'>;
}

/** What `fn dev` serves to custom agents, on loopback and without a workspace: the tools of a run, and the events of one that answers later. */
export async function serveRunDoors(): Promise<ServedDoors> {
  let url: string | undefined;
  const doors = new RunDoors(() => url);
  const guarded = {
    hosts: new Set<string>(),
    allowedHosts: new Set<string>(),
    allowedOrigins: new Set<string>(),
    beyondLoopback: false,
  } satisfies GuardOptions;
  const mcp = await openMcpHttp(servedRunTools(doors), packageVersion());
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const foreign = guard(request, guarded);
    if (foreign) throw foreign;
    const path = request.url ?? '';
    if (path.startsWith(mcpPath)) {
      const runId = path.slice(mcpPath.length);
      doors.require(runId, request.headers.authorization);
      return mcp.serve(request, response, runId);
    }
    const [, runId] = path.startsWith(callbackPath)
      ? (/^([^/]+)\/events$/.exec(path.slice(callbackPath.length)) ?? [])
      : [];
    if (runId === undefined || request.method !== 'POST') return send(response, 404, { error: 'Nothing is here' });
    const refused = doors.refuseBatch(runId, request.headers);
    if (refused) return send(response, refused.status, refused.body);
    const body = await readBody(request);
    if (body === undefined) return send(response, 413, { error: 'The batch is too large' });
    const taken = doors.takeBatch(runId, { headers: request.headers, body });
    send(response, taken.status, taken.body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (error instanceof WorkspaceError) send(response, error.status, { code: error.code, error: error.message });
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  for (const host of ownHosts(port)) guarded.hosts.add(host);
  url = `http://127.0.0.1:${port}`;
  return {
    doors,
    async [Symbol.asyncDispose]() {
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > maxBatchBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
