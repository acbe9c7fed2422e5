import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageFile } from '../../../src/std/index.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { until } from '../../until.ts';
import { spawnFn } from '../fn-process.ts';

const everything = packageFile('test/mcp/servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const skip = existsSync(everything) ? false : 'test/install.ts installs the server: npm test does so';

/** The official server with everything, over HTTP+SSE; a proxy in front of it asks for this header. */
async function startEverything(t: TestContext): Promise<(authorization: string) => Promise<string>> {
  const port = await freePort();
  const env = { PATH: process.env['PATH'] ?? '', PORT: String(port) };
  const child = spawn(process.execPath, [everything, 'sse'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let told = '';
  child.stderr.on('data', (text) => {
    told += text;
  });
  await until('the server', () => /running on port/.test(told));
  return async (authorization) => {
    const proxy = createServer((request, response) => {
      if (authorization !== '' && request.headers.authorization !== authorization) {
        response.writeHead(401).end();
        return;
      }
      const options = { port, path: request.url, method: request.method, headers: request.headers };
      const onward = httpRequest(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/sse`;
  };
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('the official server is listed and called through fn mcp, without authentication, with Basic and Bearer', {
  skip,
}, async (t) => {
  const addressFor = await startEverything(t);
  const cwd = join(temporaryFolder('fn-mcp'));
  writeFileSync(join(cwd, 'fn.config.json'), '{"version": 1, "app": "shop"}');
  const fn = async (argv: readonly string[], input = '') => {
    const { child, ended } = spawnFn(argv, { cwd });
    child.stdin.end(input);
    return await ended;
  };
  const secret = 'correct-horse-battery';
  for (const [name, header, flags] of [
    ['none', '', []],
    ['basic', `Basic ${btoa(`ann:${secret}`)}`, ['--auth', 'basic', '--user', 'ann', '--secret-stdin']],
    ['bearer', `Bearer ${secret}`, ['--auth', 'bearer', '--secret-stdin']],
  ] as const) {
    const url = await addressFor(header);
    const added = await fn(['mcp', 'add', name, '--url', url, ...flags, '--json'], `${secret}\n`);
    const { transport, items } = JSON.parse(added.out || added.err);
    assert.equal(transport, 'sse');
    assert.ok(items.some((tool: { name: string }) => tool.name === 'get-sum'));
    const called = await fn(['mcp', 'call', name, 'get-sum', '-d', '{"a":17,"b":25}']);
    assert.match(called.out, /42/);
    assert.doesNotMatch(JSON.stringify([added, called]), new RegExp(secret));
  }
});
