import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';
import { openLocal } from '../../../../src/emulator/index.ts';
import { requireProject } from '../../../../src/project/index.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';

test('a debugger is told the sources of a function by their place on this machine', { timeout: 60_000 }, async (t) => {
  const root = temporaryFolder('fn-debugged');
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

test('a reset that names no seed plants the one of the app, as it is now', { timeout: 60_000 }, async (t) => {
  const root = temporaryFolder('fn-reset');
  const seed = (workgroup: string) =>
    writeFile(join(root, 'seed.json'), JSON.stringify({ version: 1, workgroups: [{ name: workgroup }] }));
  await writeFile(join(root, 'fn.config.json'), '{"version":1,"app":"shop"}');
  await seed('Returns');
  const local = await openLocal({ project: await requireProject(root), database: 'memory', processes: 1 });
  t.after(() => local.close());
  const door = local.door();
  const workgroups = async () => (await door('workgroups.list', {})).items.map(({ name }) => name);
  assert.deepEqual(await workgroups(), ['Returns']);

  await seed('Refunds');
  await door('workspace.reset', {});
  assert.deepEqual(await workgroups(), ['Refunds']);
  await door('workspace.reset', { seed: { version: 1, workgroups: [{ name: 'Sales' }] } });
  assert.deepEqual(await workgroups(), ['Sales']);

  await writeFile(join(root, 'seed.json'), '{"version":1,"workgroups":[{"nmae":"Returns"}]}');
  await assert.rejects(door('workspace.reset', {}), { code: 'seed_invalid', message: /^seed\.json: workgroups/ });
  assert.deepEqual(await workgroups(), ['Sales']);
});

test('after a save that adds only a comment, an error and the debugger are at the new lines', {
  timeout: 60_000,
}, async (t) => {
  const root = temporaryFolder('fn-moved');
  const file = join(root, 'functions/traced.js');
  const source = `export const config = { type: 'server-side-method' };
export default () => { throw new Error('here'); };
`;
  await mkdir(join(root, 'functions'));
  await writeFile(join(root, 'fn.config.json'), '{"version":1,"app":"shop"}');
  await writeFile(file, source);

  const project = await requireProject(root);
  for (const inspect of [undefined, { port: 0 }]) {
    await writeFile(file, source);
    const local = await openLocal({ project, database: 'memory', processes: 1, ...(inspect && { inspect }) });
    t.after(() => local.close());
    await local.sandbox.ready;
    const invoked = () =>
      local
        .door()('functions.invoke', { app: 'shop', name: 'traced' })
        .catch(({ details }) => details);
    const before = await invoked();
    const [target] = local.sandbox.stats().inspectors;
    await writeFile(file, `// One line more.\n\n${source}`);
    const after = await invoked();
    const [moved] = local.sandbox.stats().inspectors;

    assert.match(JSON.stringify(before), /functions\/traced\.js:2:/);
    assert.match(JSON.stringify(after), /functions\/traced\.js:4:/);
    if (inspect) assert.notEqual(moved?.url, target?.url, 'a debugger that is attached has to load the new map');
  }
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
