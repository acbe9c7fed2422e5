import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimezone } from '../../../src/std/index.ts';

const usual = ' UTC Europe/Berlin Mars/Phobos ';

test('a time zone is one that Intl knows', () => {
  for (const name of ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+3', 'US/Eastern'])
    assert.ok(isTimezone(name), name);
  for (const name of ['Europe/Nowhere', 'Berlin', '', ' ', 'UTC Europe/Berlin']) assert.ok(!isTimezone(name), name);
});

test('usual names are known without it, each as a whole', () => {
  assert.ok(isTimezone('Mars/Phobos', usual));
  for (const name of ['Mars', 'Phobos', 'Mars/Phobo', 'UTC Europe/Berlin', ''])
    assert.ok(!isTimezone(name, usual), name);
});

test('the names that the build takes from this Node are known to it', () => {
  for (const name of Intl.supportedValuesOf('timeZone')) assert.ok(isTimezone(name), name);
});
