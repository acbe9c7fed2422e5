/**
 * Calls tools of an MCP server that cuts its stream every five seconds: no call is lost without an error, and none hangs. Half of the calls
 * read, half write. Run: npx node bench/faults/mcp.ts [calls]
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { McpClients } from '../../src/emulator/mcp/mcp-clients.ts';
import { TurnableClock } from '../../src/std/index.ts';
import { openWorkspace } from '../../src/workspace/index.ts';

const calls = Number(process.argv[2] ?? 100);
const cutEveryMs = 5_000;
const maxCallMs = 40_000;

const done = new Map<string, number>();
const streams: ServerResponse[] = [];
const inputSchema = { type: 'object', properties: { n: { type: 'string' } } };
const tools = [
  { name: 'read', inputSchema, annotations: { readOnlyHint: true } },
  { name: 'write', inputSchema },
];

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    streams.push(response);
    response.write(`event: endpoint\ndata: /message?stream=${streams.length - 1}\n\n`);
    setTimeout(() => response.destroy(), cutEveryMs);
    return;
  }
  const stream = streams[Number(new URL(request.url ?? '', 'http://here').searchParams.get('stream'))];
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', async () => {
    response.writeHead(202).end();
    const { id, method, params } = JSON.parse(body);
    if (id === undefined) return;
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'cuts', version: '1' },
      },
      'tools/list': { tools },
    };
    if (method === 'tools/call') {
      const key = `${params.name} ${params.arguments.n}`;
      done.set(key, (done.get(key) ?? 0) + 1);
      // So long that some calls are under way at each cut.
      await sleep(100 + Math.random() * 400);
      results[method] = { content: [{ type: 'text', text: params.arguments.n }] };
    }
    stream?.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} })}\n\n`);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sse`;

const workspace = await openWorkspace({ file: ':memory:', slug: 'dev', baseUrl: () => '', clock: new TurnableClock() });
const admin = { type: 'local', id: null, scopes: ['admin'] } as const;
await workspace.call('mcpClients.add', { name: 'cuts', url }, admin);
const clients = new McpClients({ workspace });
await clients.tools('cuts');

const counts: Record<string, number> = {};
let wrong = 0;
for (let n = 0; n < calls; n++) {
  const tool = n % 2 === 0 ? 'read' : 'write';
  const given = String(n);
  const call = clients.call({ client: 'cuts', tool, arguments: { n: given } }).then(
    ({ text }) => (text === given ? 'answered' : 'wrong answer'),
    ({ code }) => String(code),
  );
  const outcome = await Promise.race([call, sleep(maxCallMs, 'hangs', { ref: false })]);
  counts[`${tool}: ${outcome}`] = (counts[`${tool}: ${outcome}`] ?? 0) + 1;
  const isLost = outcome === 'hangs' || outcome === 'wrong answer' || (tool === 'read' && outcome !== 'answered');
  const isTwice = tool === 'write' && (done.get(`write ${given}`) ?? 0) > 1;
  if (isLost || isTwice) wrong++;
}
await clients.close();
await workspace.close();
server.closeAllConnections();
server.close();
process.stdout.write(`${JSON.stringify({ calls, cuts: streams.length - 1, ...counts, wrong }, null, 2)}\n`);
process.exitCode = wrong === 0 ? 0 : 1;
