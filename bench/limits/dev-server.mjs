// The limit for a dev server: node:http in front, fs.watch and one incremental esbuild context per function behind, and the
// bundle run in a warm isolate context or in a fresh context for every request. No records, no API, no guard, no child process.
// Usage: node dev-server.mjs FOLDER PORT warm|fresh
import { readdirSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import { join, parse, resolve } from 'node:path';

const http = process.getBuiltinModule('node:http');
const require = createRequire(import.meta.url);
const esbuild = require('esbuild');
const ivm = require('isolated-vm');

const [folder, port, isolation] = [resolve(process.argv[2]), Number(process.argv[3]), process.argv[4]];
const files = new Map(readdirSync(folder).map((file) => [parse(file).name, join(folder, file)]));
const builds = new Map();
const runners = new Map();
const rebuilding = new Map();
const contextsPerIsolate = 200; // V8 keeps released contexts: one isolate does not stand many more

async function build(name) {
  let context = builds.get(name);
  if (!context) {
    const options = {
      entryPoints: [files.get(name)],
      bundle: true,
      write: false,
      format: 'iife',
      globalName: 'fn',
      platform: 'neutral',
    };
    context = await esbuild.context(options);
    builds.set(name, context);
  }
  const { outputFiles } = await context.rebuild();
  const code = `${outputFiles[0].text};globalThis.call = (text) => JSON.stringify(fn.default(JSON.parse(text)));0`;
  runners.set(name, isolation === 'warm' ? await warmRunner(code) : freshRunner(code));
}

async function open(isolate, script) {
  const context = await isolate.createContext();
  await script.run(context);
  return { context, call: await context.global.get('call', { reference: true }) };
}

async function warmRunner(code) {
  const isolate = new ivm.Isolate({ memoryLimit: 128 });
  const { call } = await open(isolate, await isolate.compileScript(code));
  return (text) => call.apply(undefined, [text]);
}

function freshRunner(code) {
  const renew = async () => {
    const isolate = new ivm.Isolate({ memoryLimit: 128 });
    return { isolate, script: await isolate.compileScript(code), uses: 0, busy: 0 };
  };
  let current = renew();
  return async (text) => {
    const box = await current;
    box.busy++;
    if (++box.uses === contextsPerIsolate) current = renew();
    try {
      const { call } = await open(box.isolate, box.script);
      return await call.apply(undefined, [text]);
    } finally {
      if (--box.busy === 0 && box.uses >= contextsPerIsolate) box.isolate.dispose();
    }
  };
}

watch(folder, (_event, file) => {
  const name = file && parse(file).name;
  if (!runners.has(name)) return;
  rebuilding.set(
    name,
    (rebuilding.get(name) ?? Promise.resolve()).then(() => build(name)).catch(() => {}),
  );
});

http
  .createServer(async (request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const name = url.pathname.slice(1);
    await rebuilding.get(name);
    if (!files.has(name)) return response.writeHead(404).end();
    if (!runners.has(name)) await build(name);
    const body = await runners.get(name)(JSON.stringify({ n: url.searchParams.get('n') }));
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  })
  .listen(port, '127.0.0.1');
