import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { Input } from '../../../src/contract/index.ts';
import { deployFileOfApp, manifestOf } from '../../../src/deploy/index.ts';
import { WorkspaceError } from '../../../src/std/index.ts';
import { anEmulator, everyone } from '../an-emulator.ts';
import { deployFiles } from '../deploy-files.ts';

const here = await anEmulator();
const door = here.emulator.door(everyone);

const script = { rules: [], default: { say: 'Deployed.' } };

/** The files of an AI agent, as a deploy sends them. */
function filesOf(config: Record<string, unknown>) {
  const texts = new Map([
    ['agents/nora.json', JSON.stringify(config)],
    ['agents/nora.md', 'Help.'],
    ['agents/nora.model.json', JSON.stringify(script)],
  ]);
  const inlined = { ...config, instructions: 'Help.' } as Input<'deployments.create'>['manifest'][number]['config'];
  return manifestOf([deployFileOfApp({ path: 'agents/nora.json', kind: 'ai-agent', config: inlined, texts })]);
}

const deploy = (config: Record<string, unknown>, baseVersion: string | null) =>
  deployFiles({ door, ask: here.ask }, 'desk', filesOf(config), baseVersion);

test('a deployed AI agent runs by its deployed script, and its version counts up with its content', async () => {
  const first = await deploy({ instructions: '@nora.md' }, null);
  const [nora] = (await door('aiAgents.list', { app: 'desk' })).items;
  assert.deepEqual([nora?.name, nora?.version, nora?.deployment], ['nora', 1, first]);
  const { id } = await door('aiAgentRuns.create', { agent: 'desk/nora', input: 'Hello' });
  assert.deepEqual(await here.emulator.settled(), []);
  assert.equal((await door('aiAgentRuns.show', { id })).text, 'Deployed.');
  const second = await deploy({ instructions: '@nora.md', title: 'Nora' }, first);
  const [changed] = (await door('aiAgents.list', { app: 'desk' })).items;
  assert.deepEqual([changed?.id, changed?.version, changed?.deployment], [nora?.id, 2, second]);
  const shown = await door('deployments.show', { app: 'desk', id: 'live' });
  assert.deepEqual(
    [shown.functions, shown.manifest[0]?.type, shown.manifest[0]?.files?.map(({ path }) => path)],
    [0, 'ai-agent', ['agents/nora.md', 'agents/nora.model.json']],
  );
});

test('what a file names and the workspace lacks is refused as a whole, and nothing is switched', async () => {
  const { id: live } = await door('deployments.show', { app: 'desk', id: 'live' });
  const refused = await deploy(
    { instructions: '@nora.md', harness: 'missing', mcp: [{ client: 'shop', required: true }] },
    live,
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(refused instanceof WorkspaceError);
  assert.equal(refused.code, 'references_missing');
  assert.deepEqual(
    ((refused.details?.['missing'] ?? []) as { kind: string; name: string }[]).map(
      ({ kind, name }) => `${kind} ${name}`,
    ),
    ['harness missing', 'mcp-client shop'],
  );
  assert.equal((await door('deployments.show', { app: 'desk', id: 'live' })).id, live);
});

test('a manifest with a file that is no AI agent is refused', async () => {
  const { manifest } = filesOf({ instructions: '@nora.md', harnes: 'x' });
  const refused = door('deployments.create', { app: 'other', baseVersion: null, manifest });
  await assert.rejects(refused, { code: 'input_invalid' });
  const outside = manifest.map((entry) => ({
    ...entry,
    config: { instructions: 'x' },
    files: [{ path: '../x.md', sha256: createHash('sha256').digest('hex'), bytes: 0 }],
  }));
  await assert.rejects(door('deployments.create', { app: 'other', baseVersion: null, manifest: outside }), {
    code: 'input_invalid',
  });
});
