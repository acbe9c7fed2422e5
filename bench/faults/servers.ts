/**
 * Kills the server (`fn dev`, a process of its own) with SIGKILL in every phase of a `fn deploy`, starts it again on its state, and looks what is
 * served: all of the old version or all of the new one; then repeats the deploy, which must end with the new one. While it is away, connections are
 * refused in one half of the rounds and break in the other. `node bench/faults/servers.ts [kills = 100] [seed]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../src/std/index.ts';
import { anApp, writeFiles } from '../../test/deploy/elsewhere.ts';
import { Dev } from '../../test/flows/app.ts';
import { type Between, between, type Passing } from './between.ts';
import { type Moment, moments, nameOf, phaseOf, Tally, takesTime } from './phases.ts';
import { seeded } from './proxy.ts';
import { fromStillCopy } from './snapshot.ts';

export interface ServerFaults {
  readonly kills: number;
  /** How the deploys ended whose server was killed: 0 through, 7 surely not, 8 unknown. */
  readonly byExitCode: Readonly<Record<string, number>>;
  /** After the restart neither all of the old nor all of the new version was served. */
  readonly mixed: number;
  /** An exit code that does not fit what was live: 0 and the old version, 7 and the new one; or another code than 0, 7, 8. */
  readonly lied: number;
  /** The repeat did not end with 0, or something else than the new version was live after it. */
  readonly unrepaired: number;
  /** In which phases the server was killed. */
  readonly byPhase: Readonly<Record<string, number>>;
}

const functions = ['a', 'b', 'c'];
const source = (
  version: string,
) => `export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'public' } };
export default async () => ({ version: ${JSON.stringify(version)} });
`;

export async function killServers(kills: number, seed: number): Promise<ServerFaults> {
  const there = anApp({}, 'elsewhere');
  const here = anApp({}, 'faults');
  const random = seeded(seed);
  const [byExitCode, byPhase] = [new Tally(), new Tally()];
  let [mixed, lied, unrepaired] = [0, 0, 0];
  let server = await startServer(there, '0');
  const port = new URL(server.ready.url).port;
  const token = server.ready.token;
  const proxy = await between(`http://127.0.0.1:${port}`);
  const put = (version: string) =>
    writeFiles(here, Object.fromEntries(functions.map((name) => [`functions/${name}.js`, source(version)])));
  const deploy = async (): Promise<number | null> => {
    const child = spawn(process.execPath, [packageFile('bin/fn.js'), 'deploy'], {
      cwd: here,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: here,
        FN_BASE_URL: proxy.url,
        FN_WORKSPACE: 'dev',
        FN_TOKEN: token,
      },
      stdio: 'ignore',
    });
    const [code] = await once(child, 'exit');
    return code;
  };
  const served = async () => {
    const answers = await Promise.all(
      functions.map(async (name) => {
        const response = await fetch(`http://127.0.0.1:${port}/api/dev/custom-functions/faults/${name}.js`);
        return response.ok ? ((await response.json()) as { version: string }).version : String(response.status);
      }),
    );
    return answers.every((one) => one === answers[0]) ? String(answers[0]) : 'mixed';
  };
  try {
    put('v0');
    if ((await deploy()) !== 0) throw new Error('the first deploy did not end with 0');
    let old = 'v0';
    for (let kill = 1; kill <= kills; kill++) {
      const version = `v${kill}`;
      put(version);
      const moment = moments[kill % moments.length] ?? 'start';
      const refuse = random() < 0.5;
      const killed = atMoment(proxy, moment, random, async () => {
        byPhase.add(phaseOf(moment));
        if (refuse) proxy.leave();
        server.child.kill('SIGKILL');
        await server.ended;
      });
      const deploying = deploy();
      // A deploy that never comes to that moment ends, and the server is killed after it.
      await Promise.race([killed, deploying]);
      proxy.watch({});
      server.child.kill('SIGKILL');
      await server.ended;
      server = await startServer(there, port);
      await proxy.comeBack();
      const code = await deploying;
      byExitCode.add(String(code));
      const live = await served();
      const what = `kill ${kill} (${moment}, the deploy ended with ${code}): ${live} was served`;
      if (live !== old && live !== version) {
        mixed++;
        complain(`${what}, neither ${old} nor ${version}`);
      }
      if ((code === 0 && live !== version) || (code === 7 && live !== old) || ![0, 7, 8].includes(code ?? -1)) {
        lied++;
        complain(`${what}, before it was ${old}`);
      }
      const again = await deploy();
      const after = await served();
      if (again !== 0 || after !== version) {
        unrepaired++;
        complain(`${what}; the repeat ended with ${again}, and ${after} was served`);
      }
      old = version;
    }
  } finally {
    await proxy.close();
    await server.stop();
    for (const folder of [here, there]) rmSync(folder, { recursive: true, force: true });
  }
  return { kills, byExitCode: byExitCode.counts, mixed, lied, unrepaired, byPhase: byPhase.counts };
}

/** Does something at a moment of the next deploy, or a little later where `fn` or the server works for a while. */
function atMoment(proxy: Between, moment: Moment, random: () => number, act: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let activated = false;
  let came = false;
  const now = async (wait: boolean) => {
    came = true;
    if (wait) await new Promise((done) => setTimeout(done, random() * 100));
    await act();
    resolve();
  };
  const at = async (request: Passing, when: 'arrived' | 'done' | 'answered') => {
    if (came || moment !== `${nameOf(request, activated)}: ${when}`) return;
    // In the middle of the work on a request, not before it.
    if (when === 'arrived') setTimeout(() => void now(false), random() * 8);
    else await now(takesTime(moment));
  };
  proxy.watch({
    async arrived(request) {
      await at(request, 'arrived');
      return undefined;
    },
    carriedOut: (request) => at(request, 'done'),
    async answered(request) {
      await at(request, 'answered');
      activated ||= nameOf(request, activated) === 'activate';
    },
  });
  if (moment === 'start') void now(true);
  return promise;
}

function complain(what: string): void {
  process.stderr.write(`${what}\n`);
}

async function startServer(folder: string, port: string): Promise<Dev> {
  const child = spawn(process.execPath, [packageFile('bin/fn.js'), 'dev', '--json', '--port', port], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
    stdio: 'pipe',
  });
  const dev = new Dev(child);
  await dev.event(({ type }) => type === 'ready');
  return dev;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fromStillCopy(fileURLToPath(import.meta.url), async () => {
    const faults = await killServers(Number(process.argv[2] ?? 100), Number(process.argv[3] ?? Date.now()));
    console.log(JSON.stringify(faults, null, 2));
    return faults.mixed + faults.lied + faults.unrepaired === 0 ? 0 : 1;
  });
}
