import { existsSync } from 'node:fs';
import type { PluginBuild } from 'esbuild';
import { isInstalled } from './package-folder.ts';

/**
 * Gives views Vue's build with the template compiler. By default bundlers get the build without it, because their plugins compile `.vue`
 * files in advance. Here, a component with a `template` would silently render nothing.
 */
export function vueTemplates(build: PluginBuild): void {
  build.onResolve(
    { filter: /^vue$/ },
    async ({ path, pluginData, importer, resolveDir, kind, namespace, with: attributes }) => {
      if (pluginData === asking) return undefined;
      const found = await build.resolve(path, {
        importer,
        resolveDir,
        kind,
        namespace,
        with: attributes,
        pluginData: asking,
      });
      const whole = found.path.replace(/\bvue\.runtime\.(esm(?:-bundler)?\.js)$/, 'vue.$1');
      // A missing package, or a file of the project with that name, is handled as usual.
      return whole !== found.path && isInstalled(whole) && existsSync(whole) ? { ...found, path: whole } : undefined;
    },
  );
}

/** What Vue's build for bundlers asks to be told; otherwise it warns in the browser's console. */
export const vueFlags = {
  __VUE_OPTIONS_API__: 'true',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
};

const asking = Symbol('asked by the rule itself');
