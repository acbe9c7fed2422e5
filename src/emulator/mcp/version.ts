import { readFileSync } from 'node:fs';
import { lazy, packageFile } from '../../std/index.ts';

/** The version of this package, which the other side of a connection is told. */
export const packageVersion = lazy(() => String(JSON.parse(readFileSync(packageFile('package.json'), 'utf8')).version));
