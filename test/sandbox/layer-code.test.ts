import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Child } from '../../src/sandbox/child-process.ts';
import { developmentLayer } from '../../src/sandbox/entry.ts';
import { LayerCode } from '../../src/sandbox/layer-code.ts';
import { preludeSource } from '../../src/sdk/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const home = temporaryFolder('fn-layer-code');

const folder = join(home, 'layer');
const onPosix = { skip: process.platform === 'win32' };

test('code that was kept is found by the next process, in a folder of the user alone', () => {
  new LayerCode(folder, 'one').keep(new Uint8Array([1, 2, 3]));
  assert.deepEqual([...(new LayerCode(folder, 'one').bytes ?? [])], [1, 2, 3]);
  assert.deepEqual(readdirSync(folder), ['one']);
  if (process.platform === 'win32') return;
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  assert.equal(statSync(join(folder, 'one')).mode & 0o777, 0o600);
});

test('other code is not found: of another version, or damaged', () => {
  const file = join(folder, 'one');
  assert.equal(new LayerCode(folder, 'two').bytes, undefined);
  writeFileSync(file, readFileSync(file).subarray(0, -1));
  assert.equal(new LayerCode(folder, 'one').bytes, undefined);
});

test('what others could have written is left alone', onPosix, () => {
  const open = join(home, 'open');
  new LayerCode(open, 'one').keep(new Uint8Array([1]));
  chmodSync(join(open, 'one'), 0o622);
  assert.equal(new LayerCode(open, 'one').bytes, undefined);
  chmodSync(join(open, 'one'), 0o600);
  assert.notEqual(new LayerCode(open, 'one').bytes, undefined);
  chmodSync(open, 0o777);
  assert.equal(new LayerCode(open, 'one').bytes, undefined);
});

test('where nothing can be written nothing is kept, and nothing fails', () => {
  const file = join(home, 'file');
  writeFileSync(file, '');
  new LayerCode(join(file, 'layer'), 'one').keep(new Uint8Array([1]));
  assert.equal(new LayerCode(join(file, 'layer'), 'one').bytes, undefined);
});

test('a child tells its code before any program is told to it, and another child can use it', async () => {
  const first = await codeOf(undefined);
  assert.ok(first.code.byteLength > 1_000);
  assert.deepEqual(first.heard, ['ready', 'code', 'pong']);
  const second = await codeOf(first.code);
  assert.deepEqual(second.code, first.code, 'V8 took it');
  const wrong = first.code.slice();
  wrong.fill(0, 0, 64);
  await assert.rejects(codeOf(wrong), /no code/);
});

/** What a child that is given code says it has; @throws when it has none. */
async function codeOf(bytes: Uint8Array | undefined): Promise<{ code: Uint8Array; heard: string[] }> {
  const [prelude, layer] = await Promise.all([preludeSource(), developmentLayer()]);
  const child = new Child();
  const heard: string[] = [];
  try {
    return await new Promise((resolve, reject) => {
      let code: Uint8Array | undefined;
      child.listen({
        message: ({ t }) => {
          heard.push(t);
          if (t !== 'pong') return;
          if (code) resolve({ code, heard });
          else reject(new Error('no code'));
        },
        exit: (how) => reject(new Error(how)),
      });
      child.hello(
        Promise.resolve({ t: 'init', prelude, layer, inspect: false, coverage: false, bytes, wantsCode: true }),
        (made) => {
          heard.push('code');
          code = made;
        },
      );
      // Waits behind the answer: what it stands for is a program.
      child.post({ t: 'ping' });
      child.hold(true);
    });
  } finally {
    child.kill();
  }
}
