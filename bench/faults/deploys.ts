/**
 * Kills `fn deploy` at random moments, as often as asked for, repeats it, and looks what is served: the old version or the new one, never anything else, and after the
 * repeat the new one. `node bench/faults/deploys.ts [kills = 200] [seed]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../src/std/index.ts';
import { anApp, elsewhere, writeFiles } from '../../test/deploy/elsewhere.ts';
import { seeded } from './proxy.ts';

export interface DeployFaults {
  /** Deploys, also those that were through before their end came. */
  readonly rounds: number;
  readonly killed: number;
  /** Neither the old nor the new version was served, or some functions of one and some of the other. */
  readonly mixed: number;
  /** The repeat did not end with 0, or something else than the new version was live after it. */
  readonly unrepaired: number;
}

const functions = ['a', 'b', 'c'];
const source = (
  version: string,
) => `export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'token' } };
export default async () => ({ version: ${JSON.stringify(version)} });
`;

export async function killDeploys(kills: number, seed: number): Promise<DeployFaults> {
  const remote = await elsewhere();
  const folder = anApp({}, 'faults');
  const random = seeded(seed);
  const put = (version: string) =>
    writeFiles(folder, Object.fromEntries(functions.map((name) => [`functions/${name}.js`, source(version)])));
  const deploy = () =>
    spawn(process.execPath, [packageFile('bin/fn.js'), 'deploy'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...remote.env },
      stdio: 'ignore',
    });
  const served = async () => {
    const answers = await Promise.all(
      functions.map(async (name) => {
        const response = await fetch(`${remote.url}/api/acme/custom-functions/faults/${name}.js`, {
          headers: { authorization: `Bearer ${remote.token}` },
        });
        return response.ok ? String(((await response.json()) as { version: string }).version) : String(response.status);
      }),
    );
    return [...new Set(answers)];
  };
  let rounds = 0;
  let killed = 0;
  let mixed = 0;
  let unrepaired = 0;
  try {
    put('v0');
    const [first] = await once(deploy(), 'exit');
    if (first !== 0) throw new Error(`the first deploy ended with ${first}`);
    // How long a deploy takes changes with what else the machine does: the last one that got through is the measure.
    let wholeMs = 500;
    let old = 'v0';
    while (killed < kills && rounds < kills * 4) {
      const version = `v${++rounds}`;
      put(version);
      const child = deploy();
      const ended = once(child, 'exit');
      const timer = setTimeout(() => child.kill(random() < 0.5 ? 'SIGKILL' : 'SIGINT'), random() * wholeMs);
      const [code] = await ended;
      clearTimeout(timer);
      if (code !== 0) killed++;
      const live = await served();
      if (live.length !== 1 || (live[0] !== old && live[0] !== version)) {
        mixed++;
        complain(rounds, `${live} was served, neither ${old} nor ${version}`);
      }
      const repeatedAt = performance.now();
      const [again] = await once(deploy(), 'exit');
      wholeMs = performance.now() - repeatedAt;
      const after = await served();
      if (again !== 0 || after.length !== 1 || after[0] !== version) {
        unrepaired++;
        complain(rounds, `the repeat ended with ${again}, and ${after} was served instead of ${version}`);
      }
      old = after.length === 1 && after[0] !== undefined ? after[0] : version;
    }
  } finally {
    await remote.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { rounds, killed, mixed, unrepaired };
}

function complain(round: number, what: string): void {
  process.stderr.write(`round ${round}: ${what}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = await killDeploys(Number(process.argv[2] ?? 200), Number(process.argv[3] ?? Date.now()));
  console.log(JSON.stringify(faults));
  process.exit(faults.mixed + faults.unrepaired === 0 ? 0 : 1);
}
