import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Bundler } from '../../../bundle/index.ts';
import { packageRoot, toSlashes } from '../../../std/index.ts';
import { builtInApps } from './source.ts';
import type { BuiltInFunction } from './types.ts';

/** Bundles the functions of our apps like any others. */
export async function bundleApps(): Promise<Record<string, BuiltInFunction[]>> {
  const apps: Record<string, BuiltInFunction[]> = {};
  const bundler = new Bundler({});
  try {
    for (const app of builtInApps) {
      const root = join(packageRoot(), 'src', 'apps', app);
      const files = (await readdir(join(root, 'functions'), { recursive: true }))
        .filter((file) => file.endsWith('.js'))
        .sort();
      apps[app] = await Promise.all(files.map((file) => bundleFunction(bundler, app, root, file)));
    }
    return apps;
  } finally {
    await bundler.close();
  }
}

async function bundleFunction(bundler: Bundler, app: string, root: string, relative: string): Promise<BuiltInFunction> {
  const name = toSlashes(relative).replace(/\.js$/, '');
  const file = join(root, 'functions', relative);
  const { id, code, sourceMap } = await bundler.build({ app, name, file, root, kind: 'server' });
  // Ours only import what Node has, so their config can be read without a sandbox.
  const { config } = (await import(pathToFileURL(file).href)) as { config: unknown };
  return { name, id, code, sourceMap, config };
}

/** Creates the asset `apps.json`. */
export async function buildApps(): Promise<string> {
  return JSON.stringify(await bundleApps());
}
