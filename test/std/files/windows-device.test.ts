import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWindowsDevice } from '../../../src/std/index.ts';

test('a device is one by whatever ending and in whatever letters', () => {
  for (const name of ['con', 'NUL.txt', 'aux.test.ts', 'com0', 'lpt9.js', 'COM¹', 'conin$.js', 'CONOUT$'])
    assert.ok(isWindowsDevice(name), name);
});

test('what only resembles a device is a file', () => {
  for (const name of ['console', 'my-con.js', 'com10', 'com.js', 'conin', 'a.con', ''])
    assert.ok(!isWindowsDevice(name), name);
});
