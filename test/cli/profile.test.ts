import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runFn } from './context.ts';
import { aFolder } from './fn-process.ts';

const home = aFolder();
const set = async (...argv: string[]) => {
  const { exitCode, out, err } = await runFn(['profile', 'set', ...argv], { cwd: home, env: { HOME: home } });
  return { exitCode, out: out.trim(), err: err.trim() };
};

test('fn profile set takes the address as the browser shows it, which names the slug as well', async () => {
  const { exitCode, out, err } = await set('live', 'baseUrl', 'https://app.example.com/tenants/acme/conversations');
  assert.deepEqual([exitCode, out, err], [0, 'live: baseUrl is https://app.example.com, slug is acme', '']);
  const { out: listed } = await runFn(['profile', 'list', '--json'], { cwd: home, env: { HOME: home } });
  const { baseUrl, slug } = JSON.parse(listed).items[0];
  assert.deepEqual([baseUrl, slug], ['https://app.example.com', 'acme']);
});

test('fn profile set shows the address that it stored, and what is still missing', async () => {
  const { out, err } = await set('other', 'baseUrl', 'app.example.com/');
  assert.deepEqual([out, err], ['other: baseUrl is https://app.example.com', 'The profile still needs its slug.']);
});
