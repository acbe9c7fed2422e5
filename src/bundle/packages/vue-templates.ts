import { existsSync } from 'node:fs';
import type { PluginBuild } from 'esbuild';
import { isInstalled } from './package-folder.ts';

/**
 * Vue offers bundlers its build without the compiler of templates, because a plugin of theirs compiles `.vue` files ahead. Nothing
 * does so here, and a component with a `template` would draw nothing and say nothing: a view gets the build that compiles them.
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
      // What is not found, or a file of the project that has the name, is told of or taken as ever.
      return whole !== found.path && isInstalled(whole) && existsSync(whole) ? { ...found, path: whole } : undefined;
    },
  );
}

const asking = Symbol('asked by the rule itself');
