import { copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

const vendors = join(import.meta.dirname, '..', 'vendors');

/** Packages as an app has them: by its name, where it is installed here, seen from the folder of vendors' packages. */
export type Packages = Readonly<Record<string, string>>;

/** A folder of an app in which packages are installed. */
export function appWithPackages(packages: Packages): string {
  const folder = temporaryFolder('fn-vendor');
  for (const [name, from] of Object.entries(packages)) {
    const place = join(folder, 'node_modules', ...name.split('/'));
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(placeOf(from), place, 'junction');
  }
  return folder;
}

/** A folder of an app whose copy of a package is this module. */
export function appWithPackage(name: string, version: string, code: string): string {
  const folder = temporaryFolder('fn-vendor');
  const inside = join(folder, 'node_modules', ...name.split('/'));
  mkdirSync(inside, { recursive: true });
  const exports = { '.': { default: './index.mjs' } };
  writeFileSync(join(inside, 'package.json'), JSON.stringify({ name, version, exports }));
  writeFileSync(join(inside, 'index.mjs'), code);
  return folder;
}

/** A folder of an app with a module `bot.mjs` that exports an agent: the code of its `export default`, and of what it imports. */
export function appWithModule(agent: string, imports = '', packages: Packages = {}): string {
  const folder = appWithPackages(packages);
  writeFileSync(join(folder, 'bot.mjs'), `${imports}\nexport default ${agent};\n`);
  return folder;
}

/** The same, with an agent that a file below `test/vendors/agents` makes. */
export function appWithAgent(file: string, agent: string, imports: string, packages: Packages): string {
  const folder = appWithModule(agent, `import { ${imports} } from './made.mjs';`, packages);
  copyFileSync(join(vendors, 'agents', file), join(folder, 'made.mjs'));
  return folder;
}

/** Why packages cannot be tried here. */
export function missingOf(packages: Packages, command = 'npm run test:vendors'): string | undefined {
  return Object.values(packages).every((from) => existsSync(placeOf(from))) ? undefined : `${command} installs it`;
}

const placeOf = (from: string): string => join(vendors, 'node_modules', from);

/** A package of the project itself. */
export const own = (name: string): string => `../../../node_modules/${name}`;
