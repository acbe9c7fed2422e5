/**
 * Sends through a proxy that cuts, delays, resets or answers 500 at random bytes. Each message is sent until its outcome is known, always by the
 * same command; afterwards every message must have arrived exactly once, and none of the unknown ones may have ended with another code
 * than 8. `node bench/faults/sends.ts [messages = 2000] [seed]`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runFn } from '../../test/cli/context.ts';
import { anyTrouble, chaosProxy, seeded } from './proxy.ts';
import { fromStillCopy } from './snapshot.ts';

export interface SendFaults {
  readonly messages: number;
  readonly attempts: number;
  readonly byExitCode: Readonly<Record<number, number>>;
  readonly doubled: number;
  readonly lost: number;
  /** Ended with 0, 1 or 7 although the message had or had not arrived. */
  readonly lied: number;
}

export async function sendThroughChaos(messages: number, seed: number): Promise<SendFaults> {
  const folder = mkdtempSync(join(tmpdir(), 'fn-faults-'));
  const answers = new Map<string, string>();
  const arrived = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const key = String(request.headers['idempotency-key']);
      const { to } = JSON.parse(Buffer.concat(chunks).toString());
      let answer = answers.get(key);
      if (answer === undefined) {
        arrived.set(to, (arrived.get(to) ?? 0) + 1);
        answer = JSON.stringify({
          conversationId: `cnv_${answers.size}`,
          conversationUrl: 'https://x/c',
          messageId: 'm',
          customerId: 'c',
          created: {},
        });
        answers.set(key, answer);
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
  const random = seeded(seed);
  const proxy = await chaosProxy(port, () => anyTrouble(random));
  const env = {
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    FN_BASE_URL: `http://127.0.0.1:${proxy.port}`,
    FN_WORKSPACE: 'acme',
    FN_TOKEN: 't',
  };
  const byExitCode: Record<number, number> = {};
  let attempts = 0;
  let lied = 0;
  try {
    for (let i = 0; i < messages; i++) {
      const to = `+4930${String(10_000_000 + i)}`;
      for (let attempt = 1; attempt <= 50; attempt++) {
        attempts++;
        const before = arrived.get(to) ?? 0;
        const { exitCode } = await runFn(['template', 'send', 'order_shipped', '--to', to, '--body', 'Ann'], {
          cwd: folder,
          env,
        });
        byExitCode[exitCode] = (byExitCode[exitCode] ?? 0) + 1;
        const after = arrived.get(to) ?? 0;
        if (exitCode === 0 && after === 0) lied++;
        if ((exitCode === 1 || exitCode === 7) && after > before) lied++;
        if (exitCode === 0) break;
        if (exitCode !== 7 && exitCode !== 8) throw new Error(`exit code ${exitCode} for ${to}`);
      }
    }
  } finally {
    await proxy.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  }
  const counts = [...arrived.values()];
  return {
    messages,
    attempts,
    byExitCode,
    doubled: counts.filter((count) => count > 1).length,
    lost: messages - arrived.size,
    lied,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fromStillCopy(fileURLToPath(import.meta.url), async () => {
    const faults = await sendThroughChaos(Number(process.argv[2] ?? 2_000), Number(process.argv[3] ?? Date.now()));
    console.log(JSON.stringify(faults, null, 2));
    return faults.doubled + faults.lost + faults.lied === 0 ? 0 : 1;
  });
}
