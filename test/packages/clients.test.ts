import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Bundler } from '../../src/bundle/index.ts';
import { defaultLimits, type Host, openSandbox } from '../../src/sandbox/index.ts';
import { plainPrelude } from '../sandbox/support/plain-layer.ts';

const root = import.meta.dirname;
const sandbox = openSandbox({ prelude: plainPrelude, processes: 1 });
const bundler = new Bundler({ workspaceRoot: root });
after(() => Promise.all([sandbox.close(), bundler.close()]));

const host: Host = {
  call: async (operation) => ({ error: { code: 'no_host', message: operation, status: 500 } }),
  fetch: ({ url }, signal) =>
    url.endsWith('/never')
      ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
      : Promise.resolve({ status: 200, headers: [], body: Uint8Array.of(0, 255, 1) }),
};

test('axios returns bytes in a buffer, and its timeouts have the code that they have in Node', async () => {
  const file = join(root, 'clients/axios.js');
  const { id, code } = await bundler.build({ app: 'packages', name: 'axios', file, root, kind: 'server' });
  const program = { id, app: 'packages', name: 'axios', code };
  const outcome = await sandbox.invoke(program, { argument: null, limits: defaultLimits, isolation: 'fresh' }, host);
  const each = { bytes: [true, 'AP8B'], late: 'ECONNABORTED', clarified: 'ETIMEDOUT' };
  assert.deepEqual(outcome.status === 'ok' ? outcome.result : outcome.error.message, [each, each]);
});
