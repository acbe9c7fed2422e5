import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';
import { openLocal } from '../../../src/emulator/index.ts';
import { requireProject } from '../../../src/project/index.ts';

test('a debugger is told the sources of a function by their place on this machine', { timeout: 60_000 }, async (t) => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'fn-debugged-')));
  t.after(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'functions/_shared'), { recursive: true });
  await writeFile(join(root, 'fn.config.json'), '{"version":1,"app":"shop"}');
  await writeFile(join(root, 'functions/_shared/one.ts'), 'export const one: number = 1;\n');
  await writeFile(
    join(root, 'functions/answer.ts'),
    `import { one } from './_shared/one.ts';
export const config = { type: 'server-side-method' };
export default () => one;
`,
  );

  const project = await requireProject(root);
  const local = await openLocal({ project, database: 'memory', processes: 1, inspect: { port: 0 } });
  t.after(() => local.close());
  await local.sandbox.ready;
  await local.door()('functions.invoke', { app: 'shop', name: 'answer' });
  const [target] = local.sandbox.stats().inspectors;

  const { sources } = await sourceMapOf(target?.url ?? '', '/answer.js');
  const own = sources.slice(0, 2).sort();
  assert.deepEqual(own, [
    pathToFileURL(join(root, 'functions/_shared/one.ts')).href,
    pathToFileURL(join(root, 'functions/answer.ts')).href,
  ]);
});

/** Of the script whose address ends so, as a debugger hears of it. */
function sourceMapOf(url: string, ending: string): Promise<{ sources: string[] }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url);
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ id: 1, method: 'Debugger.enable' })));
    socket.on('message', (data) => {
      const { method, params } = JSON.parse(String(data));
      if (method !== 'Debugger.scriptParsed' || !params.url.endsWith(ending)) return;
      resolve(JSON.parse(Buffer.from(params.sourceMapURL.split('base64,')[1], 'base64').toString()));
      socket.close();
    });
  });
}
