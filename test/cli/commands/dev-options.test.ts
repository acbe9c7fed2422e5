import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runFn } from '../context.ts';
import { aFolder } from '../fn-process.ts';

const app = aFolder();
writeFileSync(join(app, 'fn.config.json'), '{"version":1,"app":"shop"}');
const dev = async (argv: string[], env: Record<string, string> = {}) => {
  const { exitCode, out, err } = await runFn(['dev', '--once', ...argv, '--json'], {
    cwd: app,
    env: { HOME: aFolder(), ...env },
  });
  return { exitCode, code: /"code":"(\w+)"/.exec(out + err)?.[1], told: out + err };
};

test('fn dev refuses an address of a collector that is none, whether from --otlp or the environment', async () => {
  for (const address of ['nonsense', 'localhost:4318', 'ftp://127.0.0.1', 'http://', 'https://user:word@example.com']) {
    const refused = await dev(['--otlp', address]);
    assert.deepEqual([refused.exitCode, refused.code], [2, 'otlp_invalid'], address);
  }
  const refused = await dev([], { OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' });
  assert.deepEqual([refused.exitCode, refused.code], [2, 'otlp_invalid']);
  assert.match(refused.told, /--otlp http:\/\/127\.0\.0\.1:4318/);
});
