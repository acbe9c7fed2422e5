import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { type Input, limits } from '../../src/contract/index.ts';
import { admin, allPages, aWorkspace, chunksOf, codeOf, refusalOf, type TestWorkspace, withScopes } from './support.ts';

type Create = Input<'deployments.create'>;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const fileOf = (path: string, text: string): Create['manifest'][number] => ({
  path,
  type: 'server-side-method',
  config: { type: 'server-side-method' },
  sha256: hashOf(text),
  bytes: Buffer.byteLength(text),
});

/** Deploys texts by path, as a client would. */
async function deploy(made: TestWorkspace, texts: Record<string, string>, changes: Partial<Create> = {}) {
  const { call, workspace } = made;
  const live = await workspace.deployments.live('desk');
  const manifest = Object.entries(texts).map(([path, text]) => fileOf(path, text));
  const created = await call('deployments.create', {
    app: 'desk',
    baseVersion: live?.id ?? null,
    manifest,
    ...changes,
  });
  if (created.id === null) return created;
  for (const sha256 of created.missing) {
    const text = Object.values(texts).find((one) => hashOf(one) === sha256) ?? '';
    await workspace.deployments.putFile({ app: 'desk', id: created.id, sha256 }, chunksOf(Buffer.from(text), 7));
  }
  return created;
}

async function goLive(made: TestWorkspace, texts: Record<string, string>, changes: Partial<Create> = {}) {
  const { id } = await deploy(made, texts, changes);
  return made.workspace.deployments.activate({ app: 'desk', id: id ?? '' }, admin);
}

test('deployments.create names what is missing; activation switches all functions at once', async (t) => {
  const made = await aWorkspace(t, { onDisk: true });
  const { call, workspace, heard } = made;
  const texts = { 'api/find.js': 'export default 1', 'tools/refund.js': 'export default 2' };
  const manifest = Object.entries(texts).map(([path, text]) => fileOf(path, text));
  const created = await call('deployments.create', { app: 'desk', baseVersion: null, manifest, message: 'First' });
  assert.deepEqual(created.missing, manifest.map((file) => file.sha256).sort());
  assert.equal(await workspace.deployments.live('desk'), undefined);
  const { id, missing } = await deploy(made, texts, { message: 'First' });
  assert.deepEqual([id, missing], [created.id, created.missing]);
  const live = await workspace.deployments.activate({ app: 'desk', id: id ?? '' }, admin);
  assert.deepEqual([live.state, live.functions, live.createdBy.name], ['live', 2, 'Admin']);

  const release = await workspace.deployments.live('desk');
  assert.deepEqual(
    release?.manifest.map((file) => file.path),
    ['api/find.js', 'tools/refund.js'],
  );
  assert.equal(
    Buffer.from(await workspace.deployments.blob(hashOf('export default 2'))).toString(),
    'export default 2',
  );
  const shown = await call('deployments.show', { app: 'desk', id: 'live' });
  assert.equal(shown.id, id);
  assert.deepEqual(await workspace.deployments.apps(), ['desk']);
  assert.deepEqual(
    heard.map((event) => event.type),
    ['function.deployed'],
  );
  assert.equal((await call('apps.list', {})).items[0]?.functions, 2);
});

test('the same manifest as the live version makes no deployment', async (t) => {
  const made = await aWorkspace(t);
  const first = await goLive(made, { 'b.js': '2', 'a.js': '1' });
  const again = await deploy(made, { 'a.js': '1', 'b.js': '2' });
  assert.deepEqual(again, { id: null, fingerprint: first.fingerprint, missing: [], unchanged: true });
  assert.equal((await made.call('deployments.list', { app: 'desk' })).items.length, 1);
});

test('a file that is there already need not be sent again', async (t) => {
  const made = await aWorkspace(t);
  await goLive(made, { 'a.js': '1', 'b.js': '2' });
  const { missing } = await deploy(made, { 'a.js': '1', 'b.js': '3' });
  assert.deepEqual(missing, [hashOf('3')]);
});

test('bytes that do not fit their announcement are refused, and the repeat goes through', async (t) => {
  const { call, workspace } = await aWorkspace(t, { onDisk: true });
  const file = fileOf('a.js', 'right');
  const { id } = await call('deployments.create', { app: 'desk', baseVersion: null, manifest: [file] });
  const put = (text: string, sha256 = file.sha256, deployment = id ?? '') =>
    workspace.deployments.putFile({ app: 'desk', id: deployment, sha256 }, chunksOf(Buffer.from(text), 2));
  assert.equal(await codeOf(put('wrong')), 'file_hash_mismatch');
  assert.equal(await codeOf(put('righ')), 'file_hash_mismatch');
  assert.equal(await codeOf(put('right and more')), 'body_too_large');
  assert.equal(await codeOf(put('other', hashOf('other'))), 'file_unexpected');
  assert.equal(await codeOf(put('right', file.sha256, 'dpl_none')), 'deployment_not_found');
  const activate = () => workspace.deployments.activate({ app: 'desk', id: id ?? '' }, admin);
  assert.equal(await codeOf(activate()), 'deployment_incomplete');
  assert.deepEqual(await put('right'), { sha256: file.sha256, bytes: 5 });
  await put('right');
  assert.equal((await activate()).state, 'live');
});

test('a stored file that was changed on disk is not served', async (t) => {
  const made = await aWorkspace(t, { onDisk: true });
  await goLive(made, { 'a.js': 'right' });
  const sha256 = hashOf('right');
  writeFileSync(join(dirname(made.file), 'files', 'deployed', sha256.slice(0, 2), sha256), 'WRONG');
  assert.equal(await codeOf(made.workspace.deployments.blob(sha256)), 'file_hash_mismatch');
});

test('getFile gives files of a deployment by hash, and no others', async (t) => {
  const made = await aWorkspace(t);
  const { id } = await goLive(made, { 'a.js': 'one' });
  const get = (sha256: string, version: string) =>
    made.workspace.deployments.getFile({ app: 'desk', id: version, sha256 });
  assert.equal(Buffer.from(await get(hashOf('one'), 'live')).toString(), 'one');
  assert.equal(Buffer.from(await get(hashOf('one'), id)).toString(), 'one');
  assert.equal(await codeOf(get(hashOf('two'), id)), 'file_not_found');
  assert.equal(await codeOf(get(hashOf('one'), 'dpl_none')), 'deployment_not_found');
});

test('whoever planned against another version is told who deployed what', async (t) => {
  const made = await aWorkspace(t);
  const first = await goLive(made, { 'a.js': '1' });
  const [mine, theirs] = [await deploy(made, { 'a.js': '2' }), await deploy(made, { 'a.js': '3' })];
  const activate = (id: string | null, options = {}) =>
    made.workspace.deployments.activate({ app: 'desk', id: id ?? '' }, admin, options);
  const live = await activate(theirs.id, { ifMatch: `"${first.id}"` });
  for (const options of [{ ifMatch: `"${first.id}"` }, {}]) {
    const error = await refusalOf(activate(mine.id, options));
    assert.equal(error.code, 'version_conflict');
    assert.match(error.message, new RegExp(`${live.id} is live, deployed by Admin`));
    assert.equal(error.details?.['live'], live.id);
  }
  const stale = await made.refused('deployments.create', { app: 'desk', baseVersion: first.id, manifest: [] });
  assert.equal(stale.code, 'version_conflict');
  assert.equal(made.workspace.etagOf('deployments.activate', live), `"${live.id}"`);
  assert.equal((await made.workspace.deployments.live('desk'))?.id, live.id);
});

test('of many activations at once on the same version, one wins', async (t) => {
  const made = await aWorkspace(t, { onDisk: true });
  const first = await goLive(made, { 'a.js': '0' });
  const created = [];
  for (let n = 1; n <= 20; n++) created.push(await deploy(made, { 'a.js': String(n) }));
  const done = await Promise.allSettled(
    created.map(({ id }) =>
      made.workspace.deployments.activate({ app: 'desk', id: id ?? '' }, admin, { ifMatch: `"${first.id}"` }),
    ),
  );
  const winners = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value.id] : []));
  assert.deepEqual(winners, [(await made.workspace.deployments.live('desk'))?.id]);
});

test('activating what is live already is the answer again, as after a lost one', async (t) => {
  const made = await aWorkspace(t);
  const first = await goLive(made, { 'a.js': '1' });
  const { id } = await deploy(made, { 'a.js': '2' });
  const options = { ifMatch: `"${first.id}"` };
  const live = await made.workspace.deployments.activate({ app: 'desk', id: id ?? '' }, admin, options);
  assert.deepEqual(await made.workspace.deployments.activate({ app: 'desk', id: id ?? '' }, admin, options), live);
});

const commit = (sha: string, minute: number, ancestors: string[] = []) => ({
  sha,
  committedAt: `2026-11-20T10:${String(minute).padStart(2, '0')}:00.000Z`,
  ancestors,
});

test('an older commit never replaces a newer one unless asked to', async (t) => {
  const made = await aWorkspace(t);
  await goLive(made, { 'a.js': '2' }, { commit: commit('c2', 2, ['c1', 'c0']) });
  const live = await made.workspace.deployments.live('desk');
  const older = { app: 'desk', baseVersion: live?.id ?? null, manifest: [fileOf('a.js', '1')] };
  // The history decides where it is known, whatever the clocks of the committers said.
  for (const one of [commit('c1', 59), commit('unrelated', 1)]) {
    const error = await made.refused('deployments.create', { ...older, commit: one });
    assert.equal(error.code, 'deployment_older');
  }
  const created = await deploy(made, { 'a.js': '1' }, { commit: commit('c1', 59), allowOlder: true });
  const input = { app: 'desk', id: created.id ?? '' };
  assert.equal(await codeOf(made.workspace.deployments.activate(input, admin)), 'deployment_older');
  assert.equal((await made.workspace.deployments.activate({ ...input, allowOlder: true }, admin)).commit?.sha, 'c1');
  await goLive(made, { 'a.js': '3' }, { commit: commit('c3', 0, ['c2', 'c1']) });
});

test('an older commit is refused at the activation too, if a newer one came in between', async (t) => {
  const made = await aWorkspace(t);
  const older = await deploy(made, { 'a.js': '1' }, { commit: commit('c1', 1) });
  await goLive(made, { 'a.js': '2' }, { commit: commit('c2', 2, ['c1']) });
  const live = await made.workspace.deployments.live('desk');
  const activate = made.workspace.deployments.activate({ app: 'desk', id: older.id ?? '' }, admin, {
    ifMatch: `"${live?.id}"`,
  });
  assert.equal(await codeOf(activate), 'deployment_older');
});

test('secrets that functions name must have a value before anything is sent', async (t) => {
  const { call, refused } = await aWorkspace(t);
  await call('secrets.set', { app: 'desk', name: 'CRM_KEY', value: 'x' });
  const input = { app: 'desk', baseVersion: null, manifest: [fileOf('a.js', '1')], secrets: ['CRM_KEY', 'ERP_KEY'] };
  const error = await refused('deployments.create', input);
  assert.deepEqual([error.code, error.details], ['secrets_missing', { missing: ['ERP_KEY'] }]);
  await call('secrets.set', { app: 'desk', name: 'ERP_KEY', value: 'x' });
  await call('deployments.create', input);
});

test('a flow names workgroups and people as its run finds them: in any case', async (t) => {
  const made = await aWorkspace(t, {
    seed: { workgroups: [{ name: 'Orders' }], agents: [{ name: 'Ann', email: 'Ann@shop.example' }] },
  });
  const activate = async (to: object) => {
    const file = JSON.stringify({ to });
    const nodes = { t: { type: 'trigger', on: 'manual', next: 'a' }, a: { type: 'assign', to, next: 'e' } };
    const config = { nodes: { ...nodes, e: { type: 'end' } } } as Create['manifest'][number]['config'];
    const manifest = [{ ...fileOf('flows/team.json', file), type: 'flow', config } as Create['manifest'][number]];
    const live = await made.workspace.deployments.live('desk');
    const created = await made.call('deployments.create', { app: 'desk', baseVersion: live?.id ?? null, manifest });
    const input = { app: 'desk', id: created.id ?? '' };
    await made.workspace.deployments.putFile({ ...input, sha256: hashOf(file) }, chunksOf(Buffer.from(file)));
    return made.workspace.deployments.activate(input, admin);
  };
  for (const to of [{ workgroup: ' orders' }, { agent: 'ANN@shop.example' }]) {
    assert.equal((await activate(to)).state, 'live', JSON.stringify(to));
  }
  for (const to of [{ workgroup: 'Returns' }, { agent: 'bo@shop.example' }, { agent: 'Ann' }]) {
    assert.equal(await codeOf(activate(to)), 'references_missing', JSON.stringify(to));
  }
});

test('a manifest that contradicts itself is refused with the path', async (t) => {
  const { refused } = await aWorkspace(t);
  const paths = async (manifest: unknown[]) =>
    (await refused('deployments.create', { app: 'desk', baseVersion: null, manifest })).errors?.map(
      (problem) => problem.path,
    );
  assert.deepEqual(await paths([fileOf('a.js', '1'), fileOf('a.js', '2')]), ['manifest[1].path']);
  assert.deepEqual(await paths([fileOf('a.js', '1'), { ...fileOf('b.js', '1'), bytes: 7 }]), ['manifest[1].bytes']);
  assert.deepEqual(await paths([{ ...fileOf('a.js', '1'), bytes: 11 * 1024 * 1024 }]), ['manifest[0].bytes']);
  const map = { sourceMapSha256: 'a'.repeat(64), sourceMapBytes: 11 * 1024 * 1024 };
  assert.deepEqual(await paths([{ ...fileOf('a.js', '1'), ...map }]), ['manifest[0].sourceMapBytes']);
  for (const path of ['../a.js', '/a.js', 'a/../b.js', '.hidden.js', 'a.ts', 'a//b.js', 'a\\b.js']) {
    assert.deepEqual(await paths([fileOf(path, '1')]), ['manifest[0].path'], path);
  }
});

test('a deployment that was not activated within 24 hours can be no more', async (t) => {
  const made = await aWorkspace(t);
  const { id } = await deploy(made, { 'a.js': '1' });
  made.clock.advance(24 * 3_600_000);
  const input = { app: 'desk', id: id ?? '' };
  assert.equal(await codeOf(made.workspace.deployments.activate(input, admin)), 'deployment_expired');
  assert.equal((await made.call('deployments.show', input)).state, 'expired');
  const put = made.workspace.deployments.putFile({ ...input, sha256: hashOf('1') }, chunksOf(Buffer.from('1')));
  assert.equal(await codeOf(put), 'deployment_expired');
  const next = await deploy(made, { 'a.js': '1' });
  assert.notEqual(next.id, id);
});

test('files that no deployment names any more are deleted after 24 hours, others never', async (t) => {
  const made = await aWorkspace(t, { onDisk: true });
  await goLive(made, { 'a.js': 'live' });
  await deploy(made, { 'a.js': 'given up' });
  const pathOf = (text: string) =>
    join(dirname(made.file), 'files', 'deployed', hashOf(text).slice(0, 2), hashOf(text));
  assert.ok(existsSync(pathOf('given up')));
  made.clock.advance(25 * 3_600_000);
  await goLive(made, { 'a.js': 'next' });
  assert.ok(!existsSync(pathOf('given up')));
  assert.ok(existsSync(pathOf('live')));
  assert.ok(existsSync(pathOf('next')));
  assert.deepEqual(readdirSync(join(dirname(made.file), 'files', 'deployed', 'arriving')), []);
});

test('the last fifty releases that were live are kept, and can be gone back to; older ones go, with their files', async (t) => {
  const made = await aWorkspace(t, { onDisk: true });
  const { workspace, call, refused, clock } = made;
  const releases = [];
  for (let n = 0; n < limits.deployment.kept; n++) releases.push(await goLive(made, { 'a.js': `${n}` }));
  clock.advance(25 * 3_600_000);
  const [first, second, third] = releases;
  // To what is kept one can go back, and it stays as long as it is live.
  assert.equal((await workspace.deployments.rollback({ app: 'desk', to: first?.id ?? '' }, admin)).id, first?.id);
  const next = await goLive(made, { 'a.js': 'next' });
  const further = await goLive(made, { 'a.js': 'further' });
  const ids = (
    await allPages((cursor) => call('deployments.list', { app: 'desk', ...(cursor === undefined ? {} : { cursor }) }))
  ).map(({ id }) => id);
  assert.deepEqual(ids.slice(0, 2), [further.id, next.id]);
  assert.deepEqual([ids.length, ids.includes(third?.id ?? '')], [limits.deployment.kept, true]);
  for (const gone of [first, second])
    assert.equal((await refused('deployments.show', { app: 'desk', id: gone?.id })).code, 'deployment_not_found');
  assert.equal(await codeOf(workspace.deployments.blob(hashOf('1'))), 'file_not_found');
  assert.equal((await workspace.deployments.blob(hashOf('2'))).length, 1);
  const back = await workspace.deployments.rollback({ app: 'desk', to: third?.id ?? '' }, admin);
  assert.equal(back.id, third?.id);
});

test('a deployment that nobody activated is forgotten a day after it expired', async (t) => {
  const made = await aWorkspace(t);
  const given = await deploy(made, { 'a.js': 'given up' });
  const input = { app: 'desk', id: given.id ?? '' };
  made.clock.advance(25 * 3_600_000);
  await goLive(made, { 'a.js': '1' });
  assert.equal((await made.call('deployments.show', input)).state, 'expired');
  made.clock.advance(24 * 3_600_000);
  await goLive(made, { 'a.js': '2' });
  assert.equal((await made.refused('deployments.show', input)).code, 'deployment_not_found');
});

test('a release is live though what is not needed any more cannot be cleared away', async (t) => {
  const made = await aWorkspace(t, { onDisk: true });
  await deploy(made, { 'a.js': 'given up' });
  made.clock.advance(25 * 3_600_000);
  const given = join(dirname(made.file), 'files', 'deployed', hashOf('given up').slice(0, 2), hashOf('given up'));
  rmSync(given);
  mkdirSync(given);
  assert.equal((await goLive(made, { 'a.js': 'next' })).state, 'live');
});

test('what was arriving when a process was killed is gone with the first file that comes afterwards', async (t) => {
  const made = await aWorkspace(t, { onDisk: true });
  const arriving = join(dirname(made.file), 'files', 'deployed', 'arriving');
  mkdirSync(arriving, { recursive: true });
  writeFileSync(join(arriving, 'half-a-file'), 'half');
  await goLive(made, { 'a.js': 'whole' });
  assert.deepEqual(readdirSync(arriving), []);
});

test('rollback goes back one version at a time, or to the one named', async (t) => {
  const made = await aWorkspace(t);
  const { workspace, heard } = made;
  const [one, two, three] = [
    await goLive(made, { 'a.js': '1' }),
    await goLive(made, { 'a.js': '2' }),
    await goLive(made, { 'a.js': '3' }),
  ];
  const back = (input = {}, options = {}) => workspace.deployments.rollback({ app: 'desk', ...input }, admin, options);
  assert.equal(await codeOf(back({}, { ifMatch: `"${two.id}"` })), 'version_conflict');
  assert.equal((await back({}, { ifMatch: `"${three.id}"` })).id, two.id);
  assert.equal((await back()).id, one.id);
  assert.equal(await codeOf(back()), 'deployment_not_found');
  assert.equal((await back({ to: three.id })).id, three.id);
  assert.equal((await workspace.deployments.live('desk'))?.id, three.id);
  assert.equal(await codeOf(back({ to: 'dpl_none' })), 'deployment_not_found');
  const open = await deploy(made, { 'a.js': '4' });
  assert.equal(await codeOf(back({ to: open.id })), 'deployment_not_found');
  assert.equal(await codeOf(workspace.deployments.rollback({ app: 'nobody' }, admin)), 'app_unknown');
  assert.equal(heard.filter((event) => event.type === 'function.deployed').length, 6);
  const states = (await made.call('deployments.list', { app: 'desk' })).items.map((item) => item.state);
  assert.deepEqual(states, ['open', 'live', 'superseded', 'superseded']);
});

test('rollback does not go back to what was gone back from', async (t) => {
  const made = await aWorkspace(t);
  const back = () => made.workspace.deployments.rollback({ app: 'desk' }, admin);
  const good = await goLive(made, { 'a.js': 'good' });
  await goLive(made, { 'a.js': 'bad' });
  await back();
  await goLive(made, { 'a.js': 'worse' });
  assert.equal((await back()).id, good.id);
  assert.equal(await codeOf(back()), 'deployment_not_found');
});

test('deployments.list is newest first and names the live one', async (t) => {
  const made = await aWorkspace(t);
  for (const text of ['1', '2', '3']) {
    await goLive(made, { 'a.js': text });
    made.clock.advance(1000);
  }
  const listed = await allPages((cursor) =>
    made.call('deployments.list', { app: 'desk', limit: 2, ...(cursor === undefined ? {} : { cursor }) }),
  );
  assert.deepEqual(
    listed.map((item) => item.state),
    ['live', 'superseded', 'superseded'],
  );
  assert.equal((await made.call('deployments.list', { app: 'desk' })).live, listed[0]?.id);
  assert.deepEqual(await made.call('deployments.list', { app: 'nobody' }), { items: [], nextCursor: null, live: null });
  assert.equal((await made.refused('deployments.show', { app: 'desk', id: 'dpl_none' })).code, 'deployment_not_found');
});

test('deploying needs the scope deploy', async (t) => {
  const made = await aWorkspace(t);
  const { id } = await deploy(made, { 'a.js': '1' });
  const caller = withScopes('read', 'write', 'send');
  assert.equal(await codeOf(made.workspace.deployments.activate({ app: 'desk', id: id ?? '' }, caller)), 'token_scope');
  assert.equal(await codeOf(made.workspace.deployments.rollback({ app: 'desk' }, caller)), 'token_scope');
});

test('apps.list shows what is known, installed and live', async (t) => {
  const { workspace, call, heard } = await aWorkspace(t);
  await workspace.apps.register('template-app', true);
  await workspace.apps.register('template-app', true);
  assert.deepEqual(await workspace.apps.state('template-app'), { installed: false, settings: {}, version: null });
  await workspace.apps.installed('template-app', { settings: { sender: 'Acme' }, version: '1' }, admin);
  assert.deepEqual(await workspace.apps.state('template-app'), {
    installed: true,
    settings: { sender: 'Acme' },
    version: '1',
  });
  await workspace.apps.register('desk', false);
  assert.deepEqual(
    (await call('apps.list', {})).items.map((item) => [item.app, item.builtIn, item.installed]),
    [
      ['desk', false, false],
      ['template-app', true, true],
    ],
  );
  await workspace.apps.uninstalled('template-app', admin);
  assert.equal((await workspace.apps.state('template-app')).installed, false);
  assert.equal(await codeOf(workspace.apps.uninstalled('template-app', admin)), 'app_not_installed');
  assert.deepEqual(
    heard.map((event) => event.type),
    ['app.installed', 'app.uninstalled'],
  );
});
