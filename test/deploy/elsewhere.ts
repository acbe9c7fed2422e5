import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Fate } from '../../bench/faults/between.ts';
import { type DeployFile, DeployState, deployFileOf } from '../../src/deploy/index.ts';
import { type LocalWorkspace, openLocal } from '../../src/emulator/index.ts';
import { requireProject } from '../../src/project/index.ts';
import { packageFile } from '../../src/std/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A workspace elsewhere: another folder, a token of its own, reached over HTTP only. */
export interface Elsewhere {
  readonly url: string;
  readonly token: string;
  readonly slug: string;
  readonly local: LocalWorkspace;
  /** What a command needs to speak to it, as CI would set it; with a home of its own. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

/** @param files further files of its folder: `seed.json` */
export async function elsewhere(files: Readonly<Record<string, string>> = {}): Promise<Elsewhere> {
  const folder = anApp(files, 'elsewhere');
  const local = await openLocal({
    project: await requireProject(folder),
    database: 'memory',
    slug: 'acme',
    processes: 1,
  });
  const { url } = await local.emulator.listen({ port: 0, strict: true });
  return {
    url,
    token: local.token,
    slug: 'acme',
    local,
    env: {
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_STATE_HOME: join(folder, 'state'),
      FN_BASE_URL: url,
      FN_WORKSPACE: 'acme',
      FN_TOKEN: local.token,
    },
    async close() {
      await local.close();
    },
  };
}

/** What no deploy is remembered in: a file stands where its folder would be, also for root. */
export const forgetful = (workspace: string, app: string): DeployState =>
  new DeployState(packageFile('package.json'), workspace, app);

/** A folder with an app in it. @param files by path below the folder */
export function anApp(files: Readonly<Record<string, string>>, app = 'order-desk'): string {
  const folder = temporaryFolder('fn-app');
  writeFiles(folder, { 'fn.config.json': JSON.stringify({ version: 1, app }), ...files });
  return folder;
}

export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');

/** An exposed method that answers with a text. */
export function answering(text: string): string {
  return `import { shout } from '../../lib/shout.js';
export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'token' } };
export default async function (sdk) {
  sdk.log.info('answering');
  return { text: shout(${JSON.stringify(text)}), region: process.env.REGION ?? null };
}
`;
}

export const shout = "export const shout = (text) => text.toUpperCase() + '!';\n";

/** The only function of an app, in its nth version. */
export const nthVersion = (n: number): DeployFile =>
  deployFileOf({
    path: 'a.js',
    type: 'server-side-method',
    config: { type: 'server-side-method', expose: false },
    code: `(async (register) => { register({ config: {}, default: async () => ${n} }); })`,
  });

/** Nothing was done, and nothing will be for a day. */
export const rateLimited: Fate = {
  kind: 'answer',
  done: false,
  status: 429,
  headers: { 'content-type': 'application/problem+json', 'retry-after': '86400' },
  body: '{"code":"rate_limited","title":"later"}',
};
