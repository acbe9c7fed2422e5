/**
 * Kills the server (`fn dev`, a process of its own) with SIGKILL at random moments of a `fn deploy`, starts it again on its state, and looks what
 * is served: all of the old version or all of the new one; then repeats the deploy, which must end with the new one.
 * `node bench/faults/servers.ts [kills = 100] [seed]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../../src/std/index.ts';
import { anApp, writeFiles } from '../../test/deploy/elsewhere.ts';
import { Dev } from '../../test/flows/app.ts';
import { seeded } from './proxy.ts';

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
  const byExitCode: Record<string, number> = {};
  let [mixed, lied, unrepaired] = [0, 0, 0];
  let server = await startServer(there, '0');
  const port = new URL(server.ready.url).port;
  const token = server.ready.token;
  const put = (version: string) =>
    writeFiles(here, Object.fromEntries(functions.map((name) => [`functions/${name}.js`, source(version)])));
  const deploy = async (): Promise<number | null> => {
    const child = spawn(process.execPath, [packageFile('bin/fn.js'), 'deploy'], {
      cwd: here,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: here,
        FN_BASE_URL: `http://127.0.0.1:${port}`,
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
    let wholeMs = 500;
    for (let kill = 1; kill <= kills; kill++) {
      const version = `v${kill}`;
      put(version);
      const deploying = deploy();
      // The whole of it counts: start, build, uploads, switch, reading back.
      await new Promise((resolve) => setTimeout(resolve, random() * wholeMs));
      server.child.kill('SIGKILL');
      await server.ended;
      server = await startServer(there, port);
      const code = await deploying;
      byExitCode[String(code)] = (byExitCode[String(code)] ?? 0) + 1;
      const live = await served();
      if (live !== old && live !== version) mixed++;
      if ((code === 0 && live !== version) || (code === 7 && live !== old) || ![0, 7, 8].includes(code ?? -1)) lied++;
      const repeatedAt = performance.now();
      if ((await deploy()) !== 0 || (await served()) !== version) unrepaired++;
      wholeMs = performance.now() - repeatedAt;
      old = version;
    }
  } finally {
    await server.stop();
    for (const folder of [here, there]) rmSync(folder, { recursive: true, force: true });
  }
  return { kills, byExitCode, mixed, lied, unrepaired };
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
  const faults = await killServers(Number(process.argv[2] ?? 100), Number(process.argv[3] ?? Date.now()));
  console.log(JSON.stringify(faults));
  process.exit(faults.mixed + faults.lied + faults.unrepaired === 0 ? 0 : 1);
}
