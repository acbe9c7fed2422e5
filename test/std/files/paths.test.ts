import assert from 'node:assert/strict';
import { join, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { isInside, toSlashes } from '../../../src/std/index.ts';

const folder = resolve('/apps/desk');

test('a folder is inside itself, and so is what lies below it', () => {
  assert.ok(isInside(folder, folder));
  assert.ok(isInside(folder, join(folder, 'functions', 'refund.js')));
});

test('a name that begins with two dots is a name, not the way out', () => {
  assert.ok(isInside(folder, join(folder, '..refund.js')));
  assert.ok(!isInside(folder, resolve(folder, '..')));
  assert.ok(!isInside(folder, resolve(folder, '..', 'other', 'refund.js')));
});

test('a path that goes in and out again is judged by where it ends', () => {
  assert.ok(!isInside(folder, `${folder}${sep}functions${sep}..${sep}..${sep}other`));
  assert.ok(isInside(folder, `${folder}${sep}functions${sep}..${sep}refund.js`));
});

test('a folder whose name is only longer is another one', () => {
  assert.ok(!isInside(folder, `${folder}-2`));
});

test('a path is written with slashes', () => {
  assert.equal(toSlashes(join('functions', 'tools', 'refund.js')), 'functions/tools/refund.js');
});
