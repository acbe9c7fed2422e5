import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** The same functions twice: as an app of ours, and as the plain files that the limits serve. */
export interface BenchApp {
  readonly root: string;
  readonly plain: string;
  readonly names: readonly string[];
}

export function makeApp(count: number, isolation: 'fresh' | 'warm' = 'fresh'): BenchApp {
  const root = temporaryFolder('app');
  const plain = join(root, 'plain');
  mkdirSync(join(root, 'functions'), { recursive: true });
  mkdirSync(plain);
  writeFileSync(join(root, 'fn.config.json'), JSON.stringify({ version: 1, app: 'bench', isolation }));
  writeFileSync(join(root, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}');
  const names = Array.from({ length: count }, (_, i) => `f${String(i).padStart(3, '0')}`);
  for (const name of names) {
    writeFileSync(
      join(root, 'functions', `${name}.js`),
      `const VERSION = "v0";
export const config = { type: 'server-side-method', expose: { methods: ['GET'], auth: 'public' } };
export default async function (sdk) {
  return { ok: true, n: new URL(sdk.request.url).searchParams.get('n'), version: VERSION };
}
`,
    );
    writeFileSync(
      join(plain, `${name}.js`),
      'const VERSION = "v0";\nexport default ({ n }) => ({ ok: true, n, version: VERSION });\n',
    );
  }
  return { root, plain, names };
}

/** Puts a new version into a function, as an editor would: in place, or by a renamed copy. */
export function edit(file: string, version: string, how: 'in place' | 'by rename'): void {
  const text = readFileSync(file, 'utf8').replace(/VERSION = "[^"]*"/, `VERSION = "${version}"`);
  if (how === 'in place') return writeFileSync(file, text);
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
}
