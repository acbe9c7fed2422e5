import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { bin, runProcess, spawnFn } from '../fn-process.ts';

const app = join(temporaryFolder('fn-mcp'), 'shop');
mkdirSync(join(app, 'functions/tools'), { recursive: true });
writeFileSync(join(app, 'fn.config.json'), '{"version": 1, "app": "shop"}');
writeFileSync(join(app, 'package.json'), '{"type": "module"}');

const writeTool = (name: string, config: Record<string, unknown>, body: string) =>
  writeFileSync(
    join(app, 'functions/tools', `${name}.js`),
    `export const config = ${JSON.stringify({
      type: 'ai-tool',
      name,
      description: `The tool ${name}`,
      input: { type: 'object', properties: { orderId: { type: 'string' } }, additionalProperties: false },
      permissions: { callers: { mcp: true } },
      ...config,
    })};\nexport default async (sdk) => { ${body} };\n`,
  );

writeTool('order_status', {}, `console.log('looking'); return { status: 'shipped', of: sdk.tool.args.orderId };`);
writeTool('hidden', { permissions: { callers: { code: true } } }, 'return 1;');
writeTool('broken', {}, `throw new Error('no such order');`);
writeTool('refund', { confirm: 'human' }, 'return { refunded: true };');
writeTool('once', { limits: { perMinute: 1 } }, 'return { done: true };');

const home = temporaryFolder('fn-home');
const env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache') };
const fn = (...argv: string[]) => runProcess(argv, { cwd: app, env });

/** Each way is a client of its own kind of transport. */
async function connect(transport: Transport, onChanged = () => {}): Promise<Client> {
  const client = new Client(
    { name: 'host', version: '1' },
    {
      versionNegotiation: { mode: 'auto' },
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
    },
  );
  await client.connect(transport);
  return client;
}

const overStdio = () =>
  new StdioClientTransport({
    command: process.execPath,
    args: [bin, '-C', app, 'mcp', 'serve', '--stdio'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stderr: 'pipe',
  });

/** The suite: what each way answers. */
async function takeCalls(client: Client, orderId: string): Promise<unknown> {
  const { tools } = await client.listTools();
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const { isError = false, content } = await client.callTool({ name, arguments: args });
    const [first] = content;
    const answer = JSON.parse(first?.type === 'text' ? first.text : 'null');
    return isError ? { code: answer.error.code } : answer;
  };
  return {
    tools: tools.map(({ name, description, inputSchema, annotations }) => ({
      name,
      description,
      inputSchema,
      annotations,
    })),
    ok: await call('order_status', { orderId: 'A-17' }),
    wrong: await call('order_status', { orderId: 17 }),
    surplus: await call('order_status', { order: 'A-17' }),
    hidden: await call('hidden'),
    unknown: await call('nothing'),
    broken: await call('broken'),
    confirmed: await call('refund', { orderId }),
    limited: [await call('once'), await call('once')],
  };
}

const expected = {
  ok: { status: 'shipped', of: 'A-17' },
  wrong: { code: 'tool_invalid_arguments' },
  surplus: { code: 'tool_invalid_arguments' },
  hidden: { code: 'tool_forbidden' },
  unknown: { code: 'tool_unknown' },
  broken: { code: 'tool_failed' },
  confirmed: { code: 'tool_confirmation_required' },
  limited: [{ done: true }, { code: 'tool_limit' }],
};

/** The log of calls of the last suite, oldest first. */
async function readLog(): Promise<unknown[]> {
  const { out, err } = await fn('api', 'tools.logs', '-f', 'limit=9', '--json');
  const { items } = JSON.parse(out || err) as {
    items: { tool: string; caller: { type: string }; error: { code: string } | null; status: string }[];
  };
  return items.map(({ tool, caller, error, status }) => [tool, caller.type, error?.code ?? status]).reverse();
}

const log = [
  ['order_status', 'mcp', 'ok'],
  ['order_status', 'mcp', 'tool_invalid_arguments'],
  ['order_status', 'mcp', 'tool_invalid_arguments'],
  ['hidden', 'mcp', 'tool_forbidden'],
  ['nothing', 'mcp', 'tool_unknown'],
  ['broken', 'mcp', 'tool_failed'],
  ['refund', 'mcp', 'waiting'],
  ['once', 'mcp', 'ok'],
  ['once', 'mcp', 'tool_limit'],
];

/** A minute passes, so that the limits of one suite are not those of the next. */
const passMinute = () => fn('clock', 'advance', '2m');

describe('an app’s AI Tools are served to MCP hosts', () => {
  let suites = 0;
  let first: { tools: unknown } | undefined;

  const takeSuite = async (client: Client) => {
    const { tools, ...answers } = (await takeCalls(client, `A-${++suites}`)) as { tools: { name: string }[] };
    assert.deepEqual(answers, expected);
    assert.deepEqual(tools.map(({ name }) => name).sort(), ['broken', 'once', 'order_status', 'refund']);
    first ??= { tools };
    assert.deepEqual(tools, first.tools);
    assert.deepEqual(await readLog(), log);
    await passMinute();
  };

  test('over standard input and output, without fn dev', async (t) => {
    const client = await connect(overStdio());
    t.after(() => client.close());
    await takeSuite(client);
  });

  test('over standard input and output, and nothing but JSON-RPC is printed', async () => {
    const { child, ended } = spawnFn(['mcp', 'serve', '--stdio'], { cwd: app, env });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    send({ id: 1, method: 'initialize', params: initialize });
    assert.equal(JSON.parse((await lines.next()).value ?? '').id, 1);
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'order_status', arguments: { orderId: 'A-1' } } });
    assert.match((await lines.next()).value ?? '', /shipped/);
    child.stdin.end();
    const { exitCode, out } = await ended;
    assert.equal(exitCode, 0);
    for (const line of out.trim().split('\n')) assert.equal(JSON.parse(line).jsonrpc, '2.0');
    await passMinute();
  });

  test('by fn dev, over HTTP and over standard input and output; a save is announced', async (t) => {
    const dev = spawnFn(['dev', '--port', '0', '--json'], { cwd: app, env });
    t.after(() => dev.child.kill());
    let url = '';
    createInterface({ input: dev.child.stdout }).on('line', (line) => {
      const event = JSON.parse(line);
      if (event.type === 'ready') url = event.url;
    });
    await until('fn dev', () => url !== '');
    const token = readFileSync(join(app, '.fn/local-token'), 'utf8').trim();
    const overHttp = (headers: Record<string, string>) =>
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });

    await assert.rejects(connect(overHttp({})), /401|token/i);
    const foreign = { authorization: `Bearer ${token}`, origin: 'https://evil.example' };
    assert.equal((await fetch(`${url}/mcp`, { method: 'POST', headers: foreign })).status, 403);

    let announced = 0;
    const http = await connect(overHttp({ authorization: `Bearer ${token}` }), () => announced++);
    t.after(() => http.close());
    await takeSuite(http);
    const stdio = await connect(overStdio(), () => announced++);
    t.after(() => stdio.close());
    await takeSuite(stdio);
    writeTool('added', {}, 'return 1;');
    await until('both announcements', () => announced >= 2);
    const { items } = JSON.parse((await fn('api', 'invocations.list', '-f', 'limit=1', '--json')).out);
    assert.equal(items[0].trigger, 'mcp');
  });

  test('its configuration for hosts names absolute paths', async () => {
    const { out } = await fn('mcp', 'serve', '--print-config');
    const { command, args } = JSON.parse(out).mcpServers.shop;
    assert.deepEqual([command, args], [process.execPath, [bin, '-C', app, 'mcp', 'serve', '--stdio']]);
  });
});
