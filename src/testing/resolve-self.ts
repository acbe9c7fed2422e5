/**
 * Loaded with `--import` before an app's tests: if the app has no `convo-fn` of its own (nothing is installed yet), imports of it
 * resolve to the one that runs the tests.
 */
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { assetPath, isBuilt, packageFile } from '../std/index.ts';

const own: Readonly<Record<string, string>> = isBuilt
  ? { 'convo-fn': assetPath('index.js'), 'convo-fn/testing': assetPath('testing.js') }
  : { 'convo-fn': packageFile('src/index.ts'), 'convo-fn/testing': packageFile('src/testing/index.ts') };

registerHooks({
  resolve(specifier, context, nextResolve) {
    const file = Object.hasOwn(own, specifier) ? own[specifier] : undefined;
    if (file === undefined) return nextResolve(specifier, context);
    try {
      return nextResolve(specifier, context);
    } catch {
      return { url: pathToFileURL(file).href, shortCircuit: true };
    }
  },
});
