import { packageFile } from '../src/std/index.ts';

/** XDG_CACHE_HOME of every `fn` that tests start, whatever its home: each would compile its own code anew without it. */
export const compiledCode: string = packageFile('node_modules/.cache/fn-tests');
