/** Run as a process of its own by life.test.ts: opens a sandbox, says who its children are, and goes or stays. */

import { forkEarly } from '../../../src/sandbox/early.ts';
import { openSandbox } from '../../../src/sandbox/index.ts';
import { plainPrelude } from './plain-layer.ts';
import { aProgram, aRequest, echoHost } from './programs.ts';

const mode = process.argv[2];
if (mode === 'early') forkEarly();
const sandbox = openSandbox({ prelude: plainPrelude, processes: 1 });
const early = sandbox.stats().children[0]?.pid;
await sandbox.ready;
const pids = sandbox.stats().children.map(({ pid }) => pid);
if (mode === 'idle') console.log(pids.join(' '));
if (mode === 'run') {
  await sandbox.invoke(aProgram('await new Promise((done) => setTimeout(done, 100));'), aRequest(), echoHost);
  console.log('finished');
}
if (mode === 'early') {
  await sandbox.invoke(aProgram('return 1;'), aRequest(), echoHost);
  console.log(`${pids.length === 1 ? 'one child' : pids.length}, same: ${sandbox.stats().children[0]?.pid === early}`);
}
if (mode === 'loop') {
  const host = {
    ...echoHost,
    call: async () => {
      setTimeout(() => console.log(pids.join(' ')), 50);
      return { ok: 1 };
    },
  };
  await sandbox.invoke(
    aProgram('await sdk.call("x"); for (;;) {}'),
    aRequest({ limits: { wallMs: 20_000, cpuMs: 20_000 } }),
    host,
  );
}
