/**
 * Makes `dist` where it is missing or older than `src`: `npm run demo`, `npm test` and `npm run bench` do this first, because from `src` every `fn` takes
 * several times as long to start, and what people try is then what is published. `node scripts/build-if-older.ts`
 */
// @ts-expect-error: plain JavaScript, which old versions of Node read as well
import { isBuilt } from '../bin/launch.js';
import { buildPackage } from './build.ts';

if (!isBuilt()) {
  process.stderr.write('Building fn …\n');
  await buildPackage();
}
