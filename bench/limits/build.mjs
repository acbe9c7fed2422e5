// The limit of building: the esbuild API alone. Usage: node build.mjs FOLDER
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const esbuild = createRequire(import.meta.url)('esbuild');
const folder = process.argv[2];
await Promise.all(
  readdirSync(folder).map((file) =>
    esbuild.build({
      entryPoints: [join(folder, file)],
      bundle: true,
      write: false,
      outdir: 'out',
      format: 'esm',
      platform: 'browser',
      sourcemap: 'external',
    }),
  ),
);
process.exit(0);
