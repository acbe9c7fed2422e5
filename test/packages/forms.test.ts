import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Bundler } from '../../src/bundle/index.ts';
import { defaultLimits, type FetchRequest, type Host, openSandbox } from '../../src/sandbox/index.ts';
import { plainPrelude } from '../sandbox/support/plain-layer.ts';

const root = import.meta.dirname;
const sandbox = openSandbox({ prelude: plainPrelude, processes: 1 });
const bundler = new Bundler({ workspaceRoot: root });
after(() => Promise.all([sandbox.close(), bundler.close()]));

async function partsOf({ headers, body }: FetchRequest): Promise<string[]> {
  const received = new Response(body as Uint8Array<ArrayBuffer>, {
    headers: headers.map(([name, value]) => [name, value]),
  });
  const parts = [...(await received.formData())];
  return Promise.all(
    parts.map(async ([name, value]) =>
      typeof value === 'string' ? `${name}: ${value}` : `${name}: ${value.name} ${value.type} ${await value.text()}`,
    ),
  );
}

test('a form of form-data arrives whole by axios, node-fetch and node:http', async () => {
  const sent: FetchRequest[] = [];
  const host: Host = {
    call: async (operation) => ({ error: { code: 'no_host', message: operation, status: 500 } }),
    fetch: async (request) => {
      sent.push(request);
      return { status: 200, headers: [] };
    },
  };
  const file = join(root, 'forms/send.js');
  const { id, code } = await bundler.build({ app: 'packages', name: 'send', file, root, kind: 'server' });
  const program = { id, app: 'packages', name: 'send', code };
  const outcome = await sandbox.invoke(program, { argument: null, limits: defaultLimits, isolation: 'fresh' }, host);
  assert.equal(outcome.status, 'ok', outcome.status === 'ok' ? '' : outcome.error.message);
  const each = ['name: Müller', 'file: a.txt text/plain bytes', 'stream: b.bin application/octet-stream piece'];
  assert.deepEqual(await Promise.all(sent.map(partsOf)), Array(4).fill(each));
});
