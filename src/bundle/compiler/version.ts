import { withCompiler } from './compiler.ts';

/** The version of the bundler, once it has shown that its binary for this machine runs. @throws Error when it does not */
export async function bundlerVersion(): Promise<string> {
  return await withCompiler(async ({ transform, version }) => {
    await transform('export {}');
    return version;
  });
}
