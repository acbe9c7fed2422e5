import { withCompiler } from './compiler.ts';

/** The bundler's version, after checking that its binary runs on this machine. @throws Error if it does not */
export async function bundlerVersion(): Promise<string> {
  return await withCompiler(async ({ transform, version }) => {
    await transform('export {}');
    return version;
  });
}
