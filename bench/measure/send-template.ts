import { cpSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { packageFile } from '../../src/std/index.ts';
import type { Figure } from '../lib/figures.ts';
import { inTurn, limit } from '../lib/in-turn.ts';
import { temporaryFolder } from '../lib/temporary-folder.ts';

/**
 * `send-template` as a whole process beside curl, a bare node:http script and a bare `fetch` script doing the same request, in turn, against
 * one local server that answers at once.
 */
export async function measure(runs: number): Promise<Figure[]> {
  const folder = temporaryFolder('send');

  // As it is published: bin and dist, no sources beside them.
  const installed = join(folder, 'node_modules', 'convo-fn');
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(packageFile(part), join(installed, part), { recursive: true });
  for (const name of ['esbuild', 'isolated-vm']) {
    symlinkSync(packageFile(`node_modules/${name}`), join(folder, 'node_modules', name));
  }

  const answer = JSON.stringify({
    conversationId: 'cnv_1',
    conversationUrl: 'http://127.0.0.1/tenants/acme/conversations/cnv_1',
    messageId: 'msg_1',
    customerId: 'cus_1',
    created: { customer: false, conversation: false },
  });
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  const base = `http://127.0.0.1:${port}`;
  const url = `${base}/api/acme/custom-functions/template-app/api/template/send.js`;
  const body = JSON.stringify({ to: '+4930901820', template: 'order_shipped', variables: { body: ['Ann', 'A-17'] } });

  const env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    FN_BASE_URL: base,
    FN_WORKSPACE: 'acme',
    FN_TOKEN: 'tok_bench',
    NO_PROXY: '127.0.0.1',
  };
  const { bare, byFetch, byCurl, ours } = await inTurn(runs * 2, {
    bare: () => ({ argv: limit('one-liner.mjs', url, 'tok_bench', 'http'), env }),
    byFetch: () => ({ argv: limit('one-liner.mjs', url, 'tok_bench', 'fetch'), env }),
    byCurl: () => ({
      argv: [
        'curl',
        '-sS',
        '-X',
        'POST',
        '-H',
        'authorization: Bearer tok_bench',
        '-H',
        'content-type: application/json',
        '-d',
        body,
        url,
      ],
      env,
    }),
    ours: () => ({
      argv: [
        process.execPath,
        join(installed, 'bin/send-template.js'),
        'order_shipped',
        '--to',
        '+4930901820',
        '--body',
        'Ann',
        '--body',
        'A-17',
      ],
      cwd: folder,
      env,
    }),
  });
  server.close();

  return [
    {
      name: 'send-template',
      unit: 'ms',
      ours: ours?.wallMs ?? Number.NaN,
      limit: bare?.wallMs ?? Number.NaN,
      limitName: 'node:http',
      target: '≤ 1.5×',
    },
    {
      name: 'send-template',
      unit: 'ms',
      ours: ours?.wallMs ?? Number.NaN,
      limit: byFetch?.wallMs ?? Number.NaN,
      limitName: 'fetch',
    },
    {
      name: 'send-template',
      unit: 'ms',
      ours: ours?.wallMs ?? Number.NaN,
      limit: byCurl?.wallMs ?? Number.NaN,
      limitName: 'curl',
    },
    {
      name: 'send-template, peak memory',
      unit: 'MiB',
      ours: ours?.peakMib ?? Number.NaN,
      limit: bare?.peakMib ?? Number.NaN,
      limitName: 'node:http',
    },
  ];
}
