/**
 * Ends `fn deploy` at moments of every phase – by kill -9, by Ctrl-C once and twice, by SIGTERM – and looks what is served: the new version if the
 * workspace was told to switch, else the old one, never anything else; and whether the exit code told the truth. Then repeats it, which must bring
 * the new one. `node bench/faults/deploys.ts [ends = 200] [seed]`
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../src/std/index.ts';
import { anApp, elsewhere, writeFiles } from '../../test/deploy/elsewhere.ts';
import { type Between, between, type Passing } from './between.ts';
import { type Moment, moments, nameOf, phaseOf, Tally, takesTime } from './phases.ts';
import { seeded } from './proxy.ts';
import { fromStillCopy } from './snapshot.ts';

export interface DeployFaults {
  /** Deploys, also those that were through before their end came. */
  readonly rounds: number;
  readonly ended: number;
  /** Something else was served than what the workspace was told, or some functions of one version and some of the other. */
  readonly mixed: number;
  /** An exit code, or its message, that does not fit what was live. */
  readonly lied: number;
  /** The repeat did not end with 0, or something else than the new version was live after it. */
  readonly unrepaired: number;
  /** How many were ended in each phase. */
  readonly byPhase: Readonly<Record<string, number>>;
  readonly byEnd: Readonly<Record<string, number>>;
  /** How they ended. */
  readonly byExitCode: Readonly<Record<string, number>>;
}

const functions = ['a', 'b', 'c'];
const source = (
  version: string,
) => `export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'token' } };
export default async () => ({ version: ${JSON.stringify(version)} });
`;

const ends = ['SIGKILL', 'SIGINT', 'SIGKILL', 'SIGINT twice', 'SIGKILL', 'SIGTERM'] as const;

export async function endDeploys(count: number, seed: number): Promise<DeployFaults> {
  const remote = await elsewhere();
  const proxy = await between(remote.url);
  const folder = anApp({}, 'faults');
  const random = seeded(seed);
  const put = (version: string) =>
    writeFiles(folder, Object.fromEntries(functions.map((name) => [`functions/${name}.js`, source(version)])));
  const deploy = () =>
    spawn(process.execPath, [packageFile('bin/fn.js'), 'deploy'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...remote.env, FN_BASE_URL: proxy.url },
      stdio: ['ignore', 'ignore', 'pipe'],
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
    return [...new Set(answers)].join(' and ');
  };
  const [byPhase, byEnd, byExitCode] = [new Tally(), new Tally(), new Tally()];
  let [rounds, ended, mixed, lied, unrepaired] = [0, 0, 0, 0, 0];
  try {
    put('v0');
    // How long each phase takes changes with what else the machine does: the last deploy that got through is the measure.
    let usual = await throughAndTimed(proxy, deploy);
    let old = 'v0';
    while (ended < count && rounds < count * 4) {
      const version = `v${++rounds}`;
      put(version);
      const moment = moments[rounds % moments.length] ?? 'start';
      const end = ends[Math.floor(rounds / moments.length + rounds) % ends.length] ?? 'SIGKILL';
      const round = await endOne({ proxy, child: deploy(), moment, end, random, usual });
      proxy.watch({});
      const live = await served();
      const expected = round.switched ? version : old;
      const what = `round ${rounds} (${end} at ${moment}, ended with ${round.exit}):`;
      if (round.exit !== '0') {
        ended++;
        byPhase.add(phaseOf(moment));
        byEnd.add(end);
        byExitCode.add(round.exit);
      }
      if (live !== expected) {
        mixed++;
        complain(`${what} ${live} was served instead of ${expected}`);
      }
      if (!isTrue(round, live === version)) {
        lied++;
        complain(`${what} ${live} was served, and it said: ${round.err}`);
      }
      try {
        usual = await throughAndTimed(proxy, deploy);
      } catch (error) {
        complain(`${what} the repeat: ${error}`);
        unrepaired++;
      }
      const after = await served();
      if (after !== version) {
        unrepaired++;
        complain(`${what} after the repeat ${after} was served instead of ${version}`);
      }
      old = after;
    }
  } finally {
    await proxy.close();
    await remote.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return {
    rounds,
    ended,
    mixed,
    lied,
    unrepaired,
    byPhase: byPhase.counts,
    byEnd: byEnd.counts,
    byExitCode: byExitCode.counts,
  };
}

interface Round {
  /** `0`, `130`, …, or the signal. */
  readonly exit: string;
  readonly err: string;
  /** The workspace was told to switch, and did. */
  readonly switched: boolean;
}

async function endOne(given: {
  proxy: Between;
  child: ChildProcess;
  moment: Moment;
  end: (typeof ends)[number];
  random: () => number;
  usual: ReadonlyMap<Moment, number>;
}): Promise<Round> {
  const { proxy, child, moment, end, random, usual } = given;
  const gone = once(child, 'close');
  const err = text(child);
  let switched = false;
  let activated = false;
  let came = false;
  // Of several uploads one is chosen by chance.
  let toPass = moment.startsWith('upload') ? Math.floor(random() * functions.length * 2) : 0;
  const now = async () => {
    came = true;
    const delay = takesTime(moment) ? random() * (usual.get(moment) ?? 0) : 0;
    if (delay > 0) await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, delay))]);
    child.kill(end === 'SIGINT twice' ? 'SIGINT' : end);
    if (end === 'SIGINT twice') {
      await new Promise((resolve) => setTimeout(resolve, random() * 20));
      child.kill('SIGINT');
    }
    // Dead before the request goes on. One who heard a signal may be waiting for this very answer.
    if (end === 'SIGKILL') await gone;
    else await new Promise((resolve) => setTimeout(resolve, random() * 20));
  };
  const at = async (request: Passing, when: 'arrived' | 'done' | 'answered') => {
    if (came || moment !== `${nameOf(request, activated)}: ${when}` || toPass-- > 0) return;
    await now();
  };
  proxy.watch({
    async arrived(request) {
      await at(request, 'arrived');
      return undefined;
    },
    async carriedOut(request, status) {
      const activating = nameOf(request, activated) === 'activate' && status < 300;
      if (activating) switched = true;
      await at(request, 'done');
    },
    async answered(request) {
      const activating = nameOf(request, activated) === 'activate';
      await at(request, 'answered');
      if (activating) activated = true;
    },
  });
  if (moment === 'start') await now();
  const [code, signal] = await gone;
  // What the dead one had sent is on its way, as it would be in a network.
  await proxy.idle();
  return { exit: signal ?? String(code), err: await err, switched };
}

/** What an exit code says must be so. */
function isTrue({ exit, err }: Round, isNew: boolean): boolean {
  if (/nothing was changed/i.test(err) && isNew) return false;
  if (exit === '0') return isNew;
  if (exit === '7') return !isNew;
  return ['SIGKILL', 'SIGINT', 'SIGTERM', '8', '130', '143'].includes(exit);
}

/** A deploy to its end. @returns how long it took from each moment to the next request, and from the start */
async function throughAndTimed(proxy: Between, deploy: () => ChildProcess): Promise<Map<Moment, number>> {
  const took = new Map<Moment, number>();
  let since: { moment: Moment; at: number } = { moment: 'start', at: performance.now() };
  let activated = false;
  proxy.watch({
    arrived() {
      if (!took.has(since.moment)) took.set(since.moment, performance.now() - since.at);
      return undefined;
    },
    answered(request) {
      const name = nameOf(request, activated);
      since = { moment: `${name}: answered`, at: performance.now() };
      activated ||= name === 'activate';
    },
  });
  const child = deploy();
  const err = text(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`ended with ${code}: ${await err}`);
  took.set(since.moment, performance.now() - since.at);
  proxy.watch({});
  return took;
}

async function text({ stderr }: ChildProcess): Promise<string> {
  return stderr === null ? '' : (await stderr.setEncoding('utf8').toArray()).join('').trim();
}

function complain(what: string): void {
  process.stderr.write(`${what}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fromStillCopy(fileURLToPath(import.meta.url), async () => {
    const faults = await endDeploys(Number(process.argv[2] ?? 200), Number(process.argv[3] ?? Date.now()));
    console.log(JSON.stringify(faults, null, 2));
    return faults.mixed + faults.lied + faults.unrepaired === 0 ? 0 : 1;
  });
}
