/** The version of the bundler, once it has shown that its binary for this machine runs. @throws Error when it does not */
export async function bundlerVersion(): Promise<string> {
  const { transform, version } = await import('esbuild');
  await transform('export {}');
  return version;
}
