// The limit with what isolation demands: as dev-server.mjs in warm mode, but the isolate lives in a child process behind one pipe, and what
// is said in one turn of the event loop leaves as one line. No records, no API, no guard, no limits.
// Usage: node child-server.mjs FOLDER PORT
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Socket } from 'node:net';
import { join, parse, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Sends arrays of messages as lines of JSON, one a turn; hears them likewise. */
function channel(pipe, hear) {
  let waiting = [];
  let rest = '';
  pipe.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) for (const message of JSON.parse(line)) hear(message);
  });
  return (message) => {
    if (waiting.push(message) > 1) return;
    queueMicrotask(() => {
      pipe.write(`${JSON.stringify(waiting)}\n`);
      waiting = [];
    });
  };
}

async function child() {
  const ivm = createRequire(import.meta.url)('isolated-vm');
  const calls = new Map();
  const load = async (code) => {
    const isolate = new ivm.Isolate({ memoryLimit: 128 });
    const context = await isolate.createContext();
    await (await isolate.compileScript(code)).run(context);
    return context.global.get('call', { reference: true });
  };
  const post = channel(new Socket({ fd: 3 }), async ({ id, name, code, input }) => {
    if (code) return calls.set(name, load(code));
    post({ id, output: await (await calls.get(name)).apply(undefined, [input]) });
  });
}

function parent(folder, port) {
  const http = process.getBuiltinModule('node:http');
  const esbuild = createRequire(import.meta.url)('esbuild');
  const files = new Map(readdirSync(folder).map((file) => [parse(file).name, join(folder, file)]));
  const open = new Map();
  const process3 = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const post = channel(process3.stdio[3], ({ id, output }) => {
    open.get(id)(output);
    open.delete(id);
  });
  process.on('SIGTERM', () => process.exit(process3.kill('SIGKILL') ? 0 : 1));
  const loaded = new Set();
  let lastId = 0;
  http
    .createServer(async (request, response) => {
      const url = new URL(request.url, 'http://localhost');
      const name = url.pathname.slice(1);
      if (!files.has(name)) return response.writeHead(404).end();
      if (!loaded.has(name)) {
        loaded.add(name);
        const { code } = esbuild.transformSync(readFileSync(files.get(name), 'utf8'), {
          format: 'iife',
          globalName: 'fn',
        });
        post({ name, code: `${code};globalThis.call = (text) => JSON.stringify(fn.default(JSON.parse(text)));0` });
      }
      const id = ++lastId;
      const answered = new Promise((resolve) => open.set(id, resolve));
      post({ id, name, input: JSON.stringify({ n: url.searchParams.get('n') }) });
      const body = await answered;
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
        .end(body);
    })
    .listen(port, '127.0.0.1');
}

if (process.argv.length > 2) parent(resolve(process.argv[2]), Number(process.argv[3]));
else await child();
