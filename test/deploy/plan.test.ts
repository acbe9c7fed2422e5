import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BuiltFunction,
  deployFileOf,
  fingerprintOf,
  type ManifestFile,
  manifestOf,
  plan,
} from '../../src/deploy/index.ts';
import fc from '../properties.ts';

const hash = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 })
  .map((digits) => digits.join(''));
const released = (functions: readonly BuiltFunction[]) => manifestOf(functions.map(deployFileOf));
const path = fc.constantFrom(
  'api/a.js',
  'api/b.js',
  'tools/refund.js',
  'views/panel.js',
  'cron/nightly.js',
  'setup.js',
);
const config = fc.dictionary(fc.constantFrom('title', 'expose', 'schedule'), fc.jsonValue({ maxDepth: 2 }), {
  maxKeys: 3,
});
const file: fc.Arbitrary<ManifestFile> = fc.record(
  {
    path,
    type: fc.constantFrom('server-side-method', 'ai-tool'),
    config,
    sha256: hash,
    bytes: fc.nat(9_999),
    cssSha256: hash,
  },
  { requiredKeys: ['path', 'type', 'config', 'sha256', 'bytes'] },
) as fc.Arbitrary<ManifestFile>;
const files = fc.uniqueArray(file, { selector: (one) => one.path, maxLength: 6 });
const prune = fc.boolean();

test('deploying twice changes nothing the second time', () => {
  fc.assert(
    fc.property(files, files, prune, (local, live, cut) => {
      const first = plan(local, live, { prune: cut });
      const second = plan(local, first.manifest, { prune: cut });
      assert.equal(second.changed, false);
      assert.equal(second.fingerprint, first.fingerprint);
    }),
  );
});

test('a plan that changes nothing has the fingerprint of what is live', () => {
  fc.assert(
    fc.property(files, files, prune, (local, live, cut) => {
      const { changed, fingerprint } = plan(local, live, { prune: cut });
      assert.equal(changed, fingerprint !== fingerprintOf(live));
    }),
  );
});

test('without prune nothing that is live disappears; with it exactly what is here is live', () => {
  fc.assert(
    fc.property(files, files, (local, live) => {
      const paths = (list: readonly ManifestFile[]) => new Set(list.map((one) => one.path));
      const kept = paths(plan(local, live).manifest);
      for (const { path: there } of live) assert.ok(kept.has(there));
      assert.deepEqual(paths(plan(local, live, { prune: true }).manifest), paths(local));
    }),
  );
});

test('with names only those functions are touched', () => {
  fc.assert(
    fc.property(files, files, path, (local, live, name) => {
      const { manifest } = plan(local, live, { only: [name], prune: true });
      const after = new Map(manifest.map((one) => [one.path, one]));
      for (const one of live) if (one.path !== name) assert.deepEqual(after.get(one.path), one);
    }),
  );
});

test('the order in which files are given does not matter', () => {
  fc.assert(
    fc.property(files, (local) => {
      assert.equal(fingerprintOf(local), fingerprintOf([...local].reverse()));
    }),
  );
});

test('a change of config alone is an update that names the field', () => {
  const built = { path: 'api/a.js', type: 'server-side-method', code: 'x', sourceMap: '{}' } as const;
  const before = released([{ ...built, config: { expose: { auth: 'token', methods: ['GET'] } } }]).manifest;
  const after = released([
    { ...built, config: { expose: { auth: 'public', methods: ['GET'] } }, settings: { env: { REGION: 'eu' } } },
  ]).manifest;
  const [change] = plan(after, before).changes;
  assert.equal(change?.kind, 'update');
  assert.equal(change?.code, false);
  assert.deepEqual(change?.config, [
    { field: 'expose.auth', before: 'token', after: 'public' },
    { field: 'settings.env', before: undefined, after: { REGION: 'eu' } },
  ]);
});

test('two functions with the same code share one file', () => {
  const { manifest, blobs } = released([
    { path: 'a.js', type: 'ai-tool', config: {}, code: 'same' },
    { path: 'b.js', type: 'ai-tool', config: {}, code: 'same' },
  ]);
  assert.equal(manifest.length, 2);
  assert.equal(blobs.size, 1);
});
