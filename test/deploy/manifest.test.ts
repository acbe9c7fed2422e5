import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../src/contract/index.ts';
import { type BuiltFunction, deployFileOf } from '../../src/deploy/index.ts';

const method = (files: Pick<BuiltFunction, 'code' | 'sourceMap'>): BuiltFunction => ({
  path: 'api/agent.js',
  type: 'server-side-method',
  config: { type: 'server-side-method', expose: false },
  ...files,
});
const mapOf = (packageText: string) => ({
  version: 3,
  sources: ['functions/api/agent.js', 'node_modules/large/index.js', '../../node_modules/hoisted/index.js'],
  sourcesContent: ['export default 1;', packageText, 'hoisted'],
  mappings: 'AAAA',
});
function sentMap(sourceMap: object): unknown {
  const { entry, blobs } = deployFileOf(method({ code: '1;', sourceMap: JSON.stringify(sourceMap) }));
  const bytes = blobs.get(entry.sourceMapSha256 ?? '');
  assert.equal(bytes?.byteLength, entry.sourceMapBytes);
  return JSON.parse(Buffer.from(bytes ?? '').toString());
}

test('a source map goes as it is', () => {
  const map = mapOf('small');
  assert.deepEqual(sentMap(map), map);
});

test('a source map that is larger than a deployment takes goes without the texts of packages', () => {
  const map = mapOf('a'.repeat(limits.deployment.fileBytes));
  assert.deepEqual(sentMap(map), { ...map, sourcesContent: ['export default 1;', null, null] });
});

test('a function that is larger than a deployment takes is named, before anything is sent', () => {
  const code = 'a'.repeat(limits.deployment.fileBytes + 1);
  assert.throws(() => deployFileOf(method({ code })), {
    code: 'function_too_large',
    message: 'api/agent has 10485761 bytes when it is built; a deployment takes 10485760',
    hint: /--minify/,
  });
});
